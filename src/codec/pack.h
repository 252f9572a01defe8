/*
 * A pack is one blob with all features of one kind that a chunk has: buildings, monster groups,
 * attempts to place specials, pieces and joins of mutable specials, or predecessors (terrains
 * that something was placed over). The lists of a sweep's summaries (summary.h) are packs as
 * well. A pack is a table of integers, stored column by column. Some columns hold indices of
 * names. Every column has a range, which readers enforce. schema/format.md, "Packs", is the
 * specification.
 */
#pragma once

#include "codec/chunk_codec.h"

typedef enum pack_kind {
    PACK_PLACEMENTS, /* buildings; specials are placements, too, but are stored as rows of a
                        table */
    PACK_GROUPS,
    PACK_ATTEMPTS,
    PACK_PIECES,
    PACK_JOINS,
    PACK_PREDECESSORS,
    PACK_KINDS, /* how many kinds of packs a chunk has; these are rows of table pack. The kinds
                 * from here on are those of a sweep's summaries: each has a column in table
                 * sweep_chunk */
    PACK_SUMMARY_FIRST = PACK_KINDS,
    PACK_SUMMARY_SPECIALS = PACK_SUMMARY_FIRST,
    PACK_SUMMARY_PLACES,
    PACK_SUMMARY_TERRAINS,
    PACK_SUMMARY_CITIES,
    PACK_SUMMARY_BUILDINGS,
    PACK_SUMMARY_LINES,
    PACK_SUMMARY_WATERS,
    PACK_SUMMARY_BASELINE,
    PACK_FORMS
} pack_kind;

enum {
    /* Packs of the kinds before this one are part of a chunk's digest, and `portolan index` can
     * write them into SQL tables. */
    PACK_COUNTED = PACK_PREDECESSORS,
    PACK_VERSION = 2,
    /* Versions of packs of joins. Where two pieces meet, the two joins that touch form a pair.
     * Of each pair only one join is stored. Version 3 has the place and side of the first join.
     * Version 4 has the second join, as the number of its piece and the side (pack_join). */
    PACK_VERSION_PAIRS = 3,
    PACK_VERSION_PIECES = 4,
    /* Versions of the packs that hold a local map's tiles or things (local_codec.h); these
     * packs have no columns. In PACK_VERSION_PALETTE the map has a palette (a list of ids that
     * many maps share), and the first name of the pack is the text of this palette. */
    PACK_VERSION_LOCAL = 3,
    PACK_VERSION_PALETTE = 4,
    PACK_COUNT_MAX = 1 << 18, /* most entries of a pack */
    PACK_VARINT_MAX = 5,      /* most bytes of a value */
    PACK_IDS = 8,             /* pack.id = chunk.id * PACK_IDS + kind */
    PACK_COLUMNS_MAX = 9
};

/* Columns of the pack of buildings (PACK_PLACEMENTS). */
enum {
    PLACEMENT_ID,
    PLACEMENT_ROTATION,
    PLACEMENT_Z,
    PLACEMENT_CITY,
    PLACEMENT_X,
    PLACEMENT_Y
};
/* Columns of the pack of monster groups, and bits of its column GROUP_FLAGS. */
enum { GROUP_TYPE, GROUP_FLAGS, GROUP_Z, GROUP_RADIUS, GROUP_POPULATION, GROUP_X, GROUP_Y };
enum { GROUP_FLAG_HORDE = 1, GROUP_FLAG_DIFFUSE = 2 };
/* Columns of the pack of attempts: what became of each special that the rule of placement asked
 * for. */
enum {
    ATTEMPT_SPECIAL,
    ATTEMPT_ASKED,
    ATTEMPT_GROUND,
    ATTEMPT_LINKED,
    ATTEMPT_CITY,
    ATTEMPT_ROOM,
    ATTEMPT_FAILED,
    ATTEMPT_PLACED
};
/* Columns of the pack of pieces. The id is unique inside a special only; PIECE_PLACEMENT is the
 * number of a special_placement row. */
enum { PIECE_ID, PIECE_ROTATION, PIECE_PLACEMENT, PIECE_Z, PIECE_X, PIECE_Y };
/* Columns of the pack of joins (of mutable specials). */
enum { JOIN_ID, JOIN_PLACEMENT, JOIN_SIDE, JOIN_Z, JOIN_X, JOIN_Y };
/* Columns of the pack of predecessors; each row is a run of cells with the same predecessor. */
enum {
    PREDECESSOR_ID,
    PREDECESSOR_SOUTH,
    PREDECESSOR_Z,
    PREDECESSOR_X,
    PREDECESSOR_Y,
    PREDECESSOR_LENGTH
};

/* The enums below number the columns of a summary's lists. The columns are the fields of
 * summary.h, and SQL shows them by the same names. These are the columns of specials. */
enum {
    SUMMARY_SPECIAL_ID,
    SUMMARY_SPECIAL_ASKED,
    SUMMARY_SPECIAL_GROUND,
    SUMMARY_SPECIAL_LINKED,
    SUMMARY_SPECIAL_CITY,
    SUMMARY_SPECIAL_ROOM,
    SUMMARY_SPECIAL_FAILED,
    SUMMARY_SPECIAL_PLACED,
    SUMMARY_SPECIAL_OTHERS
};
/* Columns of places, where specials stand. The last three are distances, in OMTs, to the
 * nearest city, road and special of the same type; -1 means that the overmap has none. */
enum {
    SUMMARY_PLACE_ID,
    SUMMARY_PLACE_AROUND, /* terrain around the special: index of its name; -1: none */
    SUMMARY_PLACE_X,
    SUMMARY_PLACE_Y,
    SUMMARY_PLACE_Z,
    SUMMARY_PLACE_ROTATION,
    SUMMARY_PLACE_CITY,
    SUMMARY_PLACE_ROAD,
    SUMMARY_PLACE_SAME
};
/* Columns of the terrains in a summary. */
enum { SUMMARY_TERRAIN_ID, SUMMARY_TERRAIN_Z, SUMMARY_TERRAIN_CELLS };
/* Columns of the cities in a summary. A summary has no names of cities. */
enum { SUMMARY_CITY_X, SUMMARY_CITY_Y, SUMMARY_CITY_SIZE, SUMMARY_CITY_BUILDINGS };
/* Columns of the buildings in a summary. */
enum {
    SUMMARY_BUILDING_ID,
    SUMMARY_BUILDING_SIZE,
    SUMMARY_BUILDING_COUNT,
    SUMMARY_BUILDING_DISTANCE_SUM,
    SUMMARY_BUILDING_DISTANCE_MIN,
    SUMMARY_BUILDING_DISTANCE_MAX
};
/* Columns of the list of connections in a summary: the connection, and how many cells it has.
 */
enum { SUMMARY_LINE_ID, SUMMARY_LINE_CELLS };
/* Columns of the list of waters in a summary: the kind of water (summary_water_kind), and how
 * many cells it has. This list has no names. */
enum { SUMMARY_WATER_KIND, SUMMARY_WATER_CELLS };
/* Columns of the baseline, which says how far the cells of an overmap are from cities and
 * roads. It has no names. Row d says how many cells have the distance d from a city, and from a
 * road. If the overmap has no city or road, the last row (SUMMARY_FAR + 1) counts all cells. */
enum { SUMMARY_BASELINE_CITY, SUMMARY_BASELINE_ROAD };

/* How the values of a column become varints. */
typedef enum pack_coding {
    /* An index into the names. If it is that of the first name that was not used yet, its code
     * is 0; otherwise its code is the index + 1. */
    PACK_TOKEN,
    /* An index into the names, or -1 for no name. -1 is coded as 0. An index is coded as with
     * PACK_TOKEN, plus 1; the names that earlier columns of the row have used count as used. */
    PACK_NAME,
    PACK_PLAIN, /* the value less pack_column.low */
    PACK_QUADS, /* values 0..3, four to a byte, the first in its lowest bits; the last byte is
                   filled with zeros */
    /* The zigzag code of the difference from the value in the previous row; in the first row
     * the zigzag code of the value itself. */
    PACK_DELTA,
    /* The difference from the value that the previous column has in the same row. So that
     * negative differences become small codes, too, it is zigzag coded: 0, -1, 1, -2, ...
     * become 0, 1, 2, 3, ... */
    PACK_LEFT
} pack_coding;

/* The type of the struct member, for example in gen_placement, that holds a column's values. */
typedef enum pack_member_type {
    MEMBER_NONE, /* the column has no member: the code for packs of this kind computes its
                    values */
    MEMBER_ID,   /* const char *; pack.c leaves it alone: the code that knows the names of the
                  * pack sets it */
    MEMBER_I8,
    MEMBER_U8, /* uint8_t or bool */
    MEMBER_I16,
    MEMBER_I32,
    MEMBER_I64
} pack_member_type;

typedef struct pack_column {
    const char *name;
    int32_t low, high; /* range of the column's values, both included */
    pack_coding coding;
    pack_member_type type;
    size_t offset; /* offset in the struct, in bytes, of the member that holds the column's
                      values */
} pack_column;

typedef struct pack_layout {
    const char *name; /* name of the pack, for messages */
    size_t column_count;
    const pack_column *columns;
} pack_layout;

/* Returns the columns that packs of this kind have. They never change. */
const pack_layout *pack_layout_of(pack_kind kind);
/* Does the first column hold names? If its coding is PACK_TOKEN, every row has a name. Other
 * columns hold names only if the first one does. */
bool pack_has_names(pack_kind kind);

/* A pack as a table in memory. Zero it before its first use; it can be used again, and keeps
 * its memory then. */
typedef struct pack_table {
    int32_t *columns[PACK_COLUMNS_MAX]; /* columns[c][i] is the value of column c in row i */
    size_t count;
    size_t room;
    /* Filled in by pack_parse: for each name its number in the file's table `name`. */
    uint32_t *numbers;
    size_t name_count;
    size_t name_room;
    bytes stream; /* scratch */
    /* For a table of joins: the table of the same chunk's pieces, borrowed. If it is NULL,
     * PACK_VERSION_PIECES can be neither written nor read. */
    const struct pack_table *pieces;
} pack_table;

void pack_table_dispose(pack_table *t);
/* Returns the value that a struct, for example a gen_placement, has for a column: that of the
 * member with the column's offset and type. The member must not be an id. */
int64_t pack_member(const void *entry, const pack_column *column);
/* pack_put_members copies the members of a struct, for example a gen_placement, into row i of
 * the table. pack_take_members copies them from the row into the struct. Ids, and columns that
 * have no member, are left out. The member's type must have room for all values of its column.
 */
void pack_put_members(pack_table *t, pack_kind kind, size_t i, const void *entry);
void pack_take_members(void *entry, const pack_table *t, pack_kind kind, size_t i);
/* Returns the tables that the codec owns, all of them empty: one for each kind of pack that a
 * chunk has. The tables last until the next call. */
pack_table *codec_tables(codec *c);
/* Makes room for `count` rows. Their values are undefined until they are set. */
ptl_status pack_table_resize(pack_table *t, pack_kind kind, size_t count, ptl_error *err);

/* An encoded pack, before the file's numbers of its names are known. */
typedef struct encoded_pack {
    /* An owned list of borrowed texts, in the order of first appearance. */
    const char **names;
    size_t name_count;
    size_t count;
    uint8_t version; /* the form of `body`; 0: there is no body yet */
    /* The pack belongs to a local map, whose names are stored as a near list (number_list.h) if
     * they are NEAR_LEAST or more. */
    bool local;
    bytes body; /* the values of all columns, in the form in which the pack is stored */
} encoded_pack;

void encoded_pack_dispose(encoded_pack *p);

/*
 * A join: a side of a piece, where it meets another piece of a mutable special. Each of the
 * two pieces has a join there, and growth adds the join of the later piece right after the
 * other one. These two joins are a pair. The first join of a pair follows from the second, and
 * the second one follows from its piece and side. So if all joins of a chunk are in pairs,
 * only the second joins are stored, each as the number of a piece and a side, besides the ids
 * of all joins (PACK_VERSION_PIECES). But if the chunk lacks the piece of one of them, the
 * first joins are stored in full instead (PACK_VERSION_PAIRS).
 */
typedef struct pack_join {
    int32_t side, z, x, y;
} pack_join;

/* Returns the join that this join meets, which lies on the side of the neighbouring piece that
 * faces this piece. */
pack_join pack_join_met(pack_join j);

enum { PACK_PAIR_PIECE, PACK_PAIR_SIDE, PACK_PAIR_COLUMNS };

/* Returns the description of a column (PACK_PAIR_*) of the joins in PACK_VERSION_PIECES. In
 * that version a row stands for two joins that meet. */
const pack_column *pack_pair_column(int column);
/* Returns whether the joins of the table come in pairs: the second join of each pair is the one
 * that the first join meets. */
bool pack_joins_are_pairs(const pack_table *t);
/*
 * Returns, for each pair of joins that meet, the number of the piece that has the second join.
 * Several pieces may stand on the cell of that join. Then the pieces are searched, beginning
 * with the piece of the previous pair, and the first one that is found there counts. NULL if a
 * join has no piece, or memory is out. Release it with free().
 */
int32_t *pack_joins_pieces(const pack_table *t);

/* Encodes the columns of t into out->body, and sets out->version. PTL_ERR_INTERNAL for a
 * value outside of its range. */
ptl_status pack_body_encode(encoded_pack *out, codec *c, pack_kind kind, pack_table *t,
                            ptl_error *err);
/* Appends values as varints: 2n for n >= 0, -2n - 1 for n < 0. */
void pack_put_signed(bytes *out, const int32_t *values, size_t count);
/* Builds the blob: numbers[i] is the file's number of names[i]. */
void pack_blob_build(bytes *out, const encoded_pack *p, const uint32_t *numbers);
/*
 * Parses a blob and checks everything: sizes and ranges; that the numbers of names are below
 * limit and all different; that all names are used, and that they are listed in the order in
 * which they are used first; that no bytes are left at the end. PTL_ERR_CORRUPT if any check
 * fails.
 */
ptl_status pack_parse(pack_table *out, codec *c, pack_kind kind, const void *blob, size_t size,
                      size_t limit, ptl_error *err);

/* What a caller needs to read blobs of packs; all members are borrowed. */
typedef struct pack_reader {
    codec *codec;
    pack_table *table; /* scratch */
    size_t limit;      /* all numbers of names are below this limit */
    /* Returns the name with this number; NULL if there is none. Tables that are read borrow the
     * names, so these must live at least as long. */
    const char *(*name)(const void *names, uint32_t number);
    const void *names;
} pack_reader;
