# The libraries that uvet uses. zlib is always needed; the others may be switched off (README, "Libraries").
add_library(uvet_libraries INTERFACE)
set(UVET_ARCHIVE_LIBRARIES "")         # what a program that links libuvet.a has to link too

find_package(ZLIB REQUIRED)
find_package(Threads REQUIRED)
find_path(UVET_ISAL_INCLUDE isa-l/crc.h)
find_library(UVET_ISAL_LIBRARY isal)
find_library(UVET_ISAL_ARCHIVE libisal.a)       # Debian has none
find_path(UVET_LIBDEFLATE_INCLUDE libdeflate.h)
find_library(UVET_LIBDEFLATE_LIBRARY deflate)
find_path(UVET_BZIP2_INCLUDE bzlib.h)
find_library(UVET_BZIP2_LIBRARY bz2)
find_path(UVET_LZMA_INCLUDE lzma.h)
find_library(UVET_LZMA_LIBRARY lzma)
find_path(UVET_NETTLE_INCLUDE nettle/sha1.h)
find_library(UVET_NETTLE_LIBRARY nettle)
find_path(UVET_INIH_INCLUDE ini.h)
find_library(UVET_INIH_LIBRARY inih)
find_path(UVET_LZ4_INCLUDE lz4.h)
find_library(UVET_LZ4_LIBRARY lz4)
find_path(UVET_ZSTD_INCLUDE zstd.h)
find_library(UVET_ZSTD_LIBRARY zstd)
find_path(UVET_LIBARCHIVE_INCLUDE archive.h)
find_library(UVET_LIBARCHIVE_LIBRARY archive)

# uvet_use adds an optional library that was found; OPTION says whether it is wanted, and HAVE_<NAME> whether it is used.
function(uvet_use name option flag)
	set(HAVE_${name} OFF PARENT_SCOPE)
	if(${option} AND UVET_${name}_INCLUDE AND UVET_${name}_LIBRARY)
		set(HAVE_${name} ON PARENT_SCOPE)
		target_compile_definitions(uvet_libraries INTERFACE UVET_WITH_${name})
		target_include_directories(uvet_libraries SYSTEM INTERFACE ${UVET_${name}_INCLUDE})
		target_link_libraries(uvet_libraries INTERFACE ${UVET_${name}_LIBRARY})
		list(APPEND UVET_ARCHIVE_LIBRARIES ${flag})
		set(UVET_ARCHIVE_LIBRARIES "${UVET_ARCHIVE_LIBRARIES}" PARENT_SCOPE)
	endif()
endfunction()

# A static program finds in those after it what libarchive uses.
uvet_use(LIBARCHIVE UVET_LIBARCHIVE -larchive)
uvet_use(ISAL UVET_ISAL -lisal)
uvet_use(LIBDEFLATE UVET_LIBDEFLATE -ldeflate)
uvet_use(BZIP2 UVET_BZIP2 -lbz2)
uvet_use(LZMA UVET_LZMA -llzma)
uvet_use(NETTLE UVET_NETTLE -lnettle)
uvet_use(ZSTD UVET_ZSTD -lzstd)

# What the command alone uses.
add_library(uvet_command_libraries INTERFACE)
set(HAVE_INIH OFF)
if(UVET_INIH AND UVET_INIH_INCLUDE AND UVET_INIH_LIBRARY)
	set(HAVE_INIH ON)
	target_compile_definitions(uvet_command_libraries INTERFACE UVET_WITH_INIH)
	target_include_directories(uvet_command_libraries SYSTEM INTERFACE ${UVET_INIH_INCLUDE})
	target_link_libraries(uvet_command_libraries INTERFACE ${UVET_INIH_LIBRARY})
endif()

# In tests, harnesses and benchmarks, decoders of uvet's own are compared with those of other libraries, if these are installed.
add_library(uvet_peers INTERFACE)
set(HAVE_LZ4 OFF)
if(UVET_LZ4_INCLUDE AND UVET_LZ4_LIBRARY)
	set(HAVE_LZ4 ON)
	target_compile_definitions(uvet_peers INTERFACE UVET_WITH_LZ4)
	target_include_directories(uvet_peers SYSTEM INTERFACE ${UVET_LZ4_INCLUDE})
	target_link_libraries(uvet_peers INTERFACE ${UVET_LZ4_LIBRARY})
endif()

include(cmake/blake3.cmake)

target_link_libraries(uvet_libraries INTERFACE ZLIB::ZLIB Threads::Threads)
list(APPEND UVET_ARCHIVE_LIBRARIES -lz -pthread)
# A static program cannot be linked with ISA-L where that is no archive: libuvet.a then computes the CRC as builds without ISA-L do.
if(HAVE_ISAL AND NOT UVET_ISAL_ARCHIVE)
	list(REMOVE_ITEM UVET_ARCHIVE_LIBRARIES -lisal)
	set(UVET_ARCHIVE_WITHOUT_ISAL ON)
endif()
list(JOIN UVET_ARCHIVE_LIBRARIES " " UVET_ARCHIVE_FLAGS)

if(HAVE_ISAL)
	set(UVET_CRC_LIBRARY "isa-l")
elseif(HAVE_LIBDEFLATE)
	set(UVET_CRC_LIBRARY "libdeflate")
else()
	set(UVET_CRC_LIBRARY "zlib")
endif()
message(STATUS "CRC-32/BZIP2 through ${UVET_CRC_LIBRARY}; libdeflate ${HAVE_LIBDEFLATE}, liblzma ${HAVE_LZMA}, "
	"libbz2 ${HAVE_BZIP2}, libzstd ${HAVE_ZSTD}, libarchive ${HAVE_LIBARCHIVE}, nettle ${HAVE_NETTLE}, BLAKE3 ${HAVE_BLAKE3}")
