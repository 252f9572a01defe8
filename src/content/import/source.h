/*
 * What the files of the importer's source layer share: packs and files as found, the objects of
 * each type, the entries to keep, and the diagnostics gathered so far.
 */
#ifndef CONTENT_IMPORT_SOURCE_H
#define CONTENT_IMPORT_SOURCE_H

#include "content/import/import.h"
#include "content/import/scan.h"
#include "core/digest.h"

/* Limits (README.md, "Limits"). */
enum {
    SOURCE_TOTAL_MAX = 1 << 30,  /* bytes of all files */
    SOURCE_FILES_MAX = 200000,   /* number of files */
    SOURCE_FOLDER_DEPTH_MAX = 64 /* folders inside folders */
};

/* A file as it was found, in the order of the walk. */
typedef struct found_file {
    source_file file;     /* first, so that a source_file's address is its own */
    const char *relative; /* path below the given directory, '/' between parts */
    char *text;           /* owned by the import; file.text points into it */
    size_t root;          /* which of the given directories */
    uint32_t object_count;
} found_file;

typedef enum root_kind {
    ROOT_BASE,  /* what others build on: its remarks come behind theirs */
    ROOT_ASKED, /* a mod that was asked for by its id */
    ROOT_FIRST, /* the first of several directories: what the others build on, unless a mod */
    ROOT_GIVEN  /* a directory */
} root_kind;

/* What is read. */
typedef struct content_root {
    const char *path; /* borrowed; "" is the built-in pack */
    root_kind kind;
} content_root;

typedef enum treatment {
    TREATMENT_SKIPPED,
    TREATMENT_KEPT,
    TREATMENT_TABLE /* read by a module, and kept */
} treatment;

typedef struct type_entry {
    source_type objects; /* filled for TREATMENT_TABLE, and where the objects are compiled */
    treatment treatment;
    bool compiled; /* kept, and a module reads the objects' documents */
    uint64_t count;
} type_entry;

/* An object whose text is stored. */
typedef struct kept_entry {
    const found_file *file;
    const type_entry *type;
    uint32_t offset, length;
    int line;
    scan_span members[SCAN_MEMBERS];
} kept_entry;

typedef struct diagnostic {
    ptl_severity severity;
    bool unresolved;         /* goes into content_issue under that name */
    const source_file *file; /* NULL: path says where, if anywhere */
    const char *path;
    const source_object *object; /* NULL: it is no object that a module has read */
    const char *pointer;         /* of the place inside the object; "" is the object itself */
    size_t offset;               /* in file->text; until diagnostics_finish of the object */
    const char *id, *type, *message;
    const char *code; /* "MG301", or "" */
    bool is_base;     /* of its pack; filled by diagnostics_finish */
    uint32_t sequence;
    int line, column; /* filled by diagnostics_finish */
} diagnostic;

/* A key that no module knows. */
typedef struct unknown_key {
    const char *type, *key;
    const source_object *first; /* that has it */
    uint64_t objects;
} unknown_key;

typedef struct import_source {
    content_root *roots; /* in order; owned */
    size_t root_count, root_capacity;
    found_file **files; /* in import order once packs are ordered; owned */
    size_t file_count, file_capacity;
    size_t used_count; /* of them; files behind these belong to no pack */
    uint64_t total_size;
    bool *pack_named;   /* in the arena; false: the pack's id is only its directory's name */
    type_entry **types; /* in the arena, in order of first appearance */
    size_t type_count, type_capacity;
    strmap type_map;  /* name -> index into types */
    kept_entry *kept; /* owned */
    size_t kept_count, kept_capacity;
    diagnostic *diagnostics; /* owned */
    size_t diagnostic_count, diagnostic_capacity;
    strmap unknown_map;   /* "type\nkey" -> index into unknown */
    unknown_key *unknown; /* owned */
    size_t unknown_count, unknown_capacity;
    json_t **own; /* made by the import; owned, and so are the values */
    size_t own_count, own_capacity;
    uint32_t object_count;
    /* With the lenient option: what is left out since something in it is wrong (modules.c). */
    const source_object **wrong; /* owned array of borrowed objects */
    size_t wrong_count, wrong_capacity;
    strmap left_out;   /* their ids -> index into wrong */
    digest digest;     /* of the content */
    ptl_status status; /* PTL_ERR_NOMEM where no status can be returned, PTL_ERR_CANCELLED */
} import_source;

/* source.c reads everything; im->source must be set up. */
ptl_status source_init(import *im);
void source_dispose(import *im);
ptl_status source_load(import *im);
/* The file's text, to be written to. */
char *source_text(found_file *f);
/* The import frees the value at its end; false (noted) when memory is out, or value is NULL. */
bool source_own(import *im, json_t *value);
/* Returns the source's status as an error, after it was noted that the import is stopped. */
ptl_status source_status(import *im);
void import_fail(import *im, ptl_status status); /* it ends with this one */

/* What is to be read after what is there already; path is borrowed (NULL: no memory). */
void roots_add(import *im, const char *path, root_kind kind);

/* walk.c finds and reads the files of the directories (and the built-in pack). */
void walk_all(import *im);

/* pack.c groups the files into packs and sorts both into import order. */
void packs_order(import *im, json_reader *reader);

/* treatment.c tells what is done with objects of a type. */
treatment treatment_of(const content_module *const *modules, const char *type);
/* Are its objects kept, and compiled to find what is wrong with them? They have documents then,
 * and no values. */
bool treatment_is_compiled(const char *type);

/* modules.c loads and checks everything. With the lenient option what is wrong in an object is
 * a warning, and the object is left out. */
ptl_status modules_run(import *im);
#define LEFT_OUT_TEXT " (the object is left out)"
/* Returns "; that one is left out: FILE:LINE" if an object of that id is, in the arena; else
 * "". */
const char *left_out_text(import *im, const char *id);

/* kept.c: counts by type, kept objects, issues. */
void kept_write(import *im, content_writer *w);
/* For modules that need a little of what is kept, too: each object of a type, in import order,
 * as a value that lives for the call; what is no value is left out. */
typedef void kept_visit(import *im, const kept_entry *entry, const json_t *json);
size_t kept_count(const import *im, const char *type);
void kept_visit_each(import *im, const char *type, kept_visit *visit);

/* unknown.c: */
void unknown_forget(import *im); /* all that were counted so far */
void unknown_write(import *im, content_writer *w);

/* diagnostic.c: */
/* Adds a remark. file may be NULL (then path, which may be ""). The strings are copied. A
 * format of any of these functions may begin with a code ("MG307: "), which the remark then
 * has. */
typedef struct diagnostic_place {
    const source_file *file;
    const char *path;
    size_t offset;
    const char *id, *type; /* may be NULL */
} diagnostic_place;
void diagnostic_add(import *im, ptl_severity severity, diagnostic_place place,
                    const char *format, ...) __attribute__((format(printf, 4, 5)));
/* Adds a remark at an offset of the file's text, inside an object. */
void diagnostic_add_at(import *im, ptl_severity severity, const source_object *obj,
                       const char *id, size_t offset, const char *format, ...)
    __attribute__((format(printf, 6, 7)));
/* Forgets what was added since there were `count`, but for errors in objects: these become
 * warnings that the object is left out. Lines and columns are not known yet. */
void diagnostics_excuse(import *im, size_t count);
/* Fills lines and columns. Sorts: what lies in no file, what was asked for, what that builds
 * on; in each by file and place. */
void diagnostics_finish(import *im);
/* The remark's code and message in one text, in the arena; NULL (noted) without memory. */
const char *diagnostic_text(import *im, const diagnostic *d);
/* Gives them to the callback. */
void diagnostics_emit(import *im);

/* A growing array in the heap gets room for one more element; false (and status) without
 * memory. */
bool source_grow(import *im, void **array, size_t count, size_t *capacity, size_t element_size);

#endif
