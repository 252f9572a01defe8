/*
 * Names of colours, as the games' content has them: those of a text terminal, two of them for
 * ink and ground ("red_white"), or one behind "c_" (as it stands), "i_" (inverse) or "h_"
 * (highlighted). Older spellings ("ltgreen", "dkgray") are read too.
 */
#ifndef MODEL_COLOR_H
#define MODEL_COLOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The eight dark colours in ANSI order, then the eight bright ones. */
typedef enum color_base {
    COLOR_BLACK,
    COLOR_RED,
    COLOR_GREEN,
    COLOR_BROWN,
    COLOR_BLUE,
    COLOR_MAGENTA,
    COLOR_CYAN,
    COLOR_LIGHT_GRAY,
    COLOR_DARK_GRAY,
    COLOR_LIGHT_RED,
    COLOR_LIGHT_GREEN,
    COLOR_YELLOW,
    COLOR_LIGHT_BLUE,
    COLOR_PINK,
    COLOR_LIGHT_CYAN,
    COLOR_WHITE,
    COLOR_BASES,
    COLOR_NONE = 255
} color_base;

typedef struct color_name {
    char prefix;   /* 'c', 'i' or 'h'; 'c' where there is none */
    uint8_t ink;   /* a color_base */
    uint8_t paper; /* likewise; COLOR_NONE: only one is named */
} color_name;

/* Reads a name. "" is light_gray. False, and ink COLOR_NONE, for one that is none. */
bool color_parse(color_name *out, const char *name);
/* The i-th word that a colour's name is made of; NULL behind the last one. */
const char *color_word(size_t i);

#endif
