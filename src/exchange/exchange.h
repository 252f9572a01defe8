/*
 * Inside exchange/: an overmap on its way between a chunk and the text of a game's save file.
 * The format is described in the public header; jansson is used for reading alone, writing is
 * plain text.
 */
#ifndef EXCHANGE_EXCHANGE_H
#define EXCHANGE_EXCHANGE_H

#include "codec/zzip.h"
#include "core/bytes.h"
#include "core/stop.h"
#include "model/catalogue.h"
#include "model/chunk.h"
#include "model/edge.h"
#include "model/feature.h"
#include "portolan/save.h"

enum {
    SAVE_VERSION = 33,         /* of DDA 0.F: what is written where no save says otherwise */
    SAVE_VERSION_0I = 36,      /* of DDA 0.I */
    SAVE_VERSION_OLDEST = 24,  /* that is read: since June 2015 overmaps are JSON */
    SAVE_FILE_MAX = 64 << 20,  /* bytes of one file that is read */
    SAVE_FILES_MAX = 1 << 20,  /* files of one directory */
    SAVE_GROUPS_MAX = 1 << 18, /* monster groups of one overmap */
    SUBMAPS = 2 * PTL_CHUNK_SIZE
};

/* ---- save_file.c: the names of a save's files ---- */

#define SAVE_PACKED_SUFFIX ".zzip"

/* Is it "o.X.Y", as the game writes it? (No other form of a number is a name of the game's.) */
bool save_name_parse(const char *name, ptl_chunk_pos *out);
/* The same, or with the ending of compressed files. */
bool save_name_parse_any(const char *name, ptl_chunk_pos *out);

/* Is it "CHARACTER.seen.X.Y", as the games write it? *character is how long the first part is.
 */
bool save_name_parse_seen(const char *name, size_t *character, ptl_chunk_pos *out);

typedef struct save_list {
    ptl_chunk_pos *positions; /* owned; sorted by x, then y */
    size_t count, capacity;
} save_list;

/* Lists the overmaps of a directory, plain or compressed (o.X.Y.zzip). A missing directory is
 * PTL_ERR_NOT_FOUND; one that has an overmap both ways is PTL_ERR_CONTENT. */
ptl_status save_list_read(save_list *out, const char *directory, ptl_error *err);
void save_list_dispose(save_list *list);

/* Makes "DIRECTORY/PREFIXo.X.YSUFFIX", which is new; NULL when memory is out. */
char *save_path(const char *directory, ptl_chunk_pos pos, const char *prefix,
                const char *suffix);

/* ---- the same: texts of a save's overmaps ---- */

typedef struct save_files save_files;

/* Of a save's folder: its overmaps lie in it, or in `overmaps` below it. world (may be NULL) is
 * the path of the world file, which is never opened. To be closed in any case. */
ptl_status save_files_open(save_files **out, const char *directory, const char *world,
                           ptl_error *err);
void save_files_close(save_files *s);
/* The folder with the overmaps. */
const char *save_files_folder(const save_files *s);
/* The text of an overmap, with a NUL behind, and the file that it came from: both are to be
 * freed, also after an error. PTL_ERR_CORRUPT: a compressed file is damaged. */
ptl_status save_files_read(char **text, size_t *size, char **path, save_files *s,
                           ptl_chunk_pos pos, ptl_error *err);

/* The text of any other file of a save, with a NUL behind; to be freed, also after an error. */
ptl_status save_text_read(char **text, size_t *size, const char *path, ptl_error *err);

/* ---- export.c ---- */

/* How overmaps are written. */
typedef struct save_form {
    int version;  /* SAVE_VERSION or SAVE_VERSION_0I */
    zzip *packer; /* borrowed; NULL: plain texts */
} save_form;

/* The name of an overmap's file. */
enum { SAVE_NAME_SIZE = 48 };
void save_form_name(char out[SAVE_NAME_SIZE], const save_form *form, ptl_chunk_pos pos);

/* What was just written; borrowed. */
typedef struct exported_file {
    const char *name;
    const void *data;
    size_t size;
    const ptl_chunk *chunk;
    const gen_features *features;
} exported_file;

typedef ptl_status exported_visit(void *payload, const exported_file *file, ptl_error *err);

/* ptl_save_write that tells of each file. visit may be NULL. */
ptl_status export_overmaps(ptl_world *world, const ptl_save_write_options *options,
                           const save_form *form, ptl_save_write_report *report,
                           exported_visit *visit, void *payload, ptl_error *err);

/* ---- spread.c ---- */

/* A monster group of a single submap, as the game keeps it. */
typedef struct submap_group {
    const char *type; /* borrowed */
    int32_t population;
    int16_t x, y;
    int8_t z;
    bool horde, diffuse;
} submap_group;

typedef struct submap_groups {
    submap_group *list; /* owned */
    size_t count, capacity;
} submap_groups;

/*
 * Spreads the groups over their radius (schema/generation.md 11), each from a stream keyed by
 * seed, chunk and its number, and sorts them: by all that makes groups equal, then by place.
 */
ptl_status groups_spread(submap_groups *out, const gen_features *features, uint64_t seed,
                         ptl_chunk_pos pos, ptl_error *err);

/* ---- save_write.c ---- */

/* All that a file is made of; everything is borrowed. */
typedef struct save_source {
    const catalogue *cat;
    const ptl_chunk *chunk;
    const gen_features *features;
    const edge *edges; /* four: north, east, south, west */
    const char *region;
    const submap_groups *groups;
    int version; /* SAVE_VERSION or SAVE_VERSION_0I */
} save_source;

/* Appends the text of the file. out->failed tells of lack of memory. */
void save_write(bytes *out, const save_source *source);
/* Appends a JSON string with its quotes; the text is UTF-8. */
void save_put_string(bytes *out, const char *text);

/* ---- cells of an overmap ---- */

/* A place in an overmap, in OMTs; z from PTL_Z_MIN on. */
typedef struct save_spot {
    int32_t x, y, z;
} save_spot;

/* Returns the cell's number, (z + 10) * 32400 + y * 180 + x, or -1 outside of the overmap. */
static inline int32_t save_cell_of(save_spot s)
{
    if (s.x < 0 || s.x >= PTL_CHUNK_SIZE || s.y < 0 || s.y >= PTL_CHUNK_SIZE ||
        s.z < PTL_Z_MIN || s.z > PTL_Z_MAX)
        return -1;
    return (s.z - PTL_Z_MIN) * PTL_LEVEL_CELLS + s.y * PTL_CHUNK_SIZE + s.x;
}

static inline save_spot save_spot_of(int32_t cell)
{
    const int32_t rest = cell % PTL_LEVEL_CELLS;
    return (save_spot){rest % PTL_CHUNK_SIZE, rest / PTL_CHUNK_SIZE,
                       cell / PTL_LEVEL_CELLS + PTL_Z_MIN};
}

static inline ptl_oter save_oter_at(const ptl_chunk *chunk, int32_t cell)
{
    const level *l = &chunk->levels[cell / PTL_LEVEL_CELLS];
    return l->cells ? l->cells[cell % PTL_LEVEL_CELLS] : l->fill;
}

/* ---- save_read.c ---- */

typedef struct save_counts {
    uint64_t unknown_terrains;  /* cells, with lenient only */
    uint64_t groups_left_out;   /* outside the overmap, or past SAVE_GROUPS_MAX */
    uint64_t points_left_out;   /* of specials that could not be told apart, or are unknown */
    uint64_t members_left_out;  /* monsters, vehicles, people and the like */
    uint64_t migrated_terrains; /* cells whose id was an earlier one */
    uint64_t migrated_points;   /* of specials whose id was */
    uint64_t specials_gone;     /* points of specials that the game has given up */
    uint64_t details_left_out;  /* entries of what only today's saves have */
} save_counts;

/* Points of one special, of any number of its instances: the oldest files tell no more. */
typedef struct save_points {
    uint16_t special; /* index into catalogue.specials */
    int32_t *cells;   /* owned; (z + 10) * 32400 + y * 180 + x; sorted, no repetitions */
    size_t count;
} save_points;

/* A join of a mutable special by which a side of a piece has met another one's. */
typedef struct save_join {
    int32_t cell;
    uint8_t side;  /* 0..5, as gen_join.side */
    uint16_t join; /* index into cat_mutable.joins */
} save_join;

/* The points of one placement, which a file tells by their number. */
typedef struct save_placed {
    uint16_t special;
    int32_t *cells; /* owned; as in save_points, in the file's order */
    size_t count;
    save_join *joins; /* owned; in the file's order */
    size_t join_count, join_room;
} save_placed;

typedef struct save_overmap {
    ptl_chunk *chunk; /* owned */
    gen_features features;
    save_points *specials; /* owned: points without a number */
    size_t special_count;
    save_placed *placed; /* owned; by number */
    size_t placed_count;
    save_counts counts;
} save_overmap;

typedef struct save_reader {
    const catalogue *cat;
    const ptl_oter *defaults; /* PTL_LEVELS: what stands for an unknown terrain */
    bool lenient;
    const char *path; /* for messages */
    /* What on_unknown is in ptl_save_import_options; may be NULL. */
    void (*on_unknown)(void *payload, ptl_save_unknown kind, const char *id, uint64_t tiles);
    void (*on_lack)(void *payload, const ptl_save_lack *lack); /* likewise */
    void *payload;
} save_reader;

/*
 * Reads the text of a file. PTL_ERR_CONTENT: "path:line:column: what is wrong". text[size] must
 * be readable and 0. Dispose *out afterwards, also after an error.
 */
ptl_status save_read(save_overmap *out, const save_reader *reader, ptl_chunk_pos pos,
                     const char *text, size_t size, ptl_error *err);
void save_overmap_dispose(save_overmap *o);

/* ---- save_strays.c ---- */

/* A monster group that a neighbour's file has beyond its border. */
typedef struct save_stray {
    ptl_chunk_pos to;
    size_t turn;
    gen_group group; /* its place in that overmap; the type borrowed from texts */
} save_stray;

typedef struct save_strays {
    save_stray *list; /* owned; by where they go to */
    size_t count, room;
    gen_features texts; /* owned; nothing but these */
} save_strays;

/* Looks through all files of the list; *out is zeroed, and to be disposed of in any case. */
ptl_status save_strays_read(save_strays *out, save_files *files, const save_list *list,
                            stop_hook stop, ptl_error *err);
void save_strays_dispose(save_strays *s);
/* Adds to an overmap what came to it; *given is how much, more. */
ptl_status save_strays_give(const save_strays *s, save_overmap *to, uint64_t *given,
                            ptl_error *err);

/* ---- placed.c ---- */

/* Makes placements, pieces and joins of what a file tells apart by numbers. What the content's
 * special can't be is counted and left out. */
ptl_status save_place(save_overmap *o, const catalogue *cat, ptl_error *err);

/* ---- split.c ---- */

/*
 * Turns the points of specials into placements: the points are covered by footprints, in any
 * rotation, each point once, where the chunk's tiles are those of the footprint. Points for
 * which there is no such cover (a tile was drawn over later) are counted and left out.
 */
ptl_status save_split(save_overmap *o, const catalogue *cat, ptl_error *err);

/* ---- borders.c ---- */

/* What an overmap shows its neighbours on one side. */
typedef struct save_border {
    ptl_oter cells[PTL_CHUNK_SIZE]; /* z = 0, by position */
    crossing *crossings;            /* owned; kinds borrowed from the catalogue */
    size_t count;
} save_border;

/*
 * Finds the four borders, north, east, south, west. Crossings are each linear tile of a
 * connection with an arm over the border, each rotated tile of one (a bridge) whose axis points
 * over it, and each run of river. downhill[side] is the direction in which rivers are taken to
 * flow.
 */
ptl_status save_borders(save_border out[4], const ptl_chunk *chunk, const catalogue *cat,
                        const int downhill[2], ptl_error *err);
void save_borders_dispose(save_border borders[4]);

/*
 * The edge between two borders, of which one may be NULL: the union of the crossings, and the
 * border cells. PTL_ERR_LIMIT if there are too many crossings. *out is new.
 */
ptl_status save_edge(edge *out, const save_border *own, const save_border *other,
                     ptl_error *err);

#endif
