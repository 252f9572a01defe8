# What the server reads of requests: no HTTP, no file.
set(server ${PROJECT_SOURCE_DIR}/src/clients/server)
# Of core there is all that a range coder needs.
portolan_test(test_cells SOURCES server/test_cells.c ${server}/site/cells.c MODULES core)
portolan_test(test_serve_parse SOURCES server/test_serve_parse.c ${server}/guard.c ${server}/target.c
              ${PROJECT_SOURCE_DIR}/src/clients/lookup/wish.c MODULES core os clients_os)
