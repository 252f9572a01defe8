/*
 * The importer's inner interface. Only content/ includes this (it brings jansson.h).
 *
 * An import runs in four passes over one `import`:
 *   1. source.c reads packs and files, and sorts their objects by "type" (packs in dependency
 *      order, files by path in bytewise order, objects in file order). scan.c validates all of
 *      a file's text; the objects of those types that a module reads become Jansson values.
 *   2. each type module's load(): inheritance, redefinition, fields into its own model. Models
 *      live in the arena and depend on im->model->...
 *   3. each module's check(): references between types, all problems in one pass.
 *   4. only without errors and only if the content's digest is new: each module's write(), in
 *      the one transaction that also replaces the old content, whose rows are gone by then.
 * With the lenient option 2 and 3 run again without
 * what was wrong. A module never stops at a bad object: it reports and goes on. A pass returns
 * a status other than PTL_OK only for what makes going on impossible (no memory, I/O). One that
 * is stopped may return PTL_OK, its work half done.
 */
#ifndef CONTENT_IMPORT_IMPORT_H
#define CONTENT_IMPORT_IMPORT_H

#include "core/arena.h"
#include "core/stop.h"
#include "core/suggest.h"
#include "os/new_file.h"
#include "portolan/import.h"
#include "store/content_store.h"
#include "json/document.h"
#include "json/json_value.h"

typedef struct import import;
typedef struct content_module content_module;

/* One JSON file. Text is kept until the import ends, for positions. */
typedef struct source_file {
    const char *path; /* shown in messages: the directory as given, '/', the path below it */
    uint32_t pack;    /* index into import.packs */
    const char *text; /* comments inside arrays blanked; a NUL follows */
    size_t size;
    uint32_t index; /* position among the import's files */
} source_file;

/* One top-level object of a file. */
typedef struct source_object {
    const source_file *file;
    json_t *json; /* owned by the import; an object, or NULL of what has its document alone */
    json_document document; /* where in file->text its values stand */
    const char *type;       /* its "type" */
    int line;               /* from 1 */
    uint32_t order;         /* position in the whole import: later ones redefine earlier ones */
} source_object;

/* All objects of one type, in order. */
typedef struct source_type {
    const char *name;
    source_object **objects; /* array of borrowed pointers */
    size_t count, capacity;
} source_type;

typedef struct import_pack {
    const char *id; /* MOD_INFO id; the directory's base name without one */
    const char *name;
    const char *directory;
    uint32_t file_count, object_count;
    bool is_base; /* those that were asked for build on it */
} import_pack;

struct import {
    const ptl_import_options *options;
    ptl_import_report *report; /* never NULL; counts go straight in here */
    ptl_error *err;
    ptl_store *store;   /* NULL: only a check */
    uint32_t questions; /* of import_stopped */
    file_id world;      /* the file that is written: it is no content, whatever its name is */
    bool has_world;
    uint64_t compared; /* ids that were offered where another is unknown; see suggest_among */
    const char *game, *game_version; /* of options->game; NULL: not asked for, or not known */
    const content_module *const *modules; /* NULL-terminated */
    arena *arena;
    import_pack *packs;
    size_t pack_count;
    struct import_source *source;     /* source.c's: files, objects, types */
    struct terrain_model *terrains;   /* terrain.c's */
    struct location_model *locations; /* location.c's */
    struct connection_model *connections;
    struct special_model *specials; /* special.c's: overmap_special and city_building */
    struct region_model *regions;
    struct options_model *options_model; /* options.c's: options, dimensions */
    struct migration_model *migrations;  /* migrations.c's: earlier ids, oter_vision */
    struct group_model *groups;          /* monstergroup.c's */
    struct city_model *cities;           /* city.c's */
    struct misc_model *misc; /* map_extra, overmap_land_use_code, rotatable_symbol */
};

/* Returns the objects of a type; an empty list (never NULL) if there are none. */
const source_type *import_objects(const import *im, const char *type);

/*
 * Memory. Where it is out the import remembers that, and ends with PTL_ERR_NOMEM: modules need
 * no status of their own, only what they use must be there.
 */
void import_no_memory(import *im);
/* Makes room for so many elements (0: for one) in the arena, zeroed; NULL: memory is out. */
void *import_alloc(import *im, size_t count, size_t size);
/* Is memory out, or was the import stopped? What was made is not complete then. */
bool import_ended(const import *im);
/*
 * Is the import to stop? Every loop over what content can make long asks, and ends as if there
 * were no more: the driver knows then. import_asks is the same as a hook.
 */
bool import_stopped(import *im);
stop_hook import_asks(import *im);

/*
 * Reports a problem with an object. pointer names the value inside it as a JSON Pointer
 * (RFC 6901), e.g. "/overmaps/3/point"; "" is the object itself. The object's document has its
 * line and column. id may be NULL: the object's own "id" (or "abstract") is
 * used. With options->lenient an object with an error is left out, and everything is loaded
 * again without it (modules.c). import_unresolved is an error, or with options->lenient a
 * warning that is also recorded in table content_issue; it returns true if the caller should
 * leave out what depends on the reference (lenient) or just go on (else): either way do not use
 * the reference.
 */
void import_error(import *im, const source_object *obj, const char *id, const char *pointer,
                  const char *format, ...) __attribute__((format(printf, 5, 6)));
void import_warning(import *im, const source_object *obj, const char *id, const char *pointer,
                    const char *format, ...) __attribute__((format(printf, 5, 6)));
bool import_unresolved(import *im, const source_object *obj, const char *id,
                       const char *pointer, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
/* Says how the content is understood; not counted, not kept in the file. */
void import_note(import *im, const source_object *obj, const char *id, const char *pointer,
                 const char *format, ...) __attribute__((format(printf, 5, 6)));

/*
 * suggest_begin for an id that is to be compared with `count` known ones. False (and nothing is
 * to be offered) once an import has compared more than any content in use makes it: else
 * mistakes without end would cost their number times that of the ids. A note says so, once.
 */
bool suggest_among(import *im, suggestion *s, const char *wanted, size_t count);
/* ", did you mean 'x'?" in the arena, or "". Never NULL. */
const char *suggest_text(import *im, const suggestion *s);
/* The same for an id and entries that begin with theirs. */
const char *suggest_id(import *im, const char *wanted, const void *entries, size_t count,
                       size_t size);
#define SUGGEST_ID(im, wanted, entries, count)                                                 \
    suggest_id(im, wanted, entries, count, sizeof *(entries))

/* Order of entries that begin with their ids; and one of them that are in that order: NULL if
 * there is none. */
int compare_ids(const void *a, const void *b);
void *find_id(void *entries, size_t count, size_t size, const char *id);
#define FIND_ID(entries, count, id) find_id(entries, count, sizeof *(entries), id)

/* Counts an unknown key of a known type, kept with the object; none that is a comment. key
 * lasts as long as the import. */
void import_count_unknown_key(import *im, const source_object *obj, const char *key);

/* Typed readers: they report a wrong type at the right place and return false. A missing
 * key returns false silently and leaves *out alone unless `required`. */
bool import_get_string(import *im, const source_object *obj, const json_t *in,
                       const char *pointer, const char *key, bool required, const char **out);
bool import_get_int(import *im, const source_object *obj, const json_t *in, const char *pointer,
                    const char *key, bool required, int64_t lo, int64_t hi, int64_t *out);
bool import_get_number(import *im, const source_object *obj, const json_t *in,
                       const char *pointer, const char *key, bool required, double *out);
bool import_get_bool(import *im, const source_object *obj, const json_t *in,
                     const char *pointer, const char *key, bool *out);
/* Returns "an array", "a string", ...: what a message says was found. */
const char *import_type_name(const json_t *value);
/* Returns a name: a string, or an object with "str" (or "str_sp"). "" otherwise. */
const char *import_name(const json_t *value);
/* Returns a value as compact JSON in the arena; NULL when memory is out, which the import
 * remembers. */
const char *import_json_text(import *im, const json_t *value);
/* Returns a pointer string "<parent>/<key>" or "<parent>/<index>" in the arena, ~ and /
 * escaped. */
const char *import_pointer(import *im, const char *parent, const char *key);
const char *import_pointer_at(import *im, const char *parent, size_t index);

/* What reads some types of objects: an import goes through a list of these, in its order. */
struct content_module {
    const char *name;
    const char *const *types;  /* the JSON types that it reads, NULL-terminated */
    void (*load)(import *im);  /* NULL: nothing, as for the next */
    void (*check)(import *im); /* when all have loaded */
    void (*write)(import *im, content_writer *w); /* NULL: it is kept as text (kept.c) */
};

/* ptl_import, by these modules (NULL-terminated). */
ptl_status import_content(ptl_store *store, const ptl_import_options *options,
                          ptl_import_report *report, const content_module *const *modules,
                          ptl_error *err);

#endif
