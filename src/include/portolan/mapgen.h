/*
 * Local maps without a world around them, for an author who wants to see what an entry of the
 * content's mapgen makes. It is the map of an overmap terrain, an update or a nested chunk; or
 * a fixed special, with a map for each of its OMTs. Nothing is stored.
 *
 * Callbacks are called before the call returns, in its own thread. Those of a parameter get the
 * payload behind them, those of a struct of options its `payload`; both may be NULL. A callback
 * that returns false ends the call with PTL_ERR_CANCELLED. Texts that callbacks get are
 * borrowed until the callback returns. Each call that returns a status may return PTL_ERR_NOMEM
 * when memory is out, and PTL_ERR_CANCELLED when the store's should_stop (ptl_open_options)
 * says so.
 */
#ifndef PORTOLAN_MAPGEN_H
#define PORTOLAN_MAPGEN_H

#include "portolan/import.h"
#include "portolan/local_area.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What an id of mapgen names. */
typedef enum ptl_mapgen_kind {
    PTL_MAPGEN_ANY, /* any of the kinds below; the first of them in which the id is defined */
    PTL_MAPGEN_TERRAIN, /* an overmap terrain; an oter; or a linear terrain with its shape, such
                         * as "road_curved" */
    PTL_MAPGEN_SPECIAL, /* a fixed special, or a city building */
    PTL_MAPGEN_UPDATE,  /* an update: mapgen that changes an existing map, registered by
                           `update_mapgen_id` */
    PTL_MAPGEN_NESTED   /* a nested chunk: a drawing that other mapgen places, registered by
                           `nested_mapgen_id` */
} ptl_mapgen_kind;
enum { PTL_MAPGEN_KINDS = PTL_MAPGEN_NESTED + 1 };

/* Returns the word for a kind, such as "update"; "" if there is no such kind. */
PTL_API const char *ptl_mapgen_kind_name(ptl_mapgen_kind kind);

typedef struct ptl_mapgen_options {
    size_t size;
    const char *id;
    ptl_mapgen_kind kind;
    /* Which entry is drawn: its number in ptl_mapgen_entry_list, from 1. 0: an entry is chosen
     * at random by weight. For a special it must be 0, because each OMT has entries of its own.
     */
    int32_t entry;
    int32_t turns; /* rotation in clockwise quarter turns, 0..3; -1: that of the id, or none */
    int32_t z;     /* level of the map, -10..10; a special's own levels are added to it */
    /* Values for parameters of mapgen, each as "NAME=VALUE". A parameter without a value here
     * is chosen at random. */
    const char *const *parameters;
    size_t parameter_count;
    /* What stands around the OMT, as "DIRECTION=OTER". DIRECTION is north, north_east and so
     * on, above, below, around (all eight neighbours) or before. In "before=OTER", OTER is what
     * stood on the OMT earlier; an update or chunk is drawn over the map of that oter. */
    const char *const *neighbours;
    size_t neighbour_count;
    bool extras; /* maps may get map extras */
    /* Maps are made with or without the damage of riots; PTL_RIOT_DAMAGE_OF_CONTENT: as the
     * world has it. */
    ptl_riot_damage riot_damage;
    int64_t turn; /* the game's turn for which maps are made, 0 or more */
} ptl_mapgen_options;

#define PTL_MAPGEN_OPTIONS_INIT                                                                \
    {                                                                                          \
        sizeof(ptl_mapgen_options), NULL, PTL_MAPGEN_ANY, 0, -1, 0, NULL, 0, NULL, 0, true,    \
            PTL_RIOT_DAMAGE_OF_CONTENT, 0                                                      \
    }

/* An id of mapgen, ready for making its maps. It borrows the world, and belongs to one thread
 * at a time. */
typedef struct ptl_mapgen ptl_mapgen;

/*
 * Finds what the options name. *out is new; free it with ptl_mapgen_free. The texts of the
 * options are copied. Only the world's content, seed, region and setting of riots are used.
 *
 * PTL_ERR_NOT_FOUND: the content has nothing of this id, has no oter with the id that is given
 * for a neighbour, or has no entry with this number. PTL_ERR_ARGUMENT: a value is out of its
 * range, or a text is not of its form; or the special is a mutable one, which has no fixed
 * OMTs. PTL_ERR_MISMATCH as for ptl_local_get.
 */
PTL_API ptl_status ptl_mapgen_new(ptl_mapgen **out, ptl_world *world,
                                  const ptl_mapgen_options *options, ptl_error *err);
PTL_API void ptl_mapgen_free(ptl_mapgen *mapgen); /* freeing NULL does nothing */

/* Returns what the id in the options stands for; never PTL_MAPGEN_ANY. */
PTL_API ptl_mapgen_kind ptl_mapgen_kind_of(const ptl_mapgen *mapgen);
/* Returns the box of OMTs that the maps lie in: one OMT, or those of a special. */
PTL_API ptl_local_area ptl_mapgen_area(const ptl_mapgen *mapgen);

/*
 * Makes the map of an OMT in the area that ptl_mapgen_area returns; *out is the caller's, for
 * ptl_local_free, and NULL if a special has no OMT there. Equal seeds give equal maps; the maps
 * of one special with one seed belong together. Errors as for ptl_local_get when it makes a
 * map.
 */
PTL_API ptl_status ptl_mapgen_get(ptl_local_map **out, ptl_mapgen *mapgen, ptl_omt at,
                                  uint64_t seed, ptl_error *err);
/* Returns the number of the entry that the last map was made from; 0 if that map was made by
 * code, or if no map was made yet. */
PTL_API int32_t ptl_mapgen_entry_number(const ptl_mapgen *mapgen);
/* Checks the values that were given for parameters. PTL_ERR_NOT_FOUND if one of these
 * parameters was not used by any map that was made, or if the content does not list the value.
 */
PTL_API ptl_status ptl_mapgen_parameters_check(const ptl_mapgen *mapgen, ptl_error *err);

/* An entry from which maps are made. */
typedef struct ptl_mapgen_entry {
    size_t size;
    /* The OMT that the entry is for; each OMT of a special has entries of its own. */
    ptl_omt at;
    const char *key; /* the terrain, update or chunk that the entry is for */
    int32_t number;  /* number of the entry, from 1, among the entries of its key, in the
                        content's order */
    int32_t weight;
    double share; /* its weight as a part of the sum of all weights; 0 if Portolan can't run the
                     entry */
    const char *file; /* "" if the entry is in no file of its own, because it is a part of a
                         terrain's definition */
    int64_t line;
    bool unfinished; /* it has something that Portolan does not carry out */
} ptl_mapgen_entry;

/* Lists the entries of what the ptl_mapgen stands for; there are none if its map is made by
 * code. on_entry must not use the ptl_mapgen. */
PTL_API ptl_status ptl_mapgen_entry_list(ptl_mapgen *mapgen,
                                         bool (*on_entry)(void *payload,
                                                          const ptl_mapgen_entry *entry),
                                         void *payload, ptl_error *err);

/* A change of one tile while a map is made. */
typedef struct ptl_mapgen_step {
    size_t size;
    const char *what; /* "terrain", "furniture", "trap", or the kind of a thing, as in
                       * ptl_local_entity */
    /* Id of what stands on the tile after the change; "": something was removed. */
    const char *id;
    /* What made the change: "terrain", "update" or "chunk" if an entry of mapgen for one of
     * these did, else "code" (such as that for natural ground), "region" (the region replaces a
     * pseudo id), "script" (Lua), "extra" (a map extra, or monsters that the terrain itself
     * states) or "riots". */
    const char *by;
    const char *key;     /* id of the terrain, update or chunk; "" for code */
    const char *member;  /* the member of the JSON object that made the change, such as
                            "terrain", "items", "place_nested"; "" for code */
    const char *symbol;  /* the character in the rows of the drawing that stands on the tile; ""
                            for a piece that has coordinates */
    const char *palette; /* id of the palette that says what the character is; "": the entry
                            itself says it */
    /* The chance that the entry puts this on the map if it is drawn: that of the chosen
     * alternatives, times that of the piece itself. At which tile a piece comes to lie, and
     * what groups are resolved to, does not count. */
    double chance;
    double way; /* the chance that the step's entry is drawn: its share among the entries of its
                   key, times the chances of the entries in which it is nested */
    int32_t depth;    /* how deep the step's entry is nested: 0 for the terrain's entry, 1 for a
                         chunk in it, 2 for a chunk in that, and so on */
    const char *file; /* "" for code */
    int64_t line;     /* line of the piece in the file of the palette or entry */
} ptl_mapgen_step;

/* Makes the map of an OMT, and lists what changed its tile x, y (0..23), in the order in which
 * it happened: the last terrain, furniture and trap are those of the finished map, and so are
 * all things that no later step removed. PTL_ERR_NOT_FOUND: the special has no OMT there.
 * PTL_ERR_ARGUMENT: x or y is out of its range. Other errors as for ptl_mapgen_get. */
PTL_API ptl_status ptl_mapgen_step_list(
    ptl_mapgen *mapgen, ptl_omt at, uint64_t seed, int32_t x, int32_t y,
    bool (*on_step)(void *payload, const ptl_mapgen_step *step), void *payload, ptl_error *err);

typedef struct ptl_mapgen_check_options {
    size_t size;
    const char *id; /* id of an overmap terrain, special, update or nested chunk. A `*` in it
                       stands for any letters; "*" alone is for all ids */
    int32_t maps;   /* how many maps are made of each entry, 1..400; 0: 3 */
    uint64_t seed;  /* seed of the first map that is made of an entry */
    /* Returns whether the check should look at objects of this file; if not, they are skipped
     * and the check goes on. NULL: it looks at all objects. */
    bool (*wanted)(void *payload, const char *file);
    /* Called from time to time, when `done` of the `total` ids were checked. May be NULL. */
    bool (*on_progress)(void *payload, uint64_t done, uint64_t total);
    void *payload; /* given to `wanted` and on_progress */
} ptl_mapgen_check_options;

#define PTL_MAPGEN_CHECK_OPTIONS_INIT PTL_SIZED(ptl_mapgen_check_options)

/*
 * Looks in entries of mapgen for what their authors can hardly have wanted: reads the entries,
 * and makes maps of them. It finds the kinds of remarks MG501 to MG507, which schema/checks.md
 * explains. Each remark is passed to on_fault once; its `pack` is "". *checked becomes the
 * number of ids that were checked; checked may be NULL. PTL_ERR_NOT_FOUND: the content has
 * nothing of this id. Other errors as for ptl_mapgen_new.
 */
PTL_API ptl_status ptl_mapgen_fault_list(uint64_t *checked, ptl_world *world,
                                         const ptl_mapgen_check_options *options,
                                         bool (*on_fault)(void *payload,
                                                          const ptl_diagnostic *fault),
                                         void *payload, ptl_error *err);

#ifdef __cplusplus
}
#endif

#endif
