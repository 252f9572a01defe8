/* The module of the types mapgen and palette, which are compiled only to find errors, and kept
 * as text. */
#pragma once

#include "content/import/import.h"

extern const content_module mapgen_module;
