#include "clients/cli/worlds/settings.h"

#include "core/settings.h"

#include <string.h>

static int read_number(const args *a, const setting *s, ptl_world_options *out)
{
    int64_t whole = 0;
    double number = 0;
    const int code = s->kind == SETTING_REAL
                         ? args_double(a, s->option, s->low, s->high, &number)
                         : args_int(a, s->option, (int64_t)s->low, (int64_t)s->high, &whole);
    if (code == EXIT_DONE)
        setting_set_number(out, s, s->kind == SETTING_REAL ? number : (double)whole);
    return code;
}

static int read_choice(const args *a, const setting *s, ptl_world_options *out)
{
    const char *text = args_value(a, s->option);
    const int number = setting_word(s, text);
    if (number < 0)
        return usage_error(a, "--%s '%s' is none of %s", s->option, text, s->words);
    setting_set_number(out, s, number);
    return EXIT_DONE;
}

static int read_setting(const args *a, const setting *s, ptl_world_options *out)
{
    if (s->kind == SETTING_REGION)
        out->region = args_value(a, s->option);
    else if (s->kind == SETTING_SWITCH)
        setting_set_switch(out, s, true);
    else
        return s->kind == SETTING_CHOICE ? read_choice(a, s, out) : read_number(a, s, out);
    return EXIT_DONE;
}

int settings_from_args(const args *a, ptl_world_options *out)
{
    int code = EXIT_DONE;
    for (size_t i = 0; i < SETTINGS_OF_WORLDS && code == EXIT_DONE; i++)
        if (args_has(a, setting_rows[i].option))
            code = read_setting(a, &setting_rows[i], out);
    return code;
}

bool settings_given(const args *a)
{
    for (size_t i = 0; i < SETTINGS_OF_WORLDS; i++)
        if (args_has(a, setting_rows[i].option))
            return true;
    return false;
}
