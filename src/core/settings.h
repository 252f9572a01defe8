/*
 * The rows of portolan/settings.h as a table, and what can be done with any setting: its value
 * as a text, from a text, whether it is allowed, whether two are the same.
 */
#ifndef CORE_SETTINGS_H
#define CORE_SETTINGS_H

#include "portolan/world.h"

#include <stdbool.h>

typedef enum setting_kind {
    SETTING_REGION, /* a const char * */
    SETTING_INT,    /* an int32_t */
    SETTING_REAL,   /* a double */
    SETTING_SWITCH, /* a bool */
    SETTING_CHOICE  /* an enum of which the words are the values from low on */
} setting_kind;

/* Their places in the table. */
#define SETTING_PLACE(c, kind, type, name, option, otherwise, low, high, value, meaning)       \
    SETTING_OF_##name,
enum { PTL_WORLD_SETTINGS(SETTING_PLACE, ) SETTINGS_OF_WORLDS };
#undef SETTING_PLACE
/* Those of sweeps come first. */
#define SETTING_ONE(c, kind, type, name, option, otherwise, low, high, value, meaning)         \
    SETTING_OF_SWEEPS_##name,
enum { PTL_SWEEP_SETTINGS(SETTING_ONE, ) SETTINGS_OF_SWEEPS };
#undef SETTING_ONE

typedef struct setting {
    const char *name, *option; /* with _ and with - between its words */
    setting_kind kind;
    size_t offset; /* in ptl_world_options */
    double low, high, otherwise;
    const char *words; /* of a choice */
} setting;

extern const setting setting_rows[SETTINGS_OF_WORLDS];

enum { SETTING_TEXT_SIZE = 256 };

/* The setting's value; out of a region the caller's. */
const void *setting_value(const ptl_world_options *of, const setting *s);
/* The number of one that is no region: of a choice its enumerator, of a switch 0 or 1. */
double setting_number(const ptl_world_options *of, const setting *s);
/* Sets one that is neither region nor switch. */
void setting_set_number(ptl_world_options *of, const setting *s, double number);
void setting_set_switch(ptl_world_options *of, const setting *s, bool on);
/* The number of a choice's word, and the word of a number, which *size bytes are of. -1: it is
 * none. */
int setting_word(const setting *s, const char *text);
const char *setting_word_at(size_t *size, const setting *s, int number);
/* As people read it: yes or no, a choice's word, "" for no region. */
const char *setting_text(char out[SETTING_TEXT_SIZE], const ptl_world_options *of,
                         const setting *s);
/* May it be that in a new world? */
bool setting_is_allowed(const ptl_world_options *of, const setting *s);
bool setting_is_same(const ptl_world_options *a, const ptl_world_options *b, const setting *s);

#endif
