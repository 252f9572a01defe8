foreach(name test_arrow test_arrow_query)
    portolan_test(${name} SOURCES columns/${name}.c ${PROJECT_SOURCE_DIR}/tests/support/arrow_check.c ${world_file}
                  MODULES ${with_worlds} columns analysis LINK m Threads::Threads LABELS soakable)
endforeach()
