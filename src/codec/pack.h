/*
 * Packs: what a chunk has many of, one kind to a blob: buildings, monster groups, attempts,
 * pieces and joins of mutable specials, predecessors; the parts of a sweep's summaries
 * (summary.h). schema/format.md, "Packs", is the specification. A pack is a table of integers,
 * stored column by column; of some columns the values are indices of names, all have ranges
 * that reading enforces.
 */
#ifndef CODEC_PACK_H
#define CODEC_PACK_H

#include "codec/chunk_codec.h"

typedef enum pack_kind {
    PACK_PLACEMENTS, /* of buildings; specials are rows */
    PACK_GROUPS,
    PACK_ATTEMPTS,
    PACK_PIECES,
    PACK_JOINS,
    PACK_PREDECESSORS,
    PACK_KINDS, /* of a chunk, in table pack. In sweep_chunk, a column each: */
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
    PACK_COUNTED = PACK_PREDECESSORS, /* the kinds before it are in digests and in the index */
    PACK_VERSION = 2,
    PACK_VERSION_PAIRS = 3,   /* of joins: see pack_join */
    PACK_VERSION_PIECES = 4,  /* of joins: pairs, told by the chunk's pieces */
    PACK_VERSION_LOCAL = 3,   /* of local maps, which are no tables: local_codec.h */
    PACK_VERSION_PALETTE = 4, /* likewise, by a palette, which is the first of the names */
    PACK_COUNT_MAX = 1 << 18, /* entries of a pack */
    PACK_VARINT_MAX = 5,      /* bytes of a value */
    PACK_IDS = 8,             /* pack.id = chunk.id * PACK_IDS + kind */
    PACK_COLUMNS_MAX = 9,
    /* Columns of placements: */
    PLACEMENT_ID = 0,
    PLACEMENT_ROTATION,
    PLACEMENT_Z,
    PLACEMENT_CITY,
    PLACEMENT_X,
    PLACEMENT_Y,
    /* Columns and flags of groups: */
    GROUP_TYPE = 0,
    GROUP_FLAGS,
    GROUP_Z,
    GROUP_RADIUS,
    GROUP_POPULATION,
    GROUP_X,
    GROUP_Y,
    GROUP_FLAG_HORDE = 1,
    GROUP_FLAG_DIFFUSE = 2,
    /* Columns of attempts: */
    ATTEMPT_SPECIAL = 0,
    ATTEMPT_ASKED,
    ATTEMPT_GROUND,
    ATTEMPT_LINKED,
    ATTEMPT_CITY,
    ATTEMPT_ROOM,
    ATTEMPT_FAILED,
    ATTEMPT_PLACED,
    /* Columns of pieces, whose id is the piece's inside its special: */
    PIECE_ID = 0,
    PIECE_ROTATION,
    PIECE_PLACEMENT, /* number of a row of special_placement */
    PIECE_Z,
    PIECE_X,
    PIECE_Y,
    /* Columns of joins: */
    JOIN_ID = 0,
    JOIN_PLACEMENT,
    JOIN_SIDE,
    JOIN_Z,
    JOIN_X,
    JOIN_Y,
    /* Columns of runs of predecessors: */
    PREDECESSOR_ID = 0,
    PREDECESSOR_SOUTH,
    PREDECESSOR_Z,
    PREDECESSOR_X,
    PREDECESSOR_Y,
    PREDECESSOR_LENGTH
};

/* Columns of summaries' parts: the fields of summary.h, in SQL by the same names. */
enum {
    /* Of specials: */
    SUMMARY_SPECIAL_ID = 0,
    SUMMARY_SPECIAL_ASKED,
    SUMMARY_SPECIAL_GROUND,
    SUMMARY_SPECIAL_LINKED,
    SUMMARY_SPECIAL_CITY,
    SUMMARY_SPECIAL_ROOM,
    SUMMARY_SPECIAL_FAILED,
    SUMMARY_SPECIAL_PLACED,
    SUMMARY_SPECIAL_OTHERS,
    /* Of places; a distance of -1 means that there is no such thing: */
    SUMMARY_PLACE_ID = 0,
    SUMMARY_PLACE_AROUND, /* index of a name; -1: none */
    SUMMARY_PLACE_X,
    SUMMARY_PLACE_Y,
    SUMMARY_PLACE_Z,
    SUMMARY_PLACE_ROTATION,
    SUMMARY_PLACE_CITY,
    SUMMARY_PLACE_ROAD,
    SUMMARY_PLACE_SAME,
    /* Of terrains: */
    SUMMARY_TERRAIN_ID = 0,
    SUMMARY_TERRAIN_Z,
    SUMMARY_TERRAIN_CELLS,
    /* Of cities, which have no names: */
    SUMMARY_CITY_X = 0,
    SUMMARY_CITY_Y,
    SUMMARY_CITY_SIZE,
    SUMMARY_CITY_BUILDINGS,
    /* Of buildings: */
    SUMMARY_BUILDING_ID = 0,
    SUMMARY_BUILDING_SIZE,
    SUMMARY_BUILDING_COUNT,
    SUMMARY_BUILDING_DISTANCE_SUM,
    SUMMARY_BUILDING_DISTANCE_MIN,
    SUMMARY_BUILDING_DISTANCE_MAX,
    /* Of lines: */
    SUMMARY_LINE_ID = 0,
    SUMMARY_LINE_CELLS,
    /* Of waters, which have no names: */
    SUMMARY_WATER_KIND = 0, /* summary_water_kind */
    SUMMARY_WATER_CELLS,
    /* Of the baseline, which has no names; entry d is distance d, the last one (SUMMARY_FAR +
     * 1) counts cells that have none: */
    SUMMARY_BASELINE_CITY = 0,
    SUMMARY_BASELINE_ROAD
};

/* How a column's values become varints. */
typedef enum pack_coding {
    PACK_TOKEN, /* index into the names: 0 for the next one that was not used yet, else + 1 */
    PACK_NAME,  /* -1 (none): 0; else a token + 1, going on with the names of columns before */
    PACK_PLAIN, /* value - low */
    PACK_QUADS, /* values 0..3, four to a byte from its lowest bits, zeros at the end */
    PACK_DELTA, /* zigzag difference from the entry before, from 0 for the first */
    PACK_LEFT   /* zigzag difference from the entry's value in the column before */
} pack_coding;

/* How a member of an entry in memory has a column's values. */
typedef enum pack_member_type {
    MEMBER_NONE, /* no member has them: the codec of the kind sees to them */
    MEMBER_ID,   /* const char *; for codecs that know names */
    MEMBER_I8,
    MEMBER_U8, /* bool as well */
    MEMBER_I16,
    MEMBER_I32,
    MEMBER_I64
} pack_member_type;

typedef struct pack_column {
    const char *name;
    int32_t low, high; /* both included */
    pack_coding coding;
    pack_member_type type;
    size_t offset; /* of the member, in the entry */
} pack_column;

typedef struct pack_layout {
    const char *name; /* for messages */
    size_t column_count;
    pack_column columns[PACK_COLUMNS_MAX];
} pack_layout;

const pack_layout *pack_layout_of(pack_kind kind);
/* Has the first column names? If it is PACK_TOKEN every entry has one. No other column has
 * names where the first has none. */
bool pack_has_names(pack_kind kind);

/* A pack in memory. Zero it before its first use; it keeps its memory from use to use. */
typedef struct pack_table {
    int32_t *columns[PACK_COLUMNS_MAX]; /* column c, entry i: columns[c][i] */
    size_t count;
    size_t room;
    uint32_t *numbers; /* of the file's table `name`, by index; from pack_parse */
    size_t name_count;
    size_t name_room;
    bytes stream; /* scratch */
    /* Of joins: the pieces of the same chunk, which they may be told by; borrowed. NULL: they
     * are not at hand, so that PACK_VERSION_PIECES is neither written nor read. */
    const struct pack_table *pieces;
} pack_table;

void pack_table_dispose(pack_table *t);
/* What the entry's member says; none of ids. */
int64_t pack_member(const void *entry, const pack_column *column);
/* Entry i of the table from the members of one in memory, and back: of all columns that have a
 * member, but ids. A member holds all values of its column. */
void pack_put_members(pack_table *t, pack_kind kind, size_t i, const void *entry);
void pack_take_members(void *entry, const pack_table *t, pack_kind kind, size_t i);
/* Returns the codec's own, one of each kind of a chunk, empty; until the next call. */
pack_table *codec_tables(codec *c);
/* Room for count entries; their values are undefined. */
ptl_status pack_table_resize(pack_table *t, pack_kind kind, size_t count, ptl_error *err);

/* A pack before the file's numbers of its names are known. */
typedef struct encoded_pack {
    const char **names; /* owned list, borrowed texts; in order of first appearance */
    size_t name_count;
    size_t count;
    uint8_t version; /* the form of the body; 0: there is none yet */
    bool local;      /* of a local map: many names are a near list (number_list.h) */
    bytes body;      /* the columns */
} encoded_pack;

void encoded_pack_dispose(encoded_pack *p);

/*
 * A join, by its piece and side. Two pieces that met have one each, and growth notes them one
 * after the other, that of the piece that came later second: so the first one of such a pair is
 * known by the second, and that by its side and piece. Where all joins of a chunk are so,
 * columns other than the ids hold the second one of each alone, as a number of a piece and a
 * side. (In PACK_VERSION_PAIRS, which is written where the pieces don't have them, they hold
 * the first.)
 */
typedef struct pack_join {
    int32_t side, z, x, y;
} pack_join;

/* Returns the join that it met. */
pack_join pack_join_met(pack_join j);

enum { PACK_PAIR_PIECE, PACK_PAIR_SIDE, PACK_PAIR_COLUMNS };

/* The columns of pairs by pieces. */
const pack_column *pack_pair_column(int column);
/* Is each second join of t the one that the join before it met? */
bool pack_joins_are_pairs(const pack_table *t);
/*
 * The pieces of the second joins of t, which are pairs: one for each pair, of several on one
 * cell the one behind the pair's before. NULL if a join is of none, or memory is out; free()
 * it.
 */
int32_t *pack_joins_pieces(const pack_table *t);
/* Columns of joins that hold one of each pair are spread over both, those that were met are
 * added. by_pieces: JOIN_PLACEMENT and JOIN_SIDE have the columns of pairs by pieces, of second
 * joins; else all hold the first. False if a piece is not there, or a join outside. */
bool pack_joins_spread(pack_table *t, bool by_pieces);

/* Puts the columns of t as bytes into out->body, and says in which form. PTL_ERR_INTERNAL for a
 * value out of its range. */
ptl_status pack_body_encode(encoded_pack *out, codec *c, pack_kind kind, pack_table *t,
                            ptl_error *err);
/* The values as varints of 2n for n >= 0, -2n - 1 for n < 0. */
void pack_put_signed(bytes *out, const int32_t *values, size_t count);
/* Builds the blob: numbers[i] is the file's number of names[i]. */
void pack_blob_build(bytes *out, const encoded_pack *p, const uint32_t *numbers);
/*
 * Checks everything: sizes, ranges, numbers below limit and all different, names all used and
 * in order of first appearance, nothing left over. PTL_ERR_CORRUPT for anything else.
 */
ptl_status pack_parse(pack_table *out, codec *c, pack_kind kind, const void *blob, size_t size,
                      size_t limit, ptl_error *err);

/* What blobs of packs are read with; all of it borrowed. */
typedef struct pack_reader {
    codec *codec;
    pack_table *table; /* scratch */
    size_t limit;      /* numbers of names are below it */
    /* Lives as long as what is read; NULL: there is none of this number. */
    const char *(*name)(const void *names, uint32_t number);
    const void *names;
} pack_reader;

#endif
