/*
 * What the files of the command `portolan change` share. Two *sides* are compared: the content
 * before a change, and the content after it. The *parts* of the comparison (definitions, rates,
 * ...) are computed one after the other. Each leaves tables, texts or pictures in the struct
 * `change`, which the reports then print.
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

/* Kinds of findings (schema/change.md lists them): indexes in `change_kinds`. */
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

/* A JSON object of one side that lies in no other object of its file. */
typedef struct change_object {
    const char *file, *type; /* in change.memory; its member "type", "?" if it has none */
    size_t start;            /* offset of its text in the file, in bytes */
    int32_t line;
    uint64_t hash;                               /* of its canonical text */
    uint32_t first_definition, definition_count; /* in side.definitions */
    bool touched; /* no object of the other side is equal to it, or it uses what is touched */
} change_object;

/* The fact that a JSON object of one side defines an id. */
typedef struct change_definition {
    uint32_t name, object; /* indexes in change.names and in side.objects */
    uint32_t next;         /* the next definition of the same id; NAME_NONE: none */
    bool is_abstract;
} change_definition;

typedef enum change_state { STATE_EQUAL, STATE_NEW, STATE_GONE, STATE_CHANGED } change_state;

/* A *name*: a kind (such as "terrain") and an id of this kind that at least one side defines.
 * One id may be defined in several kinds. */
typedef struct change_name {
    const char *kind, *id; /* in change.memory; id "": objects of the kind without an id */
    uint32_t first[SIDES], last[SIDES]; /* definitions; NAME_NONE: there are none */
    change_state state;
    bool touched;
    bool migrated; /* after the change the content has a migration that names the id */
    uint32_t by;   /* it is touched because it uses this one; NAME_NONE: it differs itself */
} change_name;

/* The content before the change, or the content after it. */
typedef struct change_side {
    args args;             /* the command line as if it had only this side's content */
    const char **operands; /* owned */
    given_option *given;   /* owned */
    session session;
    content content;
    ptl_sources *sources;   /* owned */
    import_issues issues;   /* what a strict import finds */
    change_object *objects; /* owned; file by file, in the order of their texts */
    size_t object_count, object_room;
    change_definition *definitions; /* owned; object by object */
    size_t definition_count, definition_room;
    strmap objects_at; /* "FILE:START" -> index in objects */
    ptl_sample *sample;
    ptl_tally *tally;
    ptl_coverage *coverage;
    uint64_t seam_problems, seam_chunks;
} change_side;

/* Two pictures of one thing, before and after the change, or why there are none. */
typedef struct change_picture {
    const char *kind, *id;
    const char *note;     /* why no picture could be made; "": nothing failed */
    int32_t entry[SIDES]; /* number of the mapgen entry; 0: a special; -1: that side has none */
    const char *place;    /* FILE:LINE */
    const char *by;       /* id of the touched thing that it uses; "": it differs itself */
    bytes png[SIDES];     /* owned; empty: there is none */
    int32_t width, height; /* of one of the two pictures, in tiles */
    int32_t level_width;   /* in tiles; a picture has all levels of a special side by side */
    int32_t pixels;        /* of the side of one tile */
    uint64_t seed;
    uint8_t *marks;          /* owned; of each tile: 1 if it differs, else 0; or NULL */
    size_t differ;           /* number of tiles that differ */
    const char *differences; /* what became what, the most frequent first; or "" */
} change_picture;

typedef struct change {
    session *s; /* of the command line that the user gave */
    change_side sides[SIDES];
    findings findings;
    arena *memory;
    bool without[PART_COUNT];
    bool failed; /* memory is out */
    /* Set by definitions.c: */
    change_name *names; /* owned */
    size_t name_count, name_room;
    strmap names_at; /* kind, a tab and id -> index in names */
    size_t cut;      /* number of touched ids whose uses were not looked for: too many */
    /* Used by rates.c: */
    ptl_comparison_options rates;
    ptl_comparison *comparison;
    uint64_t overmaps, seed;
    /* Set by pictures.c: */
    change_picture *pictures; /* owned */
    size_t picture_count, picture_room;
    size_t picture_most, pictures_left; /* most pictures; how many more were left out */
    report_table tables[PART_COUNT];    /* no rows: the part was left out, or found nothing */
    int listed;                         /* the part that --list names; PART_COUNT: none */
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
/* Finds the definitions that are new, gone or changed, and the remarks that are new. */
int change_definitions(change *c);
/* Returns the index in c->names of an id of this kind; NAME_NONE: no side defines it. */
uint32_t change_name_of(const change *c, const char *kind, const char *id);
/* Returns the object that reports name for an id: the first touched one that defines it, else
 * the first, of the content after the change; of the content before if the id is gone. *side
 * becomes AFTER or BEFORE. */
const change_object *change_object_of(const change *c, const change_name *name, int *side);
const char *change_state_word(change_state state);
/* Returns the index in side->objects of the object in which a place lies; STRMAP_NONE: none.
 * scratch->failed is set when memory is out. */
uint32_t change_object_at(bytes *scratch, const change_side *side, const ptl_place *p);
/* Is the id at this place the value of the key? */
bool change_key_is(const change_side *side, const ptl_place *p, const char *key);
/* Does the pack that --pack names define this id? Always true without --pack. */
bool change_is_asked(const change *c, const change_name *name);

/* touched.c: */
/* Finds the definitions that use what differs. */
int change_touch(change *c);

/* The other parts of the comparison. Each function returns an exit code. */
int change_rates(change *c);
int change_coverage(change *c);
int change_loot(change *c);
int change_pictures(change *c);
void change_pictures_free(change *c);
int change_seams(change *c);

/* allow.c: */
int change_allow_read(change *c);
/* Adds a finding about an id unless --allow allows it. `name` is the id's index in c->names;
 * NAME_NONE: the finding is about no definition. */
void change_found(change *c, int kind, uint32_t name, const char *id, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
void change_allow_end(change *c);

/* rates.c: */
/* Is the row about a special, and about one that --pack does not leave out? */
bool change_rate_is_asked(const change *c, const ptl_comparison_row *row);

/* print.c: */
int change_print(change *c);
/* Returns the cell of a row in the column with this number. */
const report_cell *change_cell(const report_table *t, size_t row, size_t column);
/* Do reports show the row? They leave out specials whose rate and things whose verdict did not
 * change, and pictures that do not differ. */
bool change_row_is_shown(int part, const report_table *t, size_t row);
/* Says of each column whether reports need it: whether any row that they show has a text in
 * it. */
enum { CHANGE_COLUMNS_MAX = 24 };
void change_columns_shown(bool out[CHANGE_COLUMNS_MAX], int part, const report_table *t);
/* Returns the findings with errors first: the one at `i`, where i counts up to twice the number
 * of findings; NULL: none is at i. */
const ptl_diagnostic *change_finding_at(const change *c, size_t i);
/* Counts the rows of a part that reports show (change_row_is_shown). */
size_t change_count_shown(const change *c, int part);
/* Returns a cell as people read it. A number is written into `out`, with as many decimals as
 * its column says. A cell that is a text is returned as it is; "" for an empty cell. */
const char *change_cell_text(const report_column *column, const report_cell *c, char out[48]);
/* Writes a report into the file that --html or --markdown names. */
int change_write(change *c, const char *path, const bytes *text);
/* Counts the touched ids of each state. *through becomes the number of those that do not
 * differ, but use what does. */
void change_count_names(const change *c, size_t out[STATE_CHANGED + 1], size_t *through);
/* Calls `put` with each sentence of the report's summary. */
void change_sentences(const change *c, void (*put)(void *payload, const char *text),
                      void *payload);
/* Writes a sentence that says how large a change of a rate must be for a sample of this size to
 * show it. */
void change_power_sentence(const change *c, char *out, size_t size);
/* html.c, markdown.c: */
int change_html(change *c, const char *path);
int change_markdown(change *c, const char *path);
