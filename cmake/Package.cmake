# Package.cmake: what other builds find of an installation.
include(CMakePackageConfigHelpers)

set(package_directory ${CMAKE_INSTALL_LIBDIR}/cmake/ompdsm)
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/ompdsmConfig.cmake.in
  ${CMAKE_BINARY_DIR}/package/ompdsmConfig.cmake
  INSTALL_DESTINATION ${package_directory}
  PATH_VARS CMAKE_INSTALL_LIBDIR CMAKE_INSTALL_INCLUDEDIR CMAKE_INSTALL_BINDIR)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/package/ompdsmConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/package/ompdsmConfig.cmake
              ${CMAKE_BINARY_DIR}/package/ompdsmConfigVersion.cmake
        DESTINATION ${package_directory})

configure_file(${CMAKE_CURRENT_LIST_DIR}/ompdsm.pc.in ${CMAKE_BINARY_DIR}/package/ompdsm.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/package/ompdsm.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

install(FILES ${CMAKE_SOURCE_DIR}/libompdsm/tools/man/ompdsm-run.1
              ${CMAKE_SOURCE_DIR}/libompdsm/tools/man/ompdsm-clang.1
        DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
