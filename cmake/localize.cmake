# Inside, names are short: text_is, report_free. A host that links the static library must not meet them, so its objects are
# joined to one, in which only the names of uvet.h are global. Where that cannot be done the library still works.
if(UNIX AND NOT APPLE AND CMAKE_OBJCOPY AND CMAKE_LINKER AND NOT UVET_SANITIZE AND NOT UVET_COVERAGE AND
   NOT CMAKE_INTERPROCEDURAL_OPTIMIZATION AND NOT CMAKE_C_FLAGS MATCHES "-flto")
	set(UVET_LOCALIZED ON)
	set(joined ${CMAKE_CURRENT_BINARY_DIR}/uvet_joined.o)
	# On 32-bit x86 every object brings __x86.get_pc_thunk.* in groups, of which a program takes the first. Ours become
	# local, so they must not take the place of the C library's.
	if(CMAKE_SYSTEM_PROCESSOR MATCHES "^i.86$")
		set(ungrouped --force-group-allocation)
	endif()
	add_custom_command(TARGET uvet_static POST_BUILD
		COMMAND ${CMAKE_LINKER} -r ${ungrouped} -o ${joined} ${UVET_ARCHIVE_OBJECTS}
		COMMAND ${CMAKE_OBJCOPY} --localize-hidden --wildcard --localize-symbol=*blake3_* ${joined}   # its assembly hides nothing
		COMMAND ${CMAKE_COMMAND} -E rm -f $<TARGET_FILE:uvet_static>
		COMMAND ${CMAKE_AR} rcsD $<TARGET_FILE:uvet_static> ${joined}
		COMMAND_EXPAND_LISTS VERBATIM)
endif()
