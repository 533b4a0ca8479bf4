# Compiler flags: warnings for every build, hardening for release (OpenSSF's list, as far as gcc 12 and clang 14 know it). What only makes
# sense for files in ELF is for neither Windows nor macOS; Apple's linker would refuse it.
add_library(uvet_flags INTERFACE)
target_compile_options(uvet_flags INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes
	-Wmissing-prototypes -Wformat=2 -Wimplicit-fallthrough -Wvla
	-ffile-prefix-map=${CMAKE_SOURCE_DIR}=.)
if(UVET_WERROR)
	target_compile_options(uvet_flags INTERFACE -Werror)
endif()

if(UVET_SANITIZE)
	target_compile_options(uvet_flags INTERFACE -fsanitize=${UVET_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
	target_link_options(uvet_flags INTERFACE -fsanitize=${UVET_SANITIZE})
endif()

if(CMAKE_BUILD_TYPE STREQUAL "Release")
	target_compile_options(uvet_flags INTERFACE -fstack-protector-strong -fno-delete-null-pointer-checks -fno-strict-overflow
		-fno-strict-aliasing -ftrivial-auto-var-init=zero)
	if((CMAKE_C_COMPILER_ID STREQUAL "Clang" AND CMAKE_C_COMPILER_VERSION VERSION_LESS 16) OR
	   (CMAKE_C_COMPILER_ID STREQUAL "AppleClang" AND CMAKE_C_COMPILER_VERSION VERSION_LESS 15))       # which is clang 16
		target_compile_options(uvet_flags INTERFACE -enable-trivial-auto-var-init-zero-knowing-it-will-be-removed-from-clang)
	endif()
	target_link_options(uvet_flags INTERFACE -fstack-protector-strong)
	# GCC would set and copy structs with string instructions, which take longer than the stores of a small struct.
	if(CMAKE_C_COMPILER_ID STREQUAL "GNU" AND CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|amd64|AMD64")
		target_compile_options(uvet_flags INTERFACE -mmemset-strategy=unrolled_loop:256:noalign,libcall:-1:noalign
			-mmemcpy-strategy=unrolled_loop:256:noalign,libcall:-1:noalign)
	endif()
	if(APPLE)
		target_compile_options(uvet_flags INTERFACE -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2)
		target_link_options(uvet_flags INTERFACE -Wl,-dead_strip_dylibs)
	elseif(NOT WIN32)
		target_compile_options(uvet_flags INTERFACE -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3 -fstack-clash-protection)
		target_link_options(uvet_flags INTERFACE -Wl,-z,noexecstack -Wl,-z,relro -Wl,-z,now -Wl,--as-needed)
		if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|amd64")
			target_compile_options(uvet_flags INTERFACE -fcf-protection=full)
		endif()
	endif()
endif()

# Coverage is measured of src alone. Others' code, and what reads reports in tests, is compiled with these flags, so that it loses no time.
set(UVET_NOT_COUNTED "")
if(UVET_COVERAGE)
	set(UVET_NOT_COUNTED -O2 -fno-coverage-mcdc -fno-coverage-mapping -fno-profile-instr-generate)
endif()
