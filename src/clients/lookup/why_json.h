/* Writes the explanation why a special is or is not in a chunk (ptl_why) as JSON. The command
 * line and the server share it. */
#pragma once

#include "core/emit.h"
#include "portolan/why.h"

/* Returns, as a word for JSON, whether the rule of placement asked for a special or why it did
 * not, e.g. "asked" or "no OMTs"; "?" for an unknown value. */
const char *why_verdict(ptl_verdict verdict);
/* Writes all members of w into the JSON object. The caller must have begun the object, with the
 * special and the chunk. If `home` is true, also writes the home chunk, the only one that may
 * have a GLOBALLY_UNIQUE special. */
void why_put(emitter *j, const ptl_why *w, bool home);
/* Writes the members `at`, the OMT that was asked about, and `place`, what the tests say of an
 * origin there. */
void why_put_place(emitter *j, ptl_omt at, const ptl_why_place *p);
