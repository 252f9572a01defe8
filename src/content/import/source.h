/*
 * What the files of the importer's source layer share: packs and files as they were found, the
 * objects of each type, the objects to keep, and the remarks so far.
 */
#pragma once

#include "content/import/import.h"
#include "content/import/scan.h"
#include "core/digest.h"

/* Limits; README.md, "Limits", lists them. */
enum {
    SOURCE_TOTAL_MAX = 1 << 30,  /* bytes of all files */
    SOURCE_FILES_MAX = 200000,   /* number of files */
    SOURCE_FOLDER_DEPTH_MAX = 64 /* folders inside folders */
};

/* A file, in the order in which the walk found them. */
typedef struct found_file {
    source_file file;     /* first, so that its address is the found_file's */
    const char *relative; /* path below the given directory, '/' between parts */
    char *text;           /* owned by the import; file.text points into it */
    size_t root;          /* number of the given directory */
    uint32_t object_count;
} found_file;

typedef enum root_kind {
    ROOT_BASE,  /* others build on it; its remarks come last */
    ROOT_ASKED, /* a mod that was asked for by id */
    /* The first of several directories: the base of the others, unless it is a mod. */
    ROOT_FIRST,
    ROOT_GIVEN /* any other directory */
} root_kind;

/* A directory to be read. */
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
    /* Filled for TREATMENT_TABLE, and for types that are compiled. */
    source_type objects;
    treatment treatment;
    bool compiled; /* kept, but a module reads its objects' documents */
    uint64_t count;
} type_entry;

/* An object whose text is kept. */
typedef struct kept_entry {
    const found_file *file;
    const type_entry *type;
    uint32_t offset, length;
    int line;
    scan_span members[SCAN_MEMBERS];
} kept_entry;

typedef struct diagnostic {
    ptl_severity severity;
    bool unresolved;         /* kept in content_issue with the name "unresolved" */
    const source_file *file; /* NULL: `path` says where, if anything does */
    const char *path;
    const source_object *object; /* NULL: the remark is on no object of a module */
    const char *pointer;         /* to a value in the object; "" is the object itself */
    /* In file->text; until diagnostics_finish of the object. */
    size_t offset;
    const char *id, *type, *message;
    const char *code; /* "MG301", or "" */
    bool is_base;     /* it is in a base pack; set by diagnostics_finish */
    uint32_t sequence;
    int line, column; /* set by diagnostics_finish */
} diagnostic;

/* A key that no module knows, and how many objects have it. */
typedef struct unknown_key {
    const char *type, *key;
    const source_object *first; /* the first object that has it */
    uint64_t objects;
} unknown_key;

typedef struct import_source {
    content_root *roots; /* in order; owned */
    size_t root_count, root_capacity;
    found_file **files; /* owned; in import order once packs are ordered */
    size_t file_count, file_capacity;
    /* Files from here on belong to no pack. */
    size_t used_count;
    uint64_t total_size;
    /* In the arena; false: the pack's id is only the name of its directory. */
    bool *pack_named;
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
    json_t **own; /* values that the import has made; owned, with the list */
    size_t own_count, own_capacity;
    uint32_t object_count;
    /* With the option lenient: objects that are left out since something in them is wrong
     * (driver.c). */
    const source_object **wrong; /* owned array of borrowed objects */
    size_t wrong_count, wrong_capacity;
    strmap left_out; /* from their ids to indices into wrong */
    digest digest;   /* of the content */
    /* PTL_ERR_NOMEM or PTL_ERR_CANCELLED, from functions that return no status. */
    ptl_status status;
} import_source;

/* source.c reads everything. source_init sets im->source up. */
ptl_status source_init(import *im);
void source_dispose(import *im);
ptl_status source_load(import *im);
/* Hands a value to the import, which frees it at its end. False when memory is out (noted),
 * or value is NULL. */
bool source_own(import *im, json_t *value);
/* Returns the source's status as an error; also notes whether the import is to be stopped. */
ptl_status source_status(import *im);
void import_fail(import *im, ptl_status status); /* the import ends with this status */

/* Adds a directory to be read behind those that are there. path is borrowed (NULL: no
 * memory). */
void roots_add(import *im, const char *path, root_kind kind);

/* walk.c: finds and reads the files of all directories, and the built-in pack. */
void walk_all(import *im);

/* game.c: adds the roots that the option `game` stands for, before the directories. Problems
 * become remarks, with errors if reading would make no sense. */
void game_take(import *im);

/* pack.c: groups the files into packs, and sorts packs and files into import order. */
void packs_order(import *im, json_reader *reader);

/* pack.c: returns the MOD_INFO in the value of a modinfo.json, which is one object or a list of
 * objects; NULL if there is none. */
const json_t *mod_info_of(const json_t *value);

/* source.c: tells what is done with objects of a type. */
treatment treatment_of(const content_module *const *modules, const char *type);

#define LEFT_OUT_TEXT " (the object is left out)"
/* Returns "; that one is left out: FILE:LINE", in the arena, if an object with that id was
 * left out; else "". */
const char *left_out_text(import *im, const char *id);

/* source.c: writes counts by type, kept objects, and issues. */
void kept_write(import *im, content_writer *w);
/* For modules that need a little of the kept objects: visits each object of a type in
 * import order, as a value that lives for the call. Objects that are no valid value are
 * skipped. */
typedef void kept_visit(import *im, const kept_entry *entry, const json_t *json);
/* Returns how many objects of a type were found. */
size_t source_count(const import *im, const char *type);
void kept_visit_each(import *im, const char *type, kept_visit *visit);

/* diagnostic.c: remarks. */
/* Adds a remark. file may be NULL; then `path` counts, which may be "". The strings are
 * copied. The format of any of these functions may begin with a code ("MG307: "), which
 * becomes the remark's code. */
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
/* Forgets the remarks from number `count` on, except errors in objects, which become
 * warnings that the object is left out. Must be called before lines and columns are known. */
void diagnostics_excuse(import *im, size_t count);
/* Sets lines and columns, and sorts the remarks: first those without a file, then those on
 * packs that were asked for, then those on bases; in each group by file and place. */
void diagnostics_finish(import *im);
/* Returns a remark's code and message as one text in the arena. */
const char *diagnostic_text(import *im, const diagnostic *d);
/* Gives all remarks to the callback. */
void diagnostics_emit(import *im);

/* Makes room for one more element in a growing array on the heap; false when memory is out,
 * which the status tells, too. */
bool source_grow(import *im, void *array, size_t count, size_t *capacity, size_t element_size);
/* The same, given the pointer and the sizes themselves. */
#define SOURCE_ROOM(im, array, count, capacity)                                                \
    source_grow(im, &(array), count, &(capacity), sizeof *(array))
