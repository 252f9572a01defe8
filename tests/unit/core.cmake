portolan_test(test_core SOURCES test_core.c test_core_bytes.c test_core_random.c test_core_utf8.c test_core_visible.c MODULES core)
portolan_test(test_new_file SOURCES test_new_file.c MODULES core)
portolan_test(test_poisson SOURCES test_poisson.c MODULES core LINK m)
