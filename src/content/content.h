/* The list of all modules of content, which ptl_import works through. */
#pragma once

#include "content/import/import.h"

/* In the order of loading; ends with NULL. */
extern const content_module *const content_modules[];

/* Defined in region_check.c, as its check needs both the types and the specials that
 * regions refer to. */
extern const content_module region_module; /* region_settings, region_overlay */
