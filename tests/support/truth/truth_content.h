/* All that local maps of DDA 0.F are made of, by way of an import. */
#ifndef TRUTH_CONTENT_H
#define TRUTH_CONTENT_H

#include "mapgen/compile/library.h"
#include "mapgen/compile/tiles.h"
#include "mapgen/ground/settings.h"
#include "mapgen/groups/groups.h"
#include "model/catalogue.h"

typedef struct truth_content {
    catalogue *cat;
    id_pool *pool;
    arena *memory;
    mapgen_compiler *compiler;
    mapgen_library *library;
    mapgen_tiles *tiles;
    mapgen_groups *groups;
    ground_settings settings; /* of the region `default` */
} truth_content;

/* Fails the test where it can't be had. */
void truth_content_load(truth_content *out, const char *directory);
void truth_content_free(truth_content *content);

#endif
