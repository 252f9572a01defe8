#include "clients/cli/help.h"

#include <string.h>

#define COMMAND_ROW(name) &name##_command,
const command *const commands[COMMAND_COUNT] = {COMMANDS(COMMAND_ROW)};
#undef COMMAND_ROW

const command *command_named(const char *name)
{
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        if (strcmp(commands[i]->name, name) == 0)
            return commands[i];
    return NULL;
}

const char *command_group_title(command_group group)
{
    static const char *const titles[GROUP_COUNT] = {
        [GROUP_MAKE] = "Make a world",
        [GROUP_LOOK] = "Look at it",
        [GROUP_ASK] = "Count, compare and search",
        [GROUP_SPECIALS] = "Understand specials",
        [GROUP_SAFE] = "Keep it safe",
        [GROUP_GAME] = "Exchange with the game",
        [GROUP_HELP] = "Get help",
    };
    return titles[group];
}
