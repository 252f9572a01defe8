/*
 * A hostile world file from an input: a short program of damages to the base file. Inputs stay
 * small that way, any engine's mutations make sense, and the damage reaches every table, column
 * and page. Values are changed by SQL first; then, unless a switch keeps them wrong, checksums
 * are made true again; then bytes of pages are changed. An input may also be a whole file.
 */
#ifndef FUZZ_FUZZ_DAMAGE_H
#define FUZZ_FUZZ_DAMAGE_H

#include "fuzz/fuzz_base.h"

enum {
    DAMAGE_WHOLE_FILE = 1, /* the rest of the input is the file */
    DAMAGE_UNSEALED = 2,   /* checksums stay as they are */
    DAMAGE_JOURNAL = 4,    /* a journal with what is left of the input lies beside the file */
    DAMAGE_OLD = 128       /* an older file; the input's next byte says which */
};

/* Writes the file, and its journal if there is one, to path. */
void fuzz_damage_file(const char *path, fuzz_input *in, unsigned switches);

#endif
