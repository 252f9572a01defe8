portolan_test(test_shoals SOURCES shoals/test_shoals.c MODULES core shoals)
