/*
 * The settings of worlds (portolan/settings.h) as a table, and what can be done with any of
 * them: print it, read it from a text, check it, compare it.
 */
#pragma once

#include "portolan/world.h"

#include <stdbool.h>

typedef enum setting_kind {
    SETTING_REGION, /* the id of a region: a const char * */
    SETTING_INT,    /* an int32_t */
    SETTING_REAL,   /* a double */
    SETTING_SWITCH, /* a bool */
    SETTING_CHOICE  /* an enum; the first of the setting's words names the value `low`, the next
                     * one `low` + 1 */
} setting_kind;

/* SETTING_OF_name is the index of a setting in the table setting_rows. */
#define SETTING_PLACE(c, kind, type, name, option, otherwise, low, high, value, meaning)       \
    SETTING_OF_##name,
enum { PTL_WORLD_SETTINGS(SETTING_PLACE, ) SETTINGS_OF_WORLDS };
#undef SETTING_PLACE
/* SETTING_OF_SWEEPS_name is the index of a setting that sweeps have, too. These settings
 * come first in the table. */
#define SETTING_ONE(c, kind, type, name, option, otherwise, low, high, value, meaning)         \
    SETTING_OF_SWEEPS_##name,
enum { PTL_SWEEP_SETTINGS(SETTING_ONE, ) SETTINGS_OF_SWEEPS };
#undef SETTING_ONE

typedef struct setting {
    /* name is that of the member of ptl_world_options, such as "city_size"; option is that of
     * the option on the command line, such as "city-size". */
    const char *name, *option;
    setting_kind kind;
    size_t offset; /* offset of the value in ptl_world_options, in bytes */
    double low, high, otherwise;
    /* For a SETTING_CHOICE: the words for its values, in the values' order, separated by |. */
    const char *words;
} setting;

extern const setting setting_rows[SETTINGS_OF_WORLDS];

enum { SETTING_TEXT_SIZE = 256 };

/* Returns the address of the setting's value in the caller's options. */
const void *setting_value(const ptl_world_options *of, const setting *s);
/* Returns the value as a number, for any kind but a region: a choice gives its enumerator,
 * a switch 0 or 1. */
double setting_number(const ptl_world_options *of, const setting *s);
/* Sets a value of any kind but a region or a switch. */
void setting_set_number(ptl_world_options *of, const setting *s, double number);
void setting_set_switch(ptl_world_options *of, const setting *s, bool on);
/* setting_word returns the number of a choice's word, or -1 if there is no such word.
 * setting_word_at returns the word of a number; it has *size bytes and no NUL behind it. */
int setting_word(const setting *s, const char *text);
const char *setting_word_at(size_t *size, const setting *s, int number);
/* Returns the value as people read it: yes or no for a switch, a choice's word, "" for no
 * region. */
const char *setting_text(char out[SETTING_TEXT_SIZE], const ptl_world_options *of,
                         const setting *s);
/* Is the value that *of has for the setting s allowed in a new world? */
bool setting_is_allowed(const ptl_world_options *of, const setting *s);
/* Is the value of the setting the same in the options a and b? */
bool setting_is_same(const ptl_world_options *a, const ptl_world_options *b, const setting *s);
