/* The list of commands. */
#ifndef CLI_LINE_COMMANDS_H
#define CLI_LINE_COMMANDS_H

#include "clients/cli/line/options.h"

/*
 * The one list of commands, in the order of their groups: of each the name of its variable,
 * which is NAME_command, a row of the table in its cmd_*.c. A command's own name has a dash for
 * each _. src/clients/cli/CMakeLists.txt reads the man pages to be made from these lines.
 */
/* clang-format off */
#define COMMANDS(X) \
    X(import) \
    X(new) \
    X(generate) \
    X(regenerate) \
    X(render) \
    X(shoals) \
    X(serve) \
    X(view) \
    X(status) \
    X(show) \
    X(local) \
    X(dump) \
    X(query) \
    X(stats) \
    X(sweep) \
    X(compare) \
    X(find) \
    X(index) \
    X(try) \
    X(why) \
    X(replay) \
    X(verify) \
    X(repair) \
    X(backup) \
    X(digest) \
    X(journal) \
    X(migrate) \
    X(export) \
    X(import_save) \
    X(completion)
/* clang-format on */

#define COMMAND_DECLARE(name) extern const command name##_command;
COMMANDS(COMMAND_DECLARE)
#undef COMMAND_DECLARE

#define COMMAND_NUMBER(name) COMMAND_NUMBER_##name,
enum { COMMANDS(COMMAND_NUMBER) COMMAND_COUNT };
#undef COMMAND_NUMBER

#endif
