/* The module of mapgen and palette. Both are compiled, only to find errors, and kept as
 * text. */
#pragma once

#include "content/import/import.h"

extern const content_module mapgen_module;
