# What the server reads of requests: no HTTP, no file.
set(server ${PROJECT_SOURCE_DIR}/src/server)
portolan_test(test_serve_parse SOURCES server/test_serve_parse.c ${server}/guard.c ${server}/target.c
              ${PROJECT_SOURCE_DIR}/src/lookup/wish.c MODULES core os)
