# Content that is worked on: when work begins, which files changed, what stands otherwise.
set(watch ${PROJECT_SOURCE_DIR}/src/clients/watch)
portolan_test(test_watch_pace SOURCES watch/test_watch_pace.c ${watch}/files.c
              MODULES core os clients_os)
portolan_test(test_watch_scan SOURCES watch/test_watch_scan.c ${watch}/files.c ${watch}/told.c
              MODULES core os clients_os)
portolan_test(test_watch_differ SOURCES watch/test_watch_differ.c ${watch}/differ.c
              ${PROJECT_SOURCE_DIR}/tests/support/world_file.c MODULES ${with_worlds})
