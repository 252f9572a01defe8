/* The internal interface of exchange/: conversion of overmaps between chunks and the files of a
 * game's save. portolan/game_save.h describes the format. Jansson is used for reading only;
 * writing is plain text. */
#pragma once

#include "codec/zzip.h"
#include "core/arena.h"
#include "core/stop.h"
#include "model/chunk.h"
#include "model/edge.h"
#include "model/feature.h"
#include "portolan/game_save.h"

enum {
    /* The version of DDA 0.F's saves, which is written unless an existing save asks for
     * another. */
    SAVE_VERSION = 33,
    SAVE_VERSION_0I = 36, /* the version of DDA 0.I's saves */
    SAVE_VERSION_BN = 29, /* the version of Bright Nights' saves */
    /* The oldest version of saves that is read. From this version (June 2015) on, the files of
     * overmaps are JSON. */
    SAVE_VERSION_OLDEST = 24,
    SAVE_FILE_MAX = 64 << 20,  /* size of a save's file above which it is refused, in bytes */
    SAVE_FILES_MAX = 1 << 20,  /* most files in one directory */
    SAVE_GROUPS_MAX = 1 << 18, /* most monster groups that one overmap may have */
    /* The most monster groups, in all files together, that may lie beyond the border of the
     * overmap whose file lists them. */
    SAVE_STRAYS_MAX = 1 << 22,
    SUBMAPS = 2 * PTL_CHUNK_SIZE
};

/* ---- save_version.c ---- */

/* How a version of saves that Portolan writes differs from others. */
typedef struct save_version {
    int number;
    const char *game; /* the game that writes saves of this version */
    /* The files state the places of monster groups relative to the corner of the overmap (0,
     * 0), not of their own overmap. */
    bool absolute;
    bool diffuse;     /* monster groups may be diffuse: equally dense in their whole radius */
    bool frequencies; /* radios in the files have a frequency */
    /* True: the files number the placements, and list the joins of mutable specials. */
    bool numbered;
    bool camps;     /* the files have a list of camps */
    bool of_0i;     /* cities and earlier terrains are written as 0.I does, and overmaps may lie
                     * in a folder of their own */
    bool databases; /* the save may have databases in place of files */
} save_version;

/* Returns what is known of the version of saves with this number; NULL if Portolan does not
 * write it. */
const save_version *save_version_of(int64_t number);

/* ---- save_file.c: the names of a save's files ---- */

#define SAVE_PACKED_SUFFIX ".zzip"

/* Is the name "o.X.Y", exactly as the game writes it? Other spellings of the numbers
 * ("o.01.2") are refused. */
bool save_name_parse(const char *name, ptl_chunk_pos *out);
/* Is the name "o.X.Y" or "o.X.Y.zzip", exactly as the game writes it? */
bool save_name_parse_any(const char *name, ptl_chunk_pos *out);

/* Is the name "CHARACTER.seen.X.Y", as the games write it? *character becomes the length of
 * CHARACTER. */
bool save_name_parse_seen(const char *name, size_t *character, ptl_chunk_pos *out);

/* Returns whether the name is ".seen.X.Y". Bright Nights gives such names to files in a
 * character's database. */
bool save_name_parse_inner_seen(const char *name, ptl_chunk_pos *out);

/* Returns whether the name is that of a character's database, "CHARACTER.sqlite3", in the form
 * in which Bright Nights writes it. *character becomes the length of CHARACTER. */
bool save_name_parse_database(const char *name, size_t *character);

/* A list of the overmaps that a save has. */
typedef struct save_list {
    ptl_chunk_pos *positions; /* owned; sorted by x, then y */
    size_t count, capacity;
} save_list;

/* Lists the overmaps in a directory, plain or compressed (o.X.Y.zzip). PTL_ERR_NOT_FOUND: the
 * directory does not exist. PTL_ERR_CONTENT: some overmap is there in both forms. */
ptl_status save_list_read(save_list *out, const char *directory, ptl_error *err);
void save_list_dispose(save_list *list);
/* Compares two ptl_chunk_pos, for qsort and bsearch: by x, then by y. */
int save_place_order(const void *a, const void *b);
/* Returns a new text, which is formatted as printf does it; NULL when memory is out. */
char *save_text(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Returns "DIRECTORY/PREFIXo.X.YSUFFIX", new; NULL when memory is out. */
char *save_path(const char *directory, ptl_chunk_pos pos, const char *prefix,
                const char *suffix);

/* ---- save_file.c: texts of a save's overmaps ---- */

typedef struct save_files save_files;

#define SAVE_DATABASE                                                                          \
    "map.sqlite3" /* name of the database that holds the files of a save of Bright Nights */

/* Does a save have its overmaps in a database? *failed becomes true when memory is out. */
bool save_has_database(const char *directory, bool *failed);

/*
 * Opens a save's folder for reading. The overmaps lie in the folder itself, in `overmaps` below
 * it, or in a database (SAVE_DATABASE). `world` (may be NULL) is the path of the world file,
 * which is never opened as a file of the save. save_files_close must be called in any case.
 */
ptl_status save_files_open(save_files **out, const char *directory, const char *world,
                           stop_hook stop, ptl_error *err);
void save_files_close(save_files *s);
/* Returns the path of the folder or database that has the overmaps. */
const char *save_files_place(const save_files *s);
/* Lists the save's overmaps, in a folder or a database; for a folder as save_list_read does. */
ptl_status save_files_list(save_list *out, save_files *s, ptl_error *err);
/* Reads the text of an overmap and puts a NUL behind it. *path is the path of its file. The
 * caller must free both, also after an error. PTL_ERR_CORRUPT: a compressed file is damaged. */
ptl_status save_files_read(char **text, size_t *size, char **path, save_files *s,
                           ptl_chunk_pos pos, ptl_error *err);

/* Reads the text of any other file of a save, and puts a NUL behind it. The caller must free
 * it, also after an error. */
ptl_status save_text_read(char **text, size_t *size, const char *path, ptl_error *err);

/* ---- export.c ---- */

/* The form in which the files of overmaps are written. */
typedef struct save_form {
    int version;  /* the save's version, one of those that save_version_of knows */
    zzip *packer; /* borrowed; compresses the files; NULL if they are written as plain texts */
    /* Borrowed; the database that the files are written into; NULL: they are written into a
     * folder. */
    struct save_database *database;
} save_form;

/* Writes the name of an overmap's file ("o.X.Y", or "o.X.Y.zzip" if the form is compressed)
 * into out. */
enum { SAVE_NAME_SIZE = 48 };
void save_form_name(char out[SAVE_NAME_SIZE], const save_form *form, ptl_chunk_pos pos);

/* A file that was just written, as the callback exported_visit gets it. All pointers are
 * borrowed. */
typedef struct exported_file {
    const char *name;
    const void *data;
    size_t size;
    const ptl_chunk *chunk;
    const gen_features *features;
} exported_file;

/* Called for each file that was written; if it returns an error, the export ends with this
 * error. */
typedef ptl_status exported_visit(void *payload, const exported_file *file, ptl_error *err);

/* Writes overmaps in the same way as ptl_game_save_write, but as files of the given form. Calls
 * visit (may be NULL) for each file. */
ptl_status export_overmaps(ptl_world *world, const ptl_game_save_write_options *options,
                           const save_form *form, ptl_game_save_write_report *report,
                           exported_visit *visit, void *payload, ptl_error *err);

/* A list of monster groups that occupy one submap each, which is the form that the game's files
 * have. */
typedef struct submap_groups {
    gen_group *list; /* owned; the texts of the groups' types are borrowed */
    size_t count, capacity;
} submap_groups;

/* Orders monster groups (gen_group) as they stand in files: first by everything but their
 * place, so that groups that differ only in their place are neighbours; then by place and
 * radius. For qsort. */
int save_group_order(const void *a, const void *b);

/*
 * Spreads stored monster groups over the submaps within their radius (schema/generation.md
 * 11). The random stream of a group depends on the seed, the chunk and the group's number
 * alone. The result is sorted by save_group_order.
 */
ptl_status groups_spread(submap_groups *out, const gen_features *features, uint64_t seed,
                         ptl_chunk_pos pos, ptl_error *err);

/* In newer saves monster groups have absolute places (save_version.absolute). But a game takes
 * a place in the overmap (0, 0) for one that counts from the corner of the file's own overmap,
 * as in older saves. So groups that the overmap at pos lists, but that lie in the overmap (0,
 * 0), are moved to the nearest place in the overmap at pos. The list stays sorted. */
void groups_keep_home(submap_groups *groups, ptl_chunk_pos pos);

/* ptl_game_save_fit (portolan/game_save.h) tells whether the save lists all content that the
 * overmaps use. */
struct ptl_game_save_fit {
    arena *texts; /* owned; holds the texts to which the other members point */
    /* Owned; ids of the mods that the save lists, in its order; NULL if the list was not read.
     */
    const char **mods;
    size_t mod_count;
    ptl_game_save_pack *packs; /* owned; the packs of the world's content, in their order */
    size_t pack_count, pack_room;
    const char *data; /* the game's folder of content, ending with a slash; NULL if it is
                       * not known */
    ptl_game_save_id *lacking; /* owned; ids that the game may lack, sorted by pack, then by
                                * kind, then by id */
    size_t lacking_count, room;
    /* Number of different terrains, and number of different specials, in the overmaps. */
    uint64_t terrains, specials;
    const catalogue *cat; /* borrowed; valid only while overmaps are written */
    /* Owned; for each terrain and each special of the catalogue: do the overmaps use it? */
    bool *has_terrain, *has_special;
};

/* Makes an empty ptl_game_save_fit; the caller must call ptl_game_save_fit_free, also after an
 * error. */
ptl_status save_fit_new(ptl_game_save_fit **out, const catalogue *cat, ptl_error *err);
/* Notes the terrains and specials that an overmap uses. */
void save_fit_note(ptl_game_save_fit *fit, const ptl_chunk *chunk,
                   const gen_features *features);
/* Reads the mods that a save lists in mods.json. `folder` is the open folder of the save,
 * `where` its path for messages. */
ptl_status save_fit_mods(ptl_game_save_fit *fit, int folder, const char *where, ptl_error *err);
/* Compares the terrains and specials that save_fit_note has noted with the content's packs, and
 * lists the ids that the game may lack. Call it when all overmaps have been noted. It is not
 * necessary to call save_fit_mods before. */
ptl_status save_fit_find(ptl_game_save_fit *fit, ptl_world *world, ptl_error *err);

/* ---- save_write.c ---- */

/* Everything that an overmap's file is made from. All pointers are borrowed. */
typedef struct save_source {
    const catalogue *cat;
    const ptl_chunk *chunk;
    const gen_features *features;
    const edge *edges; /* the overmap's four edges, in the order north, east, south, west */
    const char *region;
    const submap_groups *groups;
    int version; /* a version of saves that save_version_of knows */
} save_source;

/* Appends the text of an overmap's file. out->failed is set when memory is out. */
void save_write(bytes *out, const save_source *source);
/* Appends a JSON string with its quotes; the text is UTF-8. */
void save_put_string(bytes *out, const char *text);

/* ---- cells of an overmap ---- */

/* A place in an overmap, in OMTs; z is the level, -10..10. */
typedef struct save_spot {
    int32_t x, y, z;
} save_spot;

/* Returns the number of the cell at a place, (z + 10) * 32400 + y * 180 + x; -1 if the place
 * is outside of the overmap. */
static inline int32_t save_cell_of(save_spot s)
{
    if (s.x < 0 || s.x >= PTL_CHUNK_SIZE || s.y < 0 || s.y >= PTL_CHUNK_SIZE ||
        s.z < PTL_Z_MIN || s.z > PTL_Z_MAX)
        return -1;
    return (s.z - PTL_Z_MIN) * PTL_LEVEL_CELLS + s.y * PTL_CHUNK_SIZE + s.x;
}

/* Returns the place of a cell: the inverse of save_cell_of. */
static inline save_spot save_spot_of(int32_t cell)
{
    const int32_t rest = cell % PTL_LEVEL_CELLS;
    return (save_spot){rest % PTL_CHUNK_SIZE, rest / PTL_CHUNK_SIZE,
                       cell / PTL_LEVEL_CELLS + PTL_Z_MIN};
}

/* Orders int32_t numbers of cells, for qsort. */
int save_cell_order(const void *a, const void *b);

/* Returns the place of an OMT of a fixed special that is placed as *p says. */
static inline save_spot save_omt_spot(const cat_omt *t, const gen_placement *p)
{
    save_spot at = {0, 0, p->z + t->z};
    feature_rotate(t->x, t->y, p->rotation, &at.x, &at.y);
    at.x += p->x;
    at.y += p->y;
    return at;
}

/* Returns the oter of the cell with the number `cell` (save_cell_of). */
static inline ptl_oter save_oter_at(const ptl_chunk *chunk, int32_t cell)
{
    const level *l = &chunk->levels[cell / PTL_LEVEL_CELLS];
    return l->cells ? l->cells[cell % PTL_LEVEL_CELLS] : l->fill;
}

/* ---- save_read.c ---- */

/* Counts of what an import changed in the files' data, or could not take over. */
typedef struct save_counts {
    uint64_t unknown_terrains; /* OMTs whose terrain the content lacks; always 0 without the
                                * option `lenient` */
    /* Monster groups that lie outside of the overmap, or that exceed SAVE_GROUPS_MAX. */
    uint64_t groups_left_out;
    /* Number of points (OMTs of specials) that were left out because the content lacks the
     * special, or because they could not be assigned to a placement. */
    uint64_t points_left_out;
    /* Number of objects in the files that were left out because they belong to play: monsters,
     * vehicles, people and the like. */
    uint64_t members_left_out;
    uint64_t migrated_terrains; /* OMTs whose terrain id was replaced, since the content
                                 * migrates it to another */
    /* Points (OMTs) of specials whose id was replaced, since the content migrates it to
     * another. */
    uint64_t migrated_points;
    uint64_t specials_gone; /* how many OMTs belong to specials that newer versions of the game
                               no longer have, as the content says */
    /* Number of JSON values that only saves of newer games have, and that were left out because
     * Portolan does not store them. */
    uint64_t details_left_out;
} save_counts;

/* All points (OMTs) of one special in an overmap. They may belong to several placements of the
 * special, since the oldest files do not tell them apart. */
typedef struct save_points {
    uint16_t special; /* index into catalogue.specials */
    /* Owned; numbers of the cells (save_cell_of), sorted; each cell is there once. */
    int32_t *cells;
    size_t count;
} save_points;

/* A join at which two pieces of a mutable special met: the cell of one of the pieces, and the
 * side of this cell that met the other piece. */
typedef struct save_join {
    int32_t cell;
    uint8_t side; /* 0..5 = N, E, S, W, above, below, as in gen_join */
    /* Index of the join in cat_mutable.joins, the joins of the mutable special. */
    uint16_t join;
} save_join;

/* The OMTs of one placement of a special, which are called points. Used for files that give
 * each placement a number. */
typedef struct save_placed {
    uint16_t special;
    int32_t *cells; /* owned; the cells' numbers (save_cell_of), in the file's order */
    size_t count;
    save_join *joins; /* owned; in the file's order */
    size_t join_count, join_room;
} save_placed;

/* An overmap that was read from a file. save_place and save_split turn its points of specials
 * into placements among its features. */
typedef struct save_overmap {
    ptl_chunk_pos pos;
    ptl_chunk *chunk; /* owned */
    gen_features features;
    save_points *specials; /* owned; the OMTs of specials for which the file gives no number
                            * of a placement */
    size_t special_count;
    /* Owned; in the order of the numbers that the file gives to the placements. */
    save_placed *placed;
    size_t placed_count;
    save_counts counts;
} save_overmap;

/* A monster group that lies beyond the border of the overmap whose file lists it. */
typedef struct save_stray {
    /* Must be the first member, because bsearch compares the struct with a ptl_chunk_pos
     * (save_place_order). */
    ptl_chunk_pos to;
    size_t turn;
    /* The group. Its x and y count from the north-western corner of the overmap `to`; its type
     * is a text in save_strays.texts. */
    gen_group group;
} save_stray;

typedef struct save_strays {
    save_stray *list; /* owned */
    size_t count, room;
    /* Owned; holds only the texts (types of the groups) that `list` points to. */
    gen_features texts;
} save_strays;

/* How the file of an overmap is read, and which of the caller's functions are called for it. */
typedef struct save_reader {
    const catalogue *cat;
    /* The oter that replaces an unknown terrain, for each of the PTL_LEVELS levels. */
    const ptl_oter *defaults;
    bool lenient;
    const char *path; /* for messages */
    /* If this is NULL, the file is read as a whole. Otherwise only the monster groups beyond
     * the overmap's border are read, and they are collected here. */
    save_strays *strays;
    /* The caller's functions in ptl_game_save_import_options; each may be NULL. */
    void (*on_unknown)(void *payload, ptl_game_save_unknown kind, const char *id,
                       uint64_t tiles);
    void (*on_lack)(void *payload, const ptl_game_save_lack *lack);
    void *payload;
} save_reader;

/*
 * Reads an overmap from the text of its file. text[size] must be a NUL. PTL_ERR_CONTENT, with
 * "path:line:column: what is wrong", for a wrong file. *out must be disposed of, also after an
 * error.
 */
ptl_status save_read(save_overmap *out, const save_reader *reader, ptl_chunk_pos pos,
                     const char *text, size_t size, ptl_error *err);
void save_overmap_dispose(save_overmap *o);

/* ---- placed.c ---- */

/* Makes placements, with their pieces and joins, from those OMTs of specials for which the
 * file of the save gives the number of their placement. OMTs that do not fit the content's
 * definition of the special are counted and left out. */
ptl_status save_place(save_overmap *o, const catalogue *cat, ptl_error *err);

/*
 * Makes placements from those OMTs of specials for which the file of the save gives no number
 * of a placement. Footprints of the special, in any rotation, are laid so that each of these
 * OMTs is covered once and the terrain agrees. Where other terrain has replaced some of the
 * OMTs, this can fail; the OMTs that are not covered are counted and left out.
 */
ptl_status save_split(save_overmap *o, const catalogue *cat, ptl_error *err);

/* ---- import_save.c ---- */

/* One border of an overmap: the cells along it, and the connections and rivers that cross it.
 */
typedef struct save_border {
    /* The oters along this border at z = 0, by their position on it. */
    ptl_oter cells[PTL_CHUNK_SIZE];
    /* Owned; the text `kind` of a crossing is borrowed from the catalogue. */
    crossing *crossings;
    size_t count;
} save_border;

/*
 * Finds the crossings and cells of an overmap's four borders, in the order north, east, south,
 * west. There is a crossing wherever the line of a linear OMT goes on over the border,
 * wherever a rotatable OMT (a bridge) points over the border, and wherever a run of river
 * cells lies along the border. downhill[side] is the direction in which rivers are assumed to
 * flow (crossing.direction) over edges of that side.
 */
ptl_status save_borders(save_border out[4], const ptl_chunk *chunk, const catalogue *cat,
                        const int downhill[2], ptl_error *err);
void save_borders_dispose(save_border borders[4]);

/* Makes an edge from the borders of the two overmaps beside it, `own` and `other`; either of
 * them may be NULL. The edge gets the crossings of both borders, and copies of the borders'
 * cells. *out is new. PTL_ERR_LIMIT: there are too many crossings. */
ptl_status save_edge(edge *out, const save_border *own, const save_border *other,
                     ptl_error *err);
