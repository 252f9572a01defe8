/*
 * The inside of coverage (portolan/coverage.h). reach.c proves what can't come into a region.
 * survey.c makes overmaps of a region and counts them; positions.c says where they lie; force.c
 * changes the content so that overmaps ask for what was not seen. judge.c gives each definition
 * its verdict.
 */
#pragma once

#include "core/arena.h"
#include "gen/pipeline.h"
#include "model/summary.h"
#include "portolan/coverage.h"
#include "store/content_store.h"
#include "store/store.h"

#include <string.h>

/* ---- what may come into a region (reach.c) ---- */

/* What the generator may put into overmaps of a region. The sets may contain things that can't
 * really come. But they contain everything that can come, so a thing that they lack never
 * comes. */
typedef struct reach {
    const gen_config *config;
    size_t words;                 /* number of 64-bit words that a set of terrains takes */
    uint64_t *levels[PTL_LEVELS]; /* terrains that may come, by level; index z + 10 */
    uint64_t *any;                /* terrains that may come on any level */
    uint8_t *specials; /* for each special: the reason (ptl_coverage_reason) why it can't come;
                          0: it may come */
    uint16_t *lacks;   /* by special: a terrain that it asks for and that never comes; CAT_NONE:
                          there is none */
    uint8_t *ways;     /* by special: in which ways it may come, as REACH_... bits */
    bool *drawn; /* by connection: does any step of generation, or any special, draw it? */
    /* By special: a list that says for each of its pieces whether it may be placed; NULL if its
     * pieces were not examined. */
    bool **pieces;
} reach;

/* In which ways a special may get onto the map. */
enum {
    REACH_RULE = 1,  /* it is placed by the rule of placement */
    REACH_CITY = 2,  /* by a city */
    REACH_OTHER = 4, /* otherwise: as a part of another special, or at the end of a trail */
    /* As a part of a highway. A chunk's list of specials lacks most of these parts. */
    REACH_HIGHWAY = 8,
};

/* Finds what may come. The memory of `out` belongs to the arena. */
ptl_status reach_find(reach *out, const gen_config *config, arena *memory, ptl_error *err);
/* Finds why a terrain never comes. Must not be called for a terrain of r->any, the set of
 * terrains that may come. Sets *by to the special that would place the terrain; CAT_NONE: no
 * special would. */
ptl_coverage_reason reach_terrain_reason(const reach *r, uint16_t terrain, uint16_t *by);
/* May the special put the terrain on the map? Pieces that can't be placed do not count. */
bool reach_special_has(const reach *r, size_t special, uint16_t terrain);

static inline bool reach_has(const uint64_t *set, uint16_t terrain)
{
    return set[terrain / 64] >> terrain % 64 & 1;
}

/* ---- counts of overmaps (survey.c) ---- */

typedef struct special_counts {
    /* `with`: how many overmaps have the special; `count`: how many of it they have
     * together. */
    uint64_t with, count;
    /* The members that follow mean the same as in ptl_coverage_entry. */
    uint64_t tried, ground, linked, city, room;
} special_counts;

typedef struct terrain_counts {
    uint64_t with, cells;
} terrain_counts;

/* What was counted in the overmaps of one region. */
typedef struct survey {
    uint64_t overmaps;
    /* How many of the overmaps that were made of the region may be the home chunk of a special:
     * those within unique_radius of overmap (0, 0). */
    uint64_t at_home;
    /* In how many overmaps level 0 has a lake, an ocean or a river. */
    uint64_t lake, ocean, river;
    special_counts *specials; /* owned; by special */
    terrain_counts *terrains; /* owned; by terrain */
} survey;

bool survey_init(survey *s, const catalogue *cat);
void survey_dispose(survey *s);

/* An overmap to be made. */
typedef struct survey_place {
    uint64_t seed;
    ptl_chunk_pos pos;
} survey_place;

/* A plan of a region's overmaps: in which order they are made. survey_place_of gives the seed
 * and place of overmap number `i`. */
typedef struct survey_plan {
    const gen_config *config;
    uint64_t seed;
    /* Overmaps that the content names, the first being (0, 0). Every eighth overmap of the plan
     * lies at one of these places. */
    const ptl_chunk_pos *must;
    size_t must_count;
} survey_plan;
ptl_status survey_plan_init(survey_plan *out, const gen_config *config, uint64_t seed,
                            arena *memory, ptl_error *err);
survey_place survey_place_of(const survey_plan *plan, uint64_t i);

/* What the surveys (counts of the overmaps of one region) of a coverage share, with their
 * progress as a whole. */
typedef struct survey_run {
    const catalogue *cat;
    const ptl_coverage_options *options;
    uint64_t done, total; /* overmaps */
    double started, told;
} survey_run;

/* Makes `count` overmaps with the settings in `config` and counts them in the survey. The
 * callback survey_place_at returns, for the number of an overmap, its seed and place. */
typedef survey_place survey_place_at(const void *payload, uint64_t number);
ptl_status survey_add(survey *s, survey_run *run, gen_config *config, uint64_t first,
                      uint64_t count, survey_place_at *place, const void *payload,
                      ptl_error *err);

/* ---- all of it ---- */

/* A region of the content. */
typedef struct covered_region {
    gen_config *config; /* owned; NULL: no world of the region can be made */
    reach reach;
    survey_plan plan;
    survey plain, forced;
    bool asked; /* true: at least one thing that matters to the caller may come in the region */
} covered_region;

/* Pack, file and line of a definition. The texts are "" if the definition stands in no file. */
typedef struct coverage_place {
    const char *pack, *file;
    int32_t line;
} coverage_place;

typedef struct coverage_pack {
    const char *id, *directory;
} coverage_pack;

/* A file of kept objects, and its pack. */
typedef struct coverage_file {
    const char *path, *pack;
} coverage_file;

struct ptl_coverage {
    catalogue *cat; /* owned */
    arena *memory;
    ptl_coverage_options options;
    ptl_world_options settings;
    survey_run run;
    covered_region *regions;
    size_t region_count;
    ptl_coverage_entry *entries; /* owned */
    size_t entry_count, entry_room;
    size_t first_terrain; /* index in `entries` of the first entry for a terrain, while verdicts
                             are found; the entries for the other terrains follow it */
    /* The definitions that the caller wants to know about. terrain_matters: by terrain, for the
     * terrain itself or its mapgen. special_matters: by special or building. extras_matter:
     * some map extra is wanted; then overmaps of all regions are made. */
    bool *terrain_matters, *special_matters, extras_matter;
    struct mapgen_entries *mapgen; /* owned; the entries of mapgen (entries.c) */
    coverage_pack *packs;          /* owned; `file_list` is owned, too */
    size_t pack_count, pack_room;
    coverage_place *terrain_places, *special_places;
    coverage_file *file_list;
    size_t file_count, file_room;
    strmap files;   /* for each file's path its index in file_list */
    strmap allowed; /* ids of definitions that need not come (see schema/coverage.md) */
    size_t allowed_count;
    const char **settings_texts; /* owned; the regions' settings, as JSON texts */
    size_t settings_count, settings_room;
    /* The text that the function keep() in definitions.c returned last. */
    const char *last_text;
    uint64_t *forced; /* by special: how many forced overmaps asked for it */
    /* For each special and for each terrain: whether there is a region that lists it with the
     * weight 0. */
    bool *weightless_special, *weightless_terrain;
};

/* Makes forced overmaps: they ask for specials and buildings that were not seen, and for those
 * that would place terrains that were not seen (force.c). */
ptl_status force_unseen(ptl_coverage *c, ptl_error *err);
/* Returns whether the special is made from a single terrain that a region lists among its
 * buildings. Such a special has no entry of its own in the coverage. */
static inline bool coverage_is_terrain(const cat_special *s)
{
    return s->building && strncmp(s->id, "FakeSpecial_", 12) == 0;
}
static inline ptl_coverage_kind coverage_kind_of(const cat_special *s)
{
    return s->building ? PTL_COVERAGE_BUILDING : PTL_COVERAGE_SPECIAL;
}
/* Was the terrain or special seen in some region, forced overmaps left out? */
bool coverage_saw_terrain(const ptl_coverage *c, size_t terrain);
bool coverage_saw_special(const ptl_coverage *c, size_t special);
/* Calls `visit` for each terrain that the special may put on the map. */
void coverage_terrain_visit(const reach *r, size_t special,
                            void (*visit)(void *payload, uint16_t terrain), void *payload);
/* Adds an entry with the kind, the id and the place; NULL when memory is out. */
ptl_coverage_entry *coverage_add(ptl_coverage *c, ptl_coverage_kind kind, const char *id,
                                 const coverage_place *place);

/* ---- definitions.c ---- */

/* Reads the packs, and in which file and line each terrain and special is defined. */
ptl_status coverage_places_read(ptl_coverage *c, ptl_store *store, ptl_error *err);
/* Reads a place from the first three columns of a row: pack, file, line. */
ptl_status coverage_place_read(coverage_place *out, ptl_coverage *c, const content_value *row,
                               ptl_error *err);
/* Returns the id of a pack; "" if there is none of this number. */
const char *coverage_pack_name(const ptl_coverage *c, int64_t number);
/* Returns whether a definition matters to the caller. For terrains and specials coverage_wishes
 * calls this function and keeps the answers. */
bool coverage_wants(const ptl_coverage *c, ptl_coverage_kind kind, const char *id,
                    const char *pack);
ptl_status coverage_wishes(ptl_coverage *c, ptl_error *err);
/* Reads the list of ids of definitions that need not come. */
ptl_status coverage_allowed_read(ptl_coverage *c, ptl_error *err);
/* The overmaps that were made of the region lack the special. By what the content states, is
 * one of `more` further overmaps likely to have it? Also true if the content does not say. */
bool judge_is_hopeful(const covered_region *region, uint16_t special, uint64_t more);
/* Gives each terrain, special and building its verdict (judge.c). */
ptl_status judge_all(ptl_coverage *c, ptl_error *err);
/* Reads the entries of mapgen, and adds the terrains of those that matter to terrain_matters.
 */
ptl_status mapgen_entries_read(ptl_coverage *c, ptl_store *store, ptl_error *err);
void mapgen_entries_free(struct mapgen_entries *e);
/* judge_mapgen and judge_extras give entries of mapgen and map extras their verdicts
 * (entries.c, extras.c). judge_all must be called first: the verdict of an entry follows from
 * that of its terrain. */
ptl_status judge_mapgen(ptl_coverage *c, ptl_error *err);
ptl_status judge_extras(ptl_coverage *c, ptl_store *store, ptl_error *err);
