/* All modules of content, and ptl_import with them. */
#ifndef CONTENT_CONTENT_H
#define CONTENT_CONTENT_H

#include "content/import/import.h"

/* In the order of loading; NULL-terminated. */
extern const content_module *const content_modules[];

/* region_check.c, which stands above the types and specials that regions refer to. */
extern const content_module region_module; /* region_settings, region_overlay */

#endif
