/* Reads the settings of worlds by their table (portolan/settings.h): each row is an option. */
#include "clients/cli/worlds/settings.h"

#include "core/settings.h"

#include <string.h>

/* A switch is an option without a value: it is on if the option is given. */
int settings_from_args(const args *a, ptl_world_options *out)
{
    for (const setting *s = setting_rows; s < setting_rows + SETTINGS_OF_WORLDS; s++) {
        const char *text = args_value(a, s->option);
        int64_t whole = 0;
        double number = 0;
        if (!args_has(a, s->option))
            continue;
        if (s->kind == SETTING_CHOICE && (number = setting_word(s, text)) < 0)
            return usage_error(a, "--%s '%s' is none of %s", s->option, text, s->words);
        if (s->kind == SETTING_REAL)
            NEED(args_double(a, s->option, s->low, s->high, &number));
        if (s->kind == SETTING_INT)
            NEED(args_int(a, s->option, (int64_t)s->low, (int64_t)s->high, &whole));
        if (s->kind == SETTING_REGION)
            out->region = text;
        else if (s->kind == SETTING_SWITCH)
            setting_set_switch(out, s, true);
        else
            setting_set_number(out, s, s->kind == SETTING_INT ? (double)whole : number);
    }
    return EXIT_DONE;
}

bool settings_given(const args *a)
{
    for (size_t i = 0; i < SETTINGS_OF_WORLDS; i++)
        if (args_has(a, setting_rows[i].option))
            return true;
    return false;
}
