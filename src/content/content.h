/* The list of all modules of content, which ptl_import goes through. */
#pragma once

#include "content/import/import.h"

/* All modules, in the order of loading. The list ends with NULL. */
extern const content_module *const content_modules[];

/* The module of regions. It is defined in region_check.c, since the check of regions needs both
 * the types and the specials to which regions refer. */
extern const content_module region_module; /* reads region_settings and region_overlay */
