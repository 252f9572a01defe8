#ifndef CONTENT_TYPES_COLOR_H
#define CONTENT_TYPES_COLOR_H

#include "content/types/types.h"

/* As import_get_string of the object's "color"; a name that is no colour is a warning, and
 * white, as the games take it. */
bool color_read(import *im, const source_object *obj, const char *id, const char **out);

#endif
