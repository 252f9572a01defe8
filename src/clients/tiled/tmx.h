/*
 * Reads maps of the editor Tiled (doc.mapeditor.org, "TMX Map Format" 1.0 to 1.10): the squares
 * of their layers. Such a file is an XML document that another program has written, so nothing
 * in it is trusted: no entities, no documents beside it, and limits for everything.
 */
#pragma once

#include "portolan/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A square of a tileset, as a cell of a layer uses it. */
typedef struct tmx_square {
    const char *type; /* its type, which Tiled also calls its class; NULL: it has none */
    uint32_t number;  /* what number_of has returned for the type */
    bool is_turned;   /* the cell shows it mirrored or rotated */
} tmx_square;

/* What a reader of a map is told. Each call that returns false ends the reading with
 * PTL_ERR_CANCELLED. All texts are UTF-8, and borrowed until the call returns. */
typedef struct tmx_calls {
    /* Returns a number for a type of squares, of the caller's choice. May be called several
     * times for a type. */
    uint32_t (*number_of)(void *payload, const char *type);
    /*
     * A layer begins. It is called before the layer's cells, also for layers without cells
     * (has_squares false), which have objects or pictures. z is the value of the layer's
     * property z, or else its name is a number; has_z is false if it has neither.
     */
    bool (*on_layer)(void *payload, const char *name, bool has_squares, bool has_z, int64_t z);
    /* A cell of the layer. square is NULL if the cell is empty. */
    bool (*on_cell)(void *payload, int64_t x, int64_t y, const tmx_square *square);
    void *payload;
} tmx_calls;

/*
 * Reads the map of a file. Cells are told in the order of the file. PTL_ERR_CONTENT: it is no
 * such map, or is damaged; the message begins with FILE:LINE:COLUMN. PTL_ERR_UNSUPPORTED: it is
 * a map of a kind that has no absolute cells (not infinite), or its tileset is in another file.
 * PTL_ERR_LIMIT: it is larger than all limits. PTL_ERR_IO, PTL_ERR_NOT_FOUND: the file.
 */
ptl_status tmx_read(const char *path, const tmx_calls *calls, ptl_error *err);
