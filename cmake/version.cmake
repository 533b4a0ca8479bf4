# The version, from uvet.h, where it is declared once, and what follows from it (docs/VERSIONS.md).
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS include/uvet/uvet.h)
foreach(part MAJOR MINOR PATCH)
	file(STRINGS ${CMAKE_CURRENT_LIST_DIR}/../include/uvet/uvet.h line REGEX "^#define UVET_VERSION_${part} [0-9]+$")
	if(NOT line MATCHES "([0-9]+)$")
		message(FATAL_ERROR "include/uvet/uvet.h has no UVET_VERSION_${part}")
	endif()
	set(UVET_VERSION_${part} ${CMAKE_MATCH_1})
endforeach()
set(UVET_VERSION ${UVET_VERSION_MAJOR}.${UVET_VERSION_MINOR}.${UVET_VERSION_PATCH})

# Before 1.0 each minor version may be another interface. The number in the library's name stays 0, so the node that its symbols are
# in tells them apart: a program of 0.1 does not start with the library of 0.2.
if(UVET_VERSION_MAJOR EQUAL 0)
	set(UVET_SYMBOL_NODE LIBUVET_0.${UVET_VERSION_MINOR})
	set(UVET_COMPATIBILITY SameMinorVersion)
else()
	set(UVET_SYMBOL_NODE LIBUVET_${UVET_VERSION_MAJOR})
	set(UVET_COMPATIBILITY SameMajorVersion)
endif()
