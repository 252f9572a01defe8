/* What the forensics of a special in a chunk say (ptl_why), as JSON: for the command and the
 * server alike. */
#ifndef LOOKUP_WHY_JSON_H
#define LOOKUP_WHY_JSON_H

#include "core/emit.h"
#include "portolan/why.h"

/* "asked", "no OMTs"; "?" for what is no verdict. */
const char *why_verdict(ptl_verdict verdict);
/* Puts every member but the special and the chunk into the object that is open; with `home` the
 * one chunk that may have it, too. */
void why_put(emitter *j, const ptl_why *w, bool home);

#endif
