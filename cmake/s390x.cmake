# Cross-compiling for a big-endian processor with Debian's gcc-s390x-linux-gnu; ci/foreign.sh s390x fetches the libraries.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR s390x)
set(CMAKE_C_COMPILER s390x-linux-gnu-gcc)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-s390x)
set(CMAKE_LIBRARY_ARCHITECTURE s390x-linux-gnu)
include(${CMAKE_CURRENT_LIST_DIR}/foreign.cmake)
uvet_foreign(s390x)
