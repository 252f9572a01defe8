/*
 * Names of colours in the games' content. A name is a colour of a text terminal, or two of
 * them for ink and paper ("red_white"); or a colour behind "c_" (as it stands), "i_" (inverse)
 * or "h_" (highlighted). Older spellings ("ltgreen", "dkgray") are read too.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The colours of a text terminal: the eight dark ones in the order of their ANSI numbers, then
 * the eight bright ones in the same order. */
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
    char prefix; /* 'c', 'i' or 'h'; 'c' if the name has none */
    uint8_t ink; /* number of the colour of the letters: a color_base */
    /* Number of the colour behind the letters: a color_base; COLOR_NONE: not stated. */
    uint8_t paper;
} color_name;

/* Reads a name; "" is light_gray. Returns false, with ink COLOR_NONE, if it names no
 * colour. */
bool color_parse(color_name *out, const char *name);
/* Returns word i of the words that make up colour names; NULL behind the last word. */
const char *color_word(size_t i);
