/* What the files of the importer's source layer share: packs and files as they were found, the
 * objects of each type, the objects to keep, and the remarks so far. */
#pragma once

#include "content/import/import.h"
#include "content/import/scan.h"
#include "core/digest.h"

/* Limits; README.md, "Limits", lists them. */
enum {
    SOURCE_TOTAL_MAX = 1 << 30,  /* greatest sum of the sizes of all files, in bytes */
    SOURCE_FILES_MAX = 200000,   /* greatest number of files */
    SOURCE_FOLDER_DEPTH_MAX = 64 /* greatest depth of folders inside of folders */
};

/* A file that was found. The list is in the order in which files were found until the packs
 * are ordered. */
typedef struct found_file {
    /* Must be the first member: a pointer to it is also a pointer to the found_file. */
    source_file file;
    const char *relative; /* path below the given directory, with '/' between its parts */
    /* The file's bytes; file.text points into them. If `kept` is NULL, the import owns them.
     * Otherwise, `kept` owns them. */
    char *text;
    struct kept_source *kept; /* what is kept of the file for the next import; may be NULL */
    size_t root;              /* index of the file's directory in import_source.roots */
    uint32_t object_count;
} found_file;

typedef enum root_kind {
    ROOT_BASE,  /* a base of other roots; remarks on its files come last */
    ROOT_ASKED, /* the directory of a mod that was asked for by its id */
    /* The first of several directories: the base of the other ones, unless it is a mod. */
    ROOT_FIRST,
    ROOT_GIVEN /* a given directory that is neither the first one nor a base nor a mod */
} root_kind;

/* A directory to be read. */
typedef struct content_root {
    const char *path; /* path of the directory, borrowed; "" is the built-in pack */
    root_kind kind;
} content_root;

typedef enum treatment {
    TREATMENT_SKIPPED,
    TREATMENT_KEPT,
    TREATMENT_TABLE /* a module reads the type's objects into tables; their texts are kept as
                       well */
} treatment;

typedef struct type_entry {
    /* The objects of the type. The list is empty unless the treatment is TREATMENT_TABLE or the
     * type is compiled. */
    source_type objects;
    treatment treatment;
    bool compiled; /* the type's objects are stored as text, and a module reads them, too */
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
    bool unresolved; /* the remark becomes a row of content_issue with the name "unresolved" */
    /* NULL: the remark is about no file that was read; then `path` may still say what it is
     * about. */
    const source_file *file;
    const char *path;
    const source_object *object; /* NULL: the remark is not about an object of a module */
    const char *pointer; /* JSON Pointer to a value in the object; "" is the object itself */
    /* The place of the object in file->text. diagnostics_finish replaces it by the place of the
     * value that `pointer` names. */
    size_t offset;
    const char *id, *type, *message;
    remark_code code;
    bool is_base; /* the file belongs to a pack that is a base; set by diagnostics_finish */
    uint32_t sequence;
    int line, column; /* line and column of the remark in the file; set by diagnostics_finish */
} diagnostic;

/* A key that no module knows, and how many objects have it. */
typedef struct unknown_key {
    const char *type, *key;
    const source_object *first; /* the first object that has this key */
    uint64_t objects;
} unknown_key;

typedef struct import_source {
    content_root *roots; /* owned; in the order in which they are read */
    size_t root_count, root_capacity;
    found_file **files; /* owned; first in the order of finding, then in import order */
    size_t file_count, file_capacity;
    /* Number of files that belong to a pack; they come first in `files`, and the others are not
     * used. */
    size_t used_count;
    uint64_t total_size;
    /* In the arena; indexed by pack: does the pack's id come from a MOD_INFO? Otherwise the id
     * is only the name of a directory. */
    bool *pack_named;
    type_entry **types; /* in the arena, in the order in which the types first appear */
    size_t type_count, type_capacity;
    strmap type_map;  /* maps the name of a type to its index in `types` */
    kept_entry *kept; /* owned */
    size_t kept_count, kept_capacity;
    diagnostic *diagnostics; /* owned */
    size_t diagnostic_count, diagnostic_capacity;
    strmap unknown_map;   /* maps the text "type\nkey" to an index into `unknown` */
    unknown_key *unknown; /* owned */
    size_t unknown_count, unknown_capacity;
    json_t **own; /* owned; JSON values that the import has made, which it frees at its end */
    size_t own_count, own_capacity;
    uint32_t object_count;
    /* The objects that are left out because of a mistake in them, if the option lenient is set
     * (driver.c). The array is owned; its objects are borrowed. */
    const source_object **wrong;
    size_t wrong_count, wrong_capacity;
    strmap left_out; /* id of an object that is left out -> index into `wrong` */
    strmap text_map; /* maps a path to the index of its text in options->texts */
    /* Owned; for each text of options->texts: was it read in place of a file? */
    bool *text_read;
    struct scan_ahead *ahead; /* owned; NULL: files are not scanned ahead */
    digest digest;            /* the digest of the content */
    /* PTL_ERR_NOMEM or PTL_ERR_CANCELLED, set by functions that return no status. */
    ptl_status status;
} import_source;

/* Functions of source.c, which reads all content. source_init makes im->source. */
ptl_status source_init(import *im);
void source_dispose(import *im);
ptl_status source_load(import *im);
/* Gives a value to the import, which frees it at its end. False when memory is out (which is
 * noted), or if value is NULL. */
bool source_own(import *im, json_t *value);
/* Returns the import's status; sets the error if memory is out or the import was stopped. */
ptl_status source_status(import *im);
void import_fail(import *im, ptl_status status); /* makes the import end with this status */

/* Adds a directory to be read after those added so far. path is borrowed; NULL: memory was
 * out, and nothing is added. */
void roots_add(import *im, const char *path, root_kind kind);

/* walk.c: finds and reads the files of all directories, and the built-in pack. */
void walk_all(import *im);
/* walk.c: makes the table that finds, by their paths, the texts which the caller gives in place
 * of files. */
void texts_find(import *im);
/* walk.c: returns the text that stands for a file of this path; NULL: there is none. */
const ptl_file_text *texts_get(const import *im, const char *path);

/* game.c: adds the directories of the game in the option `game`, before the given ones.
 * Problems become remarks. A remark is an error if the content can't sensibly be read without
 * what it is about. */
void game_take(import *im);

/* pack.c: groups the files into packs, and sorts packs and files into import order. */
void packs_order(import *im, json_reader *reader);

/* pack.c: returns the MOD_INFO in the value of a modinfo.json, which is one object or a list of
 * objects; NULL if there is none. */
const json_t *mod_info_of(const json_t *value);

/* source.c: returns what is done with objects of a type. */
treatment treatment_of(const content_module *const *modules, const char *type);

/* source.c: returns whether an object of a text becomes one of its type's list. Threads may ask
 * this. */
bool source_lists(const import *im, const char *text, const scan_object *object);

#define LEFT_OUT_TEXT " (the object is left out)"
/* Returns "; that one is left out: FILE:LINE", in the arena, if an object with this id was
 * left out; otherwise "". */
const char *left_out_text(import *im, const char *id);

/* source.c: writes packs, counts by type, kept objects, and remarks. */
void kept_write(import *im, content_writer *w);
/* Called by kept_visit_each for each kept object of a type, in import order. The JSON value
 * lives for the call only. Objects that make no JSON value are skipped. */
typedef void kept_visit(import *im, const kept_entry *entry, const json_t *json);
/* Returns how many objects of a type were found. */
size_t source_count(const import *im, const char *type);
void kept_visit_each(import *im, const char *type, kept_visit *visit);

/* Functions of diagnostic.c, which keeps the remarks. */
/* The place of a remark. file may be NULL; then `path`, which may be "", is the place.
 * diagnostic_add copies the strings. */
typedef struct diagnostic_place {
    const source_file *file;
    const char *path;
    size_t offset;
    const char *id, *type; /* may be NULL */
} diagnostic_place;
void diagnostic_add(import *im, ptl_severity severity, diagnostic_place place, remark_code code,
                    const char *format, ...) __attribute__((format(printf, 5, 6)));
/* Adds a remark of the code's usual severity at an offset of the file's text, inside an
 * object. */
void diagnostic_add_at(import *im, const source_object *obj, const char *id, size_t offset,
                       remark_code code, const char *format, ...)
    __attribute__((format(printf, 6, 7)));
/* Drops the remarks from number `count` on, except errors in objects: these become warnings
 * that say that the object is left out. Must be called before diagnostics_finish. */
void diagnostics_excuse(import *im, size_t count);
/* Sets lines and columns, and sorts the remarks: first those without a file, then those on
 * packs that were asked for, then those on bases; in each group by file and place. */
void diagnostics_finish(import *im);
/* Returns a remark's code and message as one text in the arena. */
const char *diagnostic_text(import *im, const diagnostic *d);
/* Gives all remarks to the caller's on_diagnostic. */
void diagnostics_emit(import *im);

/* Makes room for one more element in an array on the heap that grows. Returns false when memory
 * is out; the import's status then says so, too. */
bool source_grow(import *im, void *array, size_t count, size_t *capacity, size_t element_size);
/* Does what source_grow does, given the array and the sizes as variables. */
#define SOURCE_ROOM(im, array, count, capacity)                                                \
    source_grow(im, &(array), count, &(capacity), sizeof *(array))
