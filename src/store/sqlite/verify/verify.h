/* The functions that together do the work of ptl_verify. Invariants are numbered as in
 * schema/format.md, "Invariants". */
#pragma once

#include "store/sqlite/rows/feature_rows.h"
#include "store/sqlite/rows/row_scratch.h"
#include "store/sqlite/rows/rows.h"

enum {
    INVARIANT_SQLITE = 1,
    INVARIANT_SCHEMA,
    INVARIANT_FOREIGN_KEYS,
    INVARIANT_DICTIONARY,
    INVARIANT_WORLD,
    INVARIANT_RUN,
    INVARIANT_CHUNK,
    INVARIANT_LEVEL_MASK,
    INVARIANT_LEVEL,
    INVARIANT_LEVELS_CHECKSUM,
    INVARIANT_BLOB,
    INVARIANT_OMT_DIGEST,
    INVARIANT_EDGES_EXIST,
    INVARIANT_EDGE,
    INVARIANT_CROSSING,
    INVARIANT_EVENT,
    INVARIANT_RUN_COUNT,
    INVARIANT_NAME,
    INVARIANT_FEATURES,
    INVARIANT_FEATURE_DIGEST,
    INVARIANT_BORDER_CELLS,
    INVARIANT_PLACEMENT,
    INVARIANT_PIECES,
    INVARIANT_CONTENT,
    INVARIANT_SET_ASIDE,
    INVARIANT_SWEEP,
    INVARIANT_SWEEP_CHUNK,
    INVARIANT_CONTENT_PAST,
    INVARIANT_MAP,
    INVARIANT_OVERVIEW,
    INVARIANT_SURGE,
    INVARIANT_SPILL,
    INVARIANT_INDEX,
    INVARIANT_EDIT,
    INVARIANT_SAVED
};

/* Groups of checks that ptl_verify makes, as bits. */
enum {
    /* Checks that SQLite makes itself, and checks of the schema and of foreign keys. */
    VERIFY_FILE = 1,
    VERIFY_TABLES = 2,
    VERIFY_CONTENT = 4,
    VERIFY_CHUNKS = 8,
    VERIFY_EDGES = 16,
    VERIFY_ALL = 31
};

typedef struct verifier {
    ptl_store *store;
    problem_visit *on_problem;
    void *payload;
    ptl_verify_counts *counts;
    bool dictionary_bad; /* table oter is damaged, which was reported; OMTs have no names then
                          * and are not checked */
    bool names_bad; /* table `name` is damaged, which was reported; chunks' features are not
                       checked then, since the ids in them can't be looked up */
    catalogue *cat; /* the file's present content; NULL until a chunk with placements is
                     * checked */
    bool no_cat;    /* the file has no content */
} verifier;

/* Makes those checks of ptl_verify whose bits are set in `parts` (VERIFY_...). Tests and repair
 * call it for what they have changed. */
ptl_status verify_parts(ptl_store *store, unsigned parts, problem_visit *on_problem,
                        void *payload, ptl_verify_counts *counts, ptl_error *err);

/* Reports a problem; `where` is its place, as in "world 'w', chunk 3,-2". */
void verify_problem(verifier *v, int invariant, const char *where, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* If status is PTL_ERR_CORRUPT, reports it as a problem, clears *err and returns PTL_OK. Other
 * statuses are returned as they are. */
ptl_status verify_soft(verifier *v, int invariant, const char *where, ptl_status status,
                       ptl_error *err);

/* Runs a query each of whose rows is a problem: the first column is its place in the table, the
 * second says what is wrong. */
ptl_status verify_none(verifier *v, int invariant, const char *table, const char *sql,
                       ptl_error *err);

/* A table whose rows stand alone: each can be checked by itself. */
typedef struct lone_table {
    row_table_id table;
    int invariant;
    const char *where; /* the place that is reported if the table can't be read */
    bool names, oters; /* whether rows of the table refer to the dictionary tables `name` and
                          `oter` by their numbers */
    /* SQL that gives the first row whose id is greater than ?1: the table's columns, then the
     * id of the row's owner, or NULL if the owner does not exist. If `next` is NULL, all rows
     * are read by one statement. */
    const char *next;
    /* Decodes a row of the table, only to see whether that is possible. NULL: the rows are not
     * decoded, and only their checksums are checked. */
    ptl_status (*parse)(ptl_store *store, const stmt *s, ptl_error *err);
} lone_table;

/* The number of tables each of whose rows can be checked by itself: those of the overmaps of
 * sweeps, of local maps, of spills, of local tides, and of edits, placed specials, notes, marks
 * and facts. */
enum { LONE_TABLES = 9 };
extern const lone_table lone_tables[LONE_TABLES];

/* Checks every chunk with its levels, features and overview, and that its edges exist. */
ptl_status verify_chunks(verifier *v, ptl_error *err);

/* Implements the contract's operation (store/store.h); portolan/store.h says what it
 * means. */
ptl_status sqlite_verify(ptl_store *store, problem_visit *on_problem, void *payload,
                         ptl_verify_counts *counts, ptl_error *err);
