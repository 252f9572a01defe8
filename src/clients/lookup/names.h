/* Names of specials for people. Content gives its specials ids alone, so that a name is made
 * from the names of the terrains that the special is built of. */
#pragma once

#include "core/bytes.h"
#include "portolan/portolan.h"

/*
 * Appends the name of a special of the catalogue: the name that most of its OMTs on the ground
 * have (of a mutable special: that of its root piece), where names that share a word with the
 * special's id come before all others, and terrains that the special finds on its place do not
 * count. Without such a name, or if the name shares no word with the id and is that of a field,
 * wood or shore, or the id is written like a name ("Central Lab"), it is the id, with blanks
 * for underscores. The first letter is a capital.
 */
void names_put_special(bytes *out, const ptl_catalogue *catalogue, size_t number);
/* Appends an id with blanks for underscores, and a capital as its first letter. */
void names_put_id(bytes *out, const char *id);
