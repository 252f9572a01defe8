#include "model/color.h"

#include <string.h>

static const struct {
    const char *name;
    uint8_t base;
} names[] = {{"black", COLOR_BLACK},
             {"red", COLOR_RED},
             {"green", COLOR_GREEN},
             {"brown", COLOR_BROWN},
             {"blue", COLOR_BLUE},
             {"magenta", COLOR_MAGENTA},
             {"cyan", COLOR_CYAN},
             {"light_gray", COLOR_LIGHT_GRAY},
             {"dark_gray", COLOR_DARK_GRAY},
             {"light_red", COLOR_LIGHT_RED},
             {"light_green", COLOR_LIGHT_GREEN},
             {"yellow", COLOR_YELLOW},
             {"light_blue", COLOR_LIGHT_BLUE},
             {"pink", COLOR_PINK},
             {"light_cyan", COLOR_LIGHT_CYAN},
             {"white", COLOR_WHITE},
             /* Older spellings, which some content still has. */
             {"ltgray", COLOR_LIGHT_GRAY},
             {"dkgray", COLOR_DARK_GRAY},
             {"ltred", COLOR_LIGHT_RED},
             {"ltgreen", COLOR_LIGHT_GREEN},
             {"ltblue", COLOR_LIGHT_BLUE},
             {"ltcyan", COLOR_LIGHT_CYAN},
             {"gray", COLOR_LIGHT_GRAY},
             {"grey", COLOR_LIGHT_GRAY},
             {"light_grey", COLOR_LIGHT_GRAY},
             {"unset", COLOR_LIGHT_GRAY},
             {"dark_grey", COLOR_DARK_GRAY},
             {"light_magenta", COLOR_PINK}};

const char *color_word(size_t i)
{
    return i < sizeof names / sizeof *names ? names[i].name : NULL;
}

static uint8_t find(const char *name, size_t length)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i].name) == length && memcmp(name, names[i].name, length) == 0)
            return names[i].base;
    return COLOR_NONE;
}

/* Reads "INK_PAPER". Both words are colours, and each may contain underscores itself. */
static bool find_two(color_name *out, const char *name)
{
    for (const char *cut = strchr(name, '_'); cut; cut = strchr(cut + 1, '_')) {
        out->ink = find(name, (size_t)(cut - name));
        out->paper = find(cut + 1, strlen(cut + 1));
        if (out->ink != COLOR_NONE && out->paper != COLOR_NONE)
            return true;
    }
    return false;
}

bool color_parse(color_name *out, const char *name)
{
    *out = (color_name){'c', COLOR_LIGHT_GRAY, COLOR_NONE};
    if (name[0] == '\0')
        return true;
    if ((name[0] == 'c' || name[0] == 'i' || name[0] == 'h') && name[1] == '_') {
        out->prefix = name[0];
        name += 2;
    }
    out->ink = find(name, strlen(name));
    if (out->ink != COLOR_NONE || find_two(out, name))
        return true;
    out->ink = out->paper = COLOR_NONE;
    return false;
}
