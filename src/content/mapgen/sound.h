/* Finds, for quick imports, the objects of mapgen that have no error. */
#pragma once

#include "content/import/import.h"
#include "mapgen/compile/compile.h"

/*
 * Compiles objects in threads, by the options of `context`, and marks those without an error as
 * sound (scan_kept), so that they need not be compiled again. Objects of which nothing is kept
 * are passed over. What is wrong with others is not told. It ends early if the import ends.
 */
void sound_find(import *im, const source_type *list, bool palettes,
                const mapgen_context *context);
