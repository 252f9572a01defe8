/* The table of commands; each is in its own cmd_*.c. */
#ifndef CLI_LINE_COMMANDS_H
#define CLI_LINE_COMMANDS_H

#include "cli/line/options.h"

extern const command import_command;
extern const command new_command;
extern const command generate_command;
extern const command regenerate_command;
extern const command index_command;
extern const command status_command;
extern const command stats_command;
extern const command show_command;
extern const command dump_command;
extern const command digest_command;
extern const command query_command;
extern const command render_command;
extern const command try_command;
extern const command verify_command;
extern const command repair_command;
extern const command backup_command;
extern const command export_command;
extern const command import_save_command;
extern const command journal_command;
extern const command migrate_command;
extern const command why_command;
extern const command replay_command;
extern const command sweep_command;
extern const command compare_command;
extern const command find_command;
extern const command completion_command;

/* All of them, in the order of their groups. */
enum { COMMAND_COUNT = 26 };
extern const command *const commands[COMMAND_COUNT];
const command *command_named(const char *name); /* NULL: there is none */

/* The help of all, and of one, on standard output. */
void help_print(void);
void help_print_command(const command *cmd);
/* Lines that begin with a blank, and empty ones, stay as they are; others are joined to
 * paragraphs that fit 80 columns. */
void help_print_paragraphs(const char *text);

#endif
