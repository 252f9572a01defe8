portolan_test(test_core SOURCES core/test_core.c core/test_core_array.c core/test_core_bytes.c core/test_core_random.c core/test_core_sized.c core/test_core_utf8.c core/test_core_visible.c MODULES core os)
portolan_test(test_clock SOURCES os/test_clock.c MODULES core os)
portolan_test(test_file SOURCES os/test_file.c MODULES core os)
target_link_options(test_file PRIVATE LINKER:--wrap=fsync) # which fails where a test says so
portolan_test(test_pool SOURCES os/test_pool.c MODULES core os LABELS threads)
target_compile_definitions(test_file PRIVATE _XOPEN_SOURCE=700) # waitid
portolan_test(test_new_file SOURCES os/test_new_file.c MODULES core os)
target_link_options(test_new_file PRIVATE LINKER:--wrap=fsync)
portolan_test(test_pmtiles SOURCES core/test_pmtiles.c MODULES core os LINK m)
portolan_test(test_light SOURCES core/test_light.c MODULES core LINK m)
portolan_test(test_poisson SOURCES core/test_poisson.c MODULES core os LINK m)
