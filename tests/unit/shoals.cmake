portolan_test(test_shoals SOURCES shoals/test_shoals.c shoals/test_tide.c MODULES core shoals)
