# uvet_foreign looks for libraries in build/foreign/ARCH alone, and links without shared ones, as programs are run here that have none
# beside them. The sources of BLAKE3 are every processor's.
macro(uvet_foreign arch)
	set(CMAKE_FIND_ROOT_PATH ${CMAKE_CURRENT_LIST_DIR}/../build/foreign/${arch}/root)
	set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
	set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
	set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
	set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
	set(CMAKE_FIND_LIBRARY_SUFFIXES .a)
	set(CMAKE_EXE_LINKER_FLAGS_INIT -static)
	file(GLOB UVET_BLAKE3_PLACES ${CMAKE_CURRENT_LIST_DIR}/../build/blake3/usr/share/cargo/registry/blake3-1.*/c
		/usr/share/cargo/registry/blake3-1.*/c)
	if(UVET_BLAKE3_PLACES)
		list(GET UVET_BLAKE3_PLACES 0 UVET_BLAKE3_PLACES)
		set(UVET_BLAKE3_FOLDER ${UVET_BLAKE3_PLACES} CACHE PATH "Where the sources of BLAKE3 lie")
	endif()
endmacro()
