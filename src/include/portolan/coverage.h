/*
 * Coverage: which of the content's definitions come into worlds, and why the others do not.
 * Overmaps of many seeds are made in memory, and what is in them is counted. They lie in every
 * region of the content, near the world's origin and far from it, at the coast and on the sea.
 * Nothing is stored. If a definition was not seen in them, more overmaps are made. If these do
 * not have it either, overmaps are made that ask for it, however small its chance is.
 * schema/coverage.md says how each verdict is found.
 */
#ifndef PORTOLAN_COVERAGE_H
#define PORTOLAN_COVERAGE_H

#include "portolan/generate.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum ptl_coverage_kind {
    PTL_COVERAGE_TERRAIN,  /* an overmap terrain */
    PTL_COVERAGE_SPECIAL,  /* an overmap special, fixed or mutable */
    PTL_COVERAGE_BUILDING, /* a city building; without single terrains that regions list like
                            * buildings */
    PTL_COVERAGE_MAPGEN,   /* an entry of mapgen: ptl_coverage_entry.id is its overmap terrain,
                              and ptl_coverage_entry.entry the number of the entry */
    PTL_COVERAGE_EXTRA     /* a map extra */
} ptl_coverage_kind;
enum { PTL_COVERAGE_KINDS = PTL_COVERAGE_EXTRA + 1 };

typedef enum ptl_coverage_verdict {
    PTL_COVERAGE_COMES,    /* some overmap has the thing */
    PTL_COVERAGE_RARE,     /* the thing did not come, and its stated rate explains that: the
                              probability that none of the overmaps has it is above
                              PTL_COVERAGE_DOUBT */
    PTL_COVERAGE_NOT_SEEN, /* the thing did not come, and nothing explains that */
    PTL_COVERAGE_NEVER     /* it is proved that the thing can't come; `reason` says how */
} ptl_coverage_verdict;
enum { PTL_COVERAGE_VERDICTS = PTL_COVERAGE_NEVER + 1 };

#define PTL_COVERAGE_DOUBT 1e-6

/* Why a definition got its verdict. The reasons from PTL_COVERAGE_UNNAMED to PTL_COVERAGE_CODE
 * are proofs, and only come with the verdict NEVER. The reasons after PTL_COVERAGE_CODE explain
 * the verdicts NOT_SEEN and RARE. */
typedef enum ptl_coverage_reason {
    PTL_COVERAGE_NO_REASON,
    PTL_COVERAGE_UNNAMED, /* nothing places the thing: no special, building, list of a region,
                             connection or step of generation names it */
    PTL_COVERAGE_PIECE, /* only pieces of mutable specials have the terrain, and these are never
                           placed: no rule places them, or no open join leads to them */
    PTL_COVERAGE_CONNECTION, /* the terrain belongs only to a connection that nothing asks for,
                                or that can be drawn nowhere */
    PTL_COVERAGE_STEP_OFF,   /* only a step of generation makes the terrain, and the step is off
                                in all regions */
    PTL_COVERAGE_PLACER,     /* all specials and buildings that have the terrain never come */
    PTL_COVERAGE_REGION,    /* all regions exclude the special, or have no specials or cities */
    PTL_COVERAGE_NO_BIN,    /* a building that no region lists (ptl_region_bin) */
    PTL_COVERAGE_ZERO,      /* the thing's weight, chance or number is 0 */
    PTL_COVERAGE_CONDITION, /* the special asks for a mod that is not loaded */
    PTL_COVERAGE_EMPTY,     /* the special has no OMTs, since a mod has switched it off */
    PTL_COVERAGE_GROUND, /* the special fits nowhere because of the ground: one of its OMTs asks
                            for terrains that never come on its level */
    PTL_COVERAGE_WAYS, /* the special fits nowhere because of its connections: one of them can't
                          be drawn where the special asks for it */
    PTL_COVERAGE_CITY, /* the special fits nowhere because of the cities: it asks for cities
                          that no region has */
    PTL_COVERAGE_JOIN, /* a join of the special's root leads to a place where no piece can
                          stand: the ground there never suits one */
    PTL_COVERAGE_TERRAIN_NEVER, /* the definition is an entry of mapgen, and the overmap terrain
                                   that it draws never comes */
    PTL_COVERAGE_REPLACED,      /* something else is made in place of the thing */
    PTL_COVERAGE_CODE,          /* the games place the thing by code, and Portolan does not */
    PTL_COVERAGE_FITS_NOWHERE,  /* the special was asked for, and no origin passed all tests on
                                   the ground of the sample */
    PTL_COVERAGE_NOT_DRAWN, /* chance did not choose the thing: it came in overmaps that were
                               made to ask for it whatever its chance */
    PTL_COVERAGE_TERRAIN_NOT_SEEN, /* an entry of mapgen: its overmap terrain did not come */
    PTL_COVERAGE_NOT_FOUND /* the thing did not come even where it was asked for, although
                              origins passed the tests; or it can't be asked for */
} ptl_coverage_reason;
enum { PTL_COVERAGE_REASONS = PTL_COVERAGE_NOT_FOUND + 1 };

/* ptl_coverage_kind_name, ptl_coverage_verdict_name and ptl_coverage_reason_name return the
 * word for a kind, verdict or reason, such as "special", "not-seen" or "ground"; "" if there is
 * no such value. */
PTL_API const char *ptl_coverage_kind_name(ptl_coverage_kind kind);
PTL_API const char *ptl_coverage_verdict_name(ptl_coverage_verdict verdict);
PTL_API const char *ptl_coverage_reason_name(ptl_coverage_reason reason);
/* Returns a sentence for people that explains the reason. */
PTL_API const char *ptl_coverage_reason_text(ptl_coverage_reason reason);

typedef struct ptl_coverage_entry {
    size_t size;
    ptl_coverage_kind kind;
    ptl_coverage_verdict verdict;
    ptl_coverage_reason reason;
    const char *id;
    uint64_t entry; /* for MAPGEN: number of the entry, as in the table kept_object; 0: the
                     * terrain's definition itself has it */
    const char *by; /* id of the special that would place the thing, or of the terrain that the
                       thing lacks; "" if there is nothing to name */
    ptl_coverage_reason because; /* why the special or terrain that `by` names never comes */
    /* Id of the only region that may have the thing; "" if several may, or none. */
    const char *region;
    const char *pack, *file; /* the pack and file of the definition; "" if it stands in none */
    int32_t line;  /* line of the definition in its file, from 1; 0 if it stands in no file */
    bool allowed;  /* the thing need not come: ptl_coverage_options.whitelist, the list of ids
                      that need not come, has the thing's id or, if it did not come, the id in
                      `by` */
    bool unwanted; /* the content says that the thing should not come: a terrain with the flag
                      SHOULD_NOT_SPAWN */
    uint64_t overmaps; /* overmaps of the sample in the regions that may have the thing; if the
                          verdict is NEVER, all overmaps of the sample */
    uint64_t with;     /* how many of the overmaps that `overmaps` counts have the thing */
    uint64_t count; /* how many of the thing are in these overmaps: OMTs of a terrain, specials,
                       buildings. For an entry of mapgen or a map extra, how many of it the
                       local maps of these overmaps are expected to have, rounded */
    double low, high; /* interval of 95 % of the share of overmaps that have the thing. If none
                         has it, high is 1 - 0.05^(1 / overmaps) */
    double expected;  /* how many of the thing the overmaps that `overmaps` counts should have,
                         going by its definition; -1: the definition does not say */
    double unseen;    /* the probability, computed from the thing's definition, that none of the
                         overmaps that `overmaps` counts has the thing; -1: not known */
    /* How many overmaps were made to ask for the thing, however small its chance is, and how
     * many of them had it. Both are 0 if no such overmaps were needed. */
    uint64_t forced, stood;
    /* For specials: in how many overmaps, forced ones among them, the rule of placement asked
     * for the special (tried); and in how many of those at least one origin passed the test
     * that the member is named after (portolan/why.h). */
    uint64_t tried, ground, linked, city, room;
} ptl_coverage_entry;

enum { PTL_COVERAGE_OVERMAPS_MAX = 100000, PTL_COVERAGE_JOBS_MAX = 64 };

typedef struct ptl_coverage_options {
    size_t size;
    /* Settings of the worlds. Their region is ignored, since overmaps of all regions are made.
     * NULL: the defaults. */
    const ptl_world_options *settings;
    uint64_t seed; /* seed of the first overmap of a region; every other overmap has a seed of
                      its own, too */
    uint64_t overmaps; /* how many overmaps of each region are made at first,
                        * 1..PTL_COVERAGE_OVERMAPS_MAX */
    uint64_t until; /* the most overmaps that are made of a region, as long as something was not
                       seen in it */
    /* Path of a file with a list of ids. If a definition with such an id is in no overmap, this
     * is not a problem. The file has a JSON array, or objects of the games' test data with an
     * overmap_terrain_coverage_whitelist. NULL: the games' own list, if their mod TEST_DATA
     * lies in a folder of mods below or beside a pack of the content. */
    const char *whitelist;
    /* Tells which definitions matter to the caller: more overmaps are made only for their sake,
     * and no overmaps are made of regions that can't have any of them. NULL: all. It must give
     * the same answers each time. */
    bool (*wanted)(void *payload, ptl_coverage_kind kind, const char *id, const char *pack);
    /* Called from time to time with the number of overmaps that were made, and as `total` an
     * estimate of how many there will be. Returning false stops with PTL_ERR_CANCELLED. May be
     * NULL. */
    bool (*on_progress)(void *payload, const ptl_progress *progress);
    void *payload;
    int32_t jobs; /* number of threads, 1..PTL_COVERAGE_JOBS_MAX; 0 means 1; the result is the
                     same for each */
    int32_t reserved; /* must be 0 */
} ptl_coverage_options;

#define PTL_COVERAGE_OPTIONS_INIT                                                              \
    {                                                                                          \
        sizeof(ptl_coverage_options), NULL, 1, 200, 400, NULL, NULL, NULL, NULL, 1, 0          \
    }

typedef struct ptl_coverage ptl_coverage;

/*
 * Makes overmaps of the file's present content and judges all its definitions. *out is the
 * caller's: free it with ptl_coverage_free. It does not depend on the store afterwards. The
 * same content, settings and seed give the same result. PTL_ERR_CONTENT: the file has no
 * content, or none of its regions can be made; the message says why.
 */
PTL_API ptl_status ptl_coverage_run(ptl_coverage **out, ptl_store *store,
                                    const ptl_coverage_options *options, ptl_error *err);
PTL_API void ptl_coverage_free(ptl_coverage *coverage); /* freeing NULL does nothing */

/* Returns how many overmaps were made in all, forced ones among them. */
PTL_API uint64_t ptl_coverage_overmap_count(const ptl_coverage *coverage);
/* Returns the number of entries. They are sorted by kind, then by id. */
PTL_API size_t ptl_coverage_count(const ptl_coverage *coverage);
/* Returns an entry by its number, with its texts valid until the coverage is freed; NULL if
 * there is none of that number. */
PTL_API const ptl_coverage_entry *ptl_coverage_entry_at(const ptl_coverage *coverage,
                                                        size_t number);

#ifdef __cplusplus
}
#endif
#endif
