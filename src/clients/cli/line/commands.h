/* The list of all commands. */
#pragma once

#include "clients/cli/line/options.h"

/*
 * COMMANDS is a macro that lists all commands, in the order of their groups. It calls the macro
 * X, which its user chooses, with the NAME of each command. The variable NAME_command is the
 * command's row, in its cmd_*.c. On the command line a dash replaces each _ of NAME.
 * src/clients/cli/CMakeLists.txt reads these lines to know which man pages to make.
 */
/* clang-format off */
#define COMMANDS(X) \
    X(import) \
    X(new) \
    X(generate) \
    X(regenerate) \
    X(edit) \
    X(import_tiled) \
    X(note) \
    X(marks) \
    X(render) \
    X(shoals) \
    X(serve) \
    X(view) \
    X(status) \
    X(show) \
    X(local) \
    X(mapgen) \
    X(dump) \
    X(diff) \
    X(query) \
    X(stats) \
    X(sweep) \
    X(compare) \
    X(find) \
    X(lint) \
    X(coverage) \
    X(loot) \
    X(change) \
    X(lsp) \
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
