/* Maps of mapgen without a world around them, for the code that makes and checks them. */
#pragma once

#include "portolan/mapgen.h"
#include "world/local/local.h"

struct ptl_mapgen {
    ptl_world *world;           /* borrowed */
    ptl_mapgen_options options; /* a copy of the caller's options, without their texts: these
                                   may be freed already */
    ptl_mapgen_kind kind;
    local_scene scene; /* which oters stand around the maps to be made, and at their OMTs */
    scene_omt *omts;   /* owned; the OMTs whose maps are made */
    size_t omt_count, omt_room;
    uint32_t key;        /* if an update or chunk is drawn: its key */
    mapgen_given *given; /* owned */
    uint32_t drawn;      /* number of the mapgen entry that was chosen for the last map */
    local_map *made;     /* owned; the map that was made last */
    ptl_local_area area;
};

/* Makes the map of an OMT into m->made. */
ptl_status world_mapgen_make(ptl_mapgen *m, map_info *info, ptl_omt at, uint64_t seed,
                             ptl_error *err);
/* Finds the file and the line in it of a step that was made by content, not by code. *file is
 * borrowed from the mapgen; "" if the step's entry is in no file. */
ptl_status world_mapgen_line(const char **file, int64_t *line, const ptl_world *world,
                             const mapgen_step *step, ptl_error *err);
