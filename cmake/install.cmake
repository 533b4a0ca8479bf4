# Installation: the command, the libraries, the headers, and how pkg-config and CMake find them.
include(CMakePackageConfigHelpers)

# uvet.pc finds the headers from where it lies itself: the installed tree may be moved.
file(RELATIVE_PATH UVET_PC_UP ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
configure_file(cmake/uvet.pc.in uvet.pc @ONLY)
configure_package_config_file(cmake/uvetConfig.cmake.in uvetConfig.cmake INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/uvet)
write_basic_package_version_file(uvetConfigVersion.cmake COMPATIBILITY ${UVET_COMPATIBILITY})

# Exported are uvet::uvet_static and uvet::uvet_shared, uvet::uvet for whichever of them a host should take (uvetConfig.cmake),
# and the program as uvet::command.
set_target_properties(uvet PROPERTIES EXPORT_NAME command)
install(TARGETS uvet EXPORT uvetCommand RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
set(UVET_INSTALLED_LIBRARIES uvet_static)
if(BUILD_SHARED_LIBS)
	list(APPEND UVET_INSTALLED_LIBRARIES uvet_shared)
endif()
install(TARGETS ${UVET_INSTALLED_LIBRARIES} EXPORT uvetTargets
	RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR}
	LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
	ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(FILES include/uvet/uvet.h include/uvet/report.h include/uvet/set.h
	include/uvet/claims.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/uvet)
# What the program printed of itself; there is none where it could not be run.
foreach(page uvet.1:${CMAKE_INSTALL_MANDIR}/man1 uvet:${CMAKE_INSTALL_DATADIR}/bash-completion/completions
		_uvet:${CMAKE_INSTALL_DATADIR}/zsh/site-functions uvet.fish:${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
	string(REPLACE ":" ";" page ${page})
	list(GET page 0 name)
	list(GET page 1 folder)
	install(FILES ${CMAKE_CURRENT_BINARY_DIR}/shell/${name} DESTINATION ${folder} OPTIONAL)
endforeach()
install(FILES ${UVET_SCHEMAS} DESTINATION ${CMAKE_INSTALL_DATADIR}/uvet)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/uvet.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/uvetConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/uvetConfigVersion.cmake
	DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/uvet)
install(EXPORT uvetCommand NAMESPACE uvet:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/uvet)
install(EXPORT uvetTargets NAMESPACE uvet:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/uvet)
