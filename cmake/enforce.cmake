# uvet_enforce notes in a program or library that its control flow may be enforced (IBT and SHSTK). The linker would do so by itself if
# every object said so, but the C library's start files and static libraries often do not. Only three places in these are harmful: the
# entry gets a landing, and _init and _fini, which are empty, are not called. ci/branches.py checks everything else.
set(UVET_LINKER_NOTES OFF)
if(NOT WIN32 AND NOT APPLE)
	include(CheckLinkerFlag)
	check_linker_flag(C "-Wl,-z,ibt,-z,shstk" UVET_LINKER_TAKES_NOTES)
	set(UVET_LINKER_NOTES ${UVET_LINKER_TAKES_NOTES})
endif()

function(uvet_enforce target)
	if(NOT UVET_LINKER_NOTES OR NOT CMAKE_BUILD_TYPE STREQUAL "Release" OR
	   NOT CMAKE_SIZEOF_VOID_P EQUAL 8 OR NOT CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|amd64")
		return()
	endif()
	target_link_options(${target} PRIVATE -Wl,-z,ibt,-z,shstk -Wl,-init=uvet_none,-fini=uvet_none)
	get_target_property(type ${target} TYPE)
	if(type STREQUAL "EXECUTABLE")
		set(entry ${CMAKE_SOURCE_DIR}/src/platform/x86_64_entry.S)
		set_source_files_properties(${entry} PROPERTIES LANGUAGE C COMPILE_OPTIONS "-x;assembler-with-cpp")
		target_sources(${target} PRIVATE ${entry})
		target_link_options(${target} PRIVATE -Wl,-e,uvet_entry)
	endif()
endfunction()
