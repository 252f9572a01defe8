#include "cli/line/commands.h"

#include <string.h>

const command *const commands[COMMAND_COUNT] = {
    &import_command,      &new_command,        &generate_command, &regenerate_command,
    &render_command,      &status_command,     &show_command,     &dump_command,
    &query_command,       &stats_command,      &sweep_command,    &compare_command,
    &find_command,        &index_command,      &try_command,      &why_command,
    &replay_command,      &verify_command,     &repair_command,   &backup_command,
    &digest_command,      &journal_command,    &migrate_command,  &export_command,
    &import_save_command, &completion_command,
};

const command *command_named(const char *name)
{
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        if (strcmp(commands[i]->name, name) == 0)
            return commands[i];
    return NULL;
}
