/*
 * A chunk painted by hand, on which single steps run: for tests of roads and trails. Content
 * is town_catalogue's.
 */
#ifndef ROAD_SCENE_H
#define ROAD_SCENE_H

#include "gen/connect/ends.h"

typedef struct scene {
    gen_config *config;
    generator *g;
    ptl_chunk *chunk;
    edge edges[4], *list[4];
    crossing crossings[4][EDGE_CROSSINGS_MAX];
    ptl_oter house;
    uint16_t house_special;
} scene;

/* All field. new: scene_free. */
scene *scene_new(uint64_t seed);
void scene_free(scene *s);
/* Field again, without exits, cities, buildings and events. */
void scene_clear(scene *s);

ptl_oter scene_oter(const scene *s, const char *id);
const char *scene_id(const scene *s, int32_t x, int32_t y, int32_t z);
/* A rectangle of z = 0, both ends included, clipped to the chunk. */
void scene_paint(scene *s, int32_t x0, int32_t y0, int32_t x1, int32_t y1, const char *id);
/* To be called in order of (z, kind, position) for each direction. */
void scene_exit(scene *s, int direction, const char *kind, int32_t position, int32_t z);
/* With an isolated road at its centre, as step_cities leaves a city without streets. */
void scene_city(scene *s, int32_t x, int32_t y, int32_t size);
void scene_house(scene *s, int32_t x, int32_t y);
/* Runs the pipeline's step of that name alone. */
void scene_run(scene *s, const char *step);

/* The event of that kind at the place, NULL if there is none. */
const gen_event *scene_event(const scene *s, const char *kind, int32_t x, int32_t y);

/* Fails if an arm on the level is not answered by the OMT it points to, or at a border by an
 * exit, or an exit by an arm. */
void scene_check_arms(const scene *s, int32_t z);
/* Parts of what belongs to the connection, by arms; returns their number, 1, 2 .. in labels. */
int32_t scene_parts(const scene *s, size_t connection, int32_t z, int32_t *labels);

#endif
