portolan_test(test_mapgen_compile
    SOURCES mapgen/test_mapgen_compile.c mapgen/mapgen_fixture.c MODULES core json model catalogue mapgen)
portolan_test(test_mapgen_run
    SOURCES mapgen/test_mapgen_run.c mapgen/mapgen_fixture.c MODULES core json model catalogue mapgen)
