/*
 * The command change: what its files share. Two *sides* are compared: the content before a
 * change, and the content after it. The *parts* of the comparison are computed one after the
 * other; each leaves tables, texts or pictures here, which the reports then print.
 */
#pragma once

#include "clients/cli/checks/findings.h"
#include "portolan/coverage.h"
#include "portolan/loot.h"
#include "portolan/mapgen.h"
#include "portolan/places.h"
#include "portolan/stats.h"

enum { BEFORE, AFTER, SIDES };

typedef enum change_part {
    PART_DEFINITIONS,
    PART_REMARKS,
    PART_RATES,
    PART_COVERAGE,
    PART_LOOT,
    PART_PICTURES,
    PART_SEAMS,
    PART_COUNT
} change_part;

/* What the command finds (schema/change.md): numbers of `change_kinds`. */
enum {
    FOUND_GONE,
    FOUND_RATE,
    FOUND_NEVER,
    FOUND_REMARK,
    FOUND_SEAMS,
    FOUND_UNSEEN,
    FOUND_EMPTY,
    FOUND_UNUSED,
    FOUND_KINDS
};
extern const finding_kind change_kinds[FOUND_KINDS];

#define NAME_NONE UINT32_MAX

/* An object of the JSON of one side: one of the outermost ones of its file. */
typedef struct change_object {
    const char *file; /* in change.memory */
    size_t start;     /* of its text in the file, in bytes */
    int32_t line;
    uint64_t hash;                               /* of its text without blanks and comments */
    uint32_t first_definition, definition_count; /* what it defines */
    bool touched; /* it differs from all objects of the other side, or uses what is touched */
} change_object;

/* That an object of one side defines an id. */
typedef struct change_definition {
    uint32_t name, object; /* indexes in change.names and in side.objects */
    uint32_t next;         /* the next one of the same name; NAME_NONE: none */
    bool is_abstract;
} change_definition;

typedef enum change_state { STATE_EQUAL, STATE_NEW, STATE_GONE, STATE_CHANGED } change_state;

/* A kind and an id that one of the sides defines. */
typedef struct change_name {
    const char *kind, *id; /* in change.memory; id "": objects of the kind without an id */
    uint32_t first[SIDES], last[SIDES]; /* its definitions; NAME_NONE: there are none */
    change_state state;
    bool touched;
    bool migrated; /* a migration of the content after the change has the id */
    uint32_t by;   /* touched because it uses this one; NAME_NONE: it differs itself */
} change_name;

/* One of the two contents. */
typedef struct change_side {
    args args;             /* a command line for its session */
    const char **operands; /* owned */
    given_option *given;   /* owned */
    session session;
    content content;
    ptl_sources *sources;   /* owned */
    import_issues issues;   /* of a strict import */
    change_object *objects; /* owned; in the order of files and places */
    size_t object_count, object_room;
    change_definition *definitions; /* owned; in the order of their objects */
    size_t definition_count, definition_room;
    strmap objects_at; /* "FILE:START" -> index in objects */
    ptl_sample *sample;
    ptl_tally *tally;
    ptl_coverage *coverage;
    uint64_t seam_problems, seam_chunks;
} change_side;

/* A pair of pictures, or why there is none. */
typedef struct change_picture {
    const char *kind, *id;
    const char *note;      /* "" or what is to be said of it */
    int32_t entry[SIDES];  /* numbers of the entries; 0: of a special; -1: not on this side */
    const char *place;     /* FILE:LINE */
    const char *by;        /* what it is touched through; "": it differs itself */
    bytes png[SIDES];      /* owned; empty: there is none */
    int32_t width, height; /* of a picture, in tiles */
    int32_t level_width;   /* of one of the levels side by side, in tiles */
    int32_t pixels;        /* of a tile's side */
    uint64_t seed;
    uint8_t *marks;          /* owned; width * height: the tiles that differ; NULL: none are */
    size_t differ;           /* how many */
    const char *differences; /* what became what, the most first; "" */
} change_picture;

typedef struct change {
    session *s; /* of the command line */
    change_side sides[SIDES];
    findings findings;
    arena *memory;
    bool without[PART_COUNT];
    bool failed; /* memory is out */
    /* definitions.c: */
    change_name *names; /* owned */
    size_t name_count, name_room;
    strmap names_at; /* kind, a tab and id -> index in names */
    size_t cut;      /* how many touched names were not followed further */
    /* rates.c: */
    ptl_comparison_options rates;
    ptl_comparison *comparison;
    uint64_t overmaps, seed;
    /* pictures.c: */
    change_picture *pictures; /* owned */
    size_t picture_count, picture_room;
    size_t picture_most, pictures_left; /* at most so many; left out because of that */
    report_table tables[PART_COUNT];    /* those of parts that are left out have no rows */
    int listed;                         /* the part of --list; PART_COUNT: none */
    /* The lines of --allow (allow.c). */
    struct change_allowed {
        const char *id, *reason;
        int32_t line;
        bool used;
    } * allowed; /* owned */
    size_t allowed_count, allowed_room, allowed_findings;
    int32_t jobs;
} change;

/* sides.c: */
/* Imports both contents, and keeps their texts. Returns an exit code. */
int change_sides_open(change *c);
void change_sides_close(change *c);

/* definitions.c: */
/* Finds what is new, gone, changed and touched, and the remarks that are new. */
int change_definitions(change *c);
/* Returns the index of a name; NAME_NONE: no side defines it. */
uint32_t change_name_of(const change *c, const char *kind, const char *id);
/* Returns the object that defines the name first: after the change if it is there. */
const change_object *change_object_of(const change *c, const change_name *name, int *side);
const char *change_state_word(change_state state);
/* Is the name of the pack that --pack names, if any? */
bool change_is_asked(const change *c, const change_name *name);

/* touched.c: */
int change_touch(change *c);

/* Parts. Each returns an exit code. */
int change_rates(change *c);
int change_coverage(change *c);
int change_loot(change *c);
int change_pictures(change *c);
void change_pictures_free(change *c);
int change_seams(change *c);

/* allow.c: */
int change_allow_read(change *c);
/* Adds a finding about a name unless --allow allows it. name NAME_NONE: it is about no
 * definition. */
void change_found(change *c, int kind, uint32_t name, const char *id, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
void change_allow_end(change *c);

/* rates.c: */
/* Is the row that of a special that --pack does not leave out? */
bool change_rate_is_asked(const change *c, const ptl_comparison_row *row);

/* print.c: */
int change_print(change *c);
/* Returns the cell of a row by its column's number. */
const report_cell *change_cell(const report_table *t, size_t row, size_t column);
/* Is the row worth a line in reports? All are but those of specials and verdicts that did not
 * change, and of pictures that do not differ. */
bool change_row_is_shown(int part, const report_table *t, size_t row);
/* Sets for each column whether it has anything for people to read, in one of these rows. */
enum { CHANGE_COLUMNS_MAX = 24 };
void change_columns_shown(bool out[CHANGE_COLUMNS_MAX], int part, const report_table *t);
/* Counts these rows. */
size_t change_count_shown(const change *c, int part);
/* Writes a cell as people read it, as its column says: "" for an empty one. A text of the cell
 * is returned as it is. */
const char *change_cell_text(const report_column *column, const report_cell *c, char out[48]);
/* Writes a report into the file of an option. */
int change_write(change *c, const char *path, const bytes *text);
/* Counts the touched names by state, and those that only use what differs. */
void change_count_names(const change *c, size_t out[STATE_CHANGED + 1], size_t *through);
/* Calls `put` with each sentence of the summary. */
void change_sentences(const change *c, void (*put)(void *payload, const char *text),
                      void *payload);
/* Writes what changes of rates the sample could have shown. */
void change_power_sentence(const change *c, char *out, size_t size);
/* html.c, markdown.c: */
int change_html(change *c, const char *path);
int change_markdown(change *c, const char *path);
