/* Reads the settings of worlds by their table (portolan/settings.h): each row is an option. */
#include "clients/cli/worlds/settings.h"

#include "core/settings.h"

#include <string.h>

/* Reads one option by the kind of its setting. A switch needs no value: giving the
 * option turns it on. */
static int read_setting(const args *a, const setting *s, ptl_world_options *out)
{
    const char *text = args_value(a, s->option);
    int64_t whole = 0;
    double number = 0;
    switch (s->kind) {
    case SETTING_REGION:
        out->region = text;
        return EXIT_DONE;
    case SETTING_SWITCH:
        setting_set_switch(out, s, true);
        return EXIT_DONE;
    case SETTING_CHOICE:
        number = setting_word(s, text);
        if (number < 0)
            return usage_error(a, "--%s '%s' is none of %s", s->option, text, s->words);
        break;
    case SETTING_REAL:
        NEED(args_double(a, s->option, s->low, s->high, &number));
        break;
    default:
        NEED(args_int(a, s->option, (int64_t)s->low, (int64_t)s->high, &whole));
        number = (double)whole;
    }
    setting_set_number(out, s, number);
    return EXIT_DONE;
}

int settings_from_args(const args *a, ptl_world_options *out)
{
    for (size_t i = 0; i < SETTINGS_OF_WORLDS; i++)
        if (args_has(a, setting_rows[i].option))
            NEED(read_setting(a, &setting_rows[i], out));
    return EXIT_DONE;
}

bool settings_given(const args *a)
{
    for (size_t i = 0; i < SETTINGS_OF_WORLDS; i++)
        if (args_has(a, setting_rows[i].option))
            return true;
    return false;
}
