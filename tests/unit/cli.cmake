# What clients ask of the operating system.
portolan_test(test_clients_os SOURCES clients_os/test_clients_os.c MODULES core os clients_os)
target_compile_definitions(test_clients_os PRIVATE _XOPEN_SOURCE=700) # posix_openpt

# Parts of the command.
set(cli ${PROJECT_SOURCE_DIR}/src/clients/cli)
portolan_test(test_sections SOURCES cli/test_sections.c ${cli}/line/rows.c ${cli}/line/report.c
              ${cli}/line/options.c ${cli}/line/stop.c ${cli}/line/output.c
              ${cli}/statistics/sections.c MODULES ${with_worlds} clients_os analysis stats LINK m)
portolan_test(test_chart SOURCES cli/test_chart.c ${cli}/pictures/chart.c ${cli}/line/options.c ${cli}/line/stop.c ${cli}/line/output.c
              MODULES core os clients_os)
portolan_test(test_advice SOURCES cli/test_advice.c ${cli}/session/advice.c MODULES core os)
