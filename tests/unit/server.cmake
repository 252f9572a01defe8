# What the server reads of requests: no HTTP, no file.
set(server ${PROJECT_SOURCE_DIR}/src/clients/server)
# Of core there is all that a range coder needs.
portolan_test(test_cells SOURCES server/test_cells.c ${server}/site/cells.c MODULES core)
portolan_test(test_serve_parse SOURCES server/test_serve_parse.c ${server}/target.c
              ${PROJECT_SOURCE_DIR}/src/clients/lookup/wish.c MODULES core os clients_os)
if(PORTOLAN_SERVE) # what answers, below HTTP: it has a clock and memory of its own
    portolan_test(test_answers SOURCES server/test_answers.c ${PROJECT_SOURCE_DIR}/tests/support/world_file.c
                  MODULES ${with_worlds} exchange analysis atlas stats lookup watch server clients_os)
    target_link_options(test_answers PRIVATE LINKER:--wrap=clock_seconds LINKER:--wrap=malloc)
endif()
