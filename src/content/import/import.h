/*
 * The importer's internal interface. Only content/ includes it (it brings jansson.h). An
 * import runs in four passes over one `import`:
 *   1. source.c reads packs and files, and sorts their objects by "type" (packs in dependency
 *      order, files by path in bytewise order, objects in file order). scan.c validates all of
 *      a file's text; objects of types that a module reads become Jansson values. With the
 *      option `sources`, sources.c gives what is known of unchanged files without reading them.
 *   2. load() of each module of types: inheritance, redefinition, fields into the module's own
 *      model. Models live in the arena and are reached by pointers in `import`.
 *   3. check() of each module: references between types, all problems in one pass.
 *   4. write() of each module, only if there were no errors and the content's digest is new.
 *      It is part of the transaction that replaces the old content, whose rows are gone by
 *      then.
 * With the option lenient, passes 2 and 3 run again without the objects that have errors. A
 * module never stops at a bad object: it reports the object and goes on. A pass returns a
 * status other than PTL_OK only if going on is impossible (no memory, I/O). A pass that is
 * stopped may return PTL_OK with its work half done.
 */
#pragma once

#include "core/arena.h"
#include "core/stop.h"
#include "core/suggest.h"
#include "model/remark_codes.h"
#include "os/new_file.h"
#include "portolan/import.h"
#include "store/content_store.h"
#include "json/document.h"
#include "json/json_value.h"

typedef struct import import;
typedef struct content_module content_module;

/* One JSON file. Its text is kept until the import ends, so that places can be found in it. */
typedef struct source_file {
    /* For messages: the directory as the caller gave it, '/', and the path below it. */
    const char *path;
    uint32_t pack; /* index of the file's pack in import.packs */
    /* The file's text, with a NUL behind it; comments inside arrays are blanked. */
    const char *text;
    size_t size;
    uint32_t index; /* index of the file in the list of all files */
} source_file;

/* One top-level object of a file. */
typedef struct source_object {
    const source_file *file;
    /* Owned by the import. NULL for an object of which only the document is kept. */
    json_t *json;
    json_document document; /* where in file->text the object and each value in it stand */
    struct scan_kept *kept; /* what is kept of it for the next import; NULL: nothing is */
    const char *type;       /* value of the object's member "type" */
    int line;               /* from 1 */
    /* The object's position in the whole import. A definition of an id replaces the definitions
     * of that id that come before it. */
    uint32_t order;
} source_object;

/* All objects of one type, in order. */
typedef struct source_type {
    const char *name;
    source_object **objects; /* the objects, which the import owns */
    size_t count, capacity;
} source_type;

typedef struct import_pack {
    const char *id; /* id that the pack's MOD_INFO states, or the directory's base name */
    const char *name;
    const char *directory;
    uint32_t file_count, object_count;
    /* The pack is a base of the packs that were asked for, and was not asked for itself. */
    bool is_base;
} import_pack;

/* A definition after inheritance. If an id is defined several times, only the last definition
 * is kept. */
typedef struct definition {
    const char *id;
    const source_object *object;
    void *value; /* the definition's values; its definition_type says what struct this is */
} definition;

typedef struct definition_list {
    definition *items; /* one for each id, sorted by id; abstract definitions are left out */
    size_t count;
} definition_list;

struct import {
    const ptl_import_options *options;
    ptl_import_report *report; /* never NULL; all passes add to the counts in the report */
    ptl_error *err;
    ptl_store *store;   /* NULL: the content is only checked */
    uint32_t questions; /* how often import_stopped was called */
    /* The world file that is written. It is skipped in every directory, whatever its name is.
     */
    file_id world;
    bool has_world;
    /* The number of comparisons of known ids with unknown ones so far, for suggestions
     * (suggest_among). */
    uint64_t compared;
    /* The game ("dda" or "bn"), and the game's version. NULL: no game was given, or the game is
     * not known. */
    const char *game, *game_version;
    const content_module *const *modules; /* ends with NULL */
    arena *arena;
    import_pack *packs;
    size_t pack_count;
    struct import_source *source; /* files, objects and types; defined in source.h */
    /* For each table of the content (content_part), the definitions that are rows in it: those
     * of the types that the modules list in content_module.definitions. */
    definition_list lists[CONTENT_PARTS];
    struct terrain_model *terrains; /* defined in terrain.h */
    /* The objects of the types overmap_special and city_building; defined in special.h. */
    struct special_model *specials;
    struct region_model *regions;
    struct options_model *options_model; /* options and dimensions; defined by options.c */
    struct migration_model *migrations;  /* replacements of earlier ids, and definitions of type
                                            oter_vision; defined by options.c */
    struct group_model *groups;          /* defined by misc.c */
    struct misc_model *misc;             /* definitions of type rotatable_symbol; defined by
                                            misc.c */
};

/* Returns the objects of a type: an empty list if there are none, never NULL. */
const source_type *import_objects(const import *im, const char *type);

/*
 * Notes that memory is out. The import remembers that, and ends with PTL_ERR_NOMEM, so modules
 * need no status of their own: they only must not use what could not be made.
 */
void import_no_memory(import *im);
/* Returns zeroed room in the arena for `count` elements (at least one); NULL when memory is
 * out, which the import remembers. */
void *import_alloc(import *im, size_t count, size_t size);
/* Is memory out, or was the import stopped? Then the models are incomplete. */
bool import_ended(const import *im);
/*
 * Returns whether the import is to be stopped. Every loop whose length the content decides
 * must call this, and end early if it is true; the driver then ends the import by itself.
 * import_asks gives the same question as a stop_hook.
 */
bool import_stopped(import *im);
struct pool;
/* Waits until all tasks of a pool are done, and frees them; asks meanwhile whether to stop. A
 * task that fails ends the import. */
void import_await(import *im, struct pool *p);
stop_hook import_asks(import *im);

/*
 * Reports a problem with an object. `pointer` names the value inside it as a JSON Pointer (RFC
 * 6901), e.g. "/overmaps/3/point"; "" is the object itself. The object's document gives the
 * line and the column. id may be NULL: then the object's own "id" (or "abstract") is used.
 * With options->lenient, an object with an error is left out, and everything is loaded again
 * without it (driver.c). import_error returns false, so that a function can end with `return
 * import_error(...)`. import_unresolved reports an unknown reference: an error, or with
 * options->lenient a warning that is also recorded in table content_issue. It returns true if
 * the caller should leave out what depends on the reference (lenient), false if it should just
 * go on. In either case the reference must not be used.
 */
bool import_error(import *im, const source_object *obj, const char *id, const char *pointer,
                  remark_code code, const char *format, ...)
    __attribute__((format(printf, 6, 7)));
void import_warning(import *im, const source_object *obj, const char *id, const char *pointer,
                    remark_code code, const char *format, ...)
    __attribute__((format(printf, 6, 7)));
bool import_unresolved(import *im, const source_object *obj, const char *id,
                       const char *pointer, remark_code code, const char *format, ...)
    __attribute__((format(printf, 6, 7)));
/* Adds a note on how the content was understood. Notes are not counted and not kept in the
 * file. */
void import_note(import *im, const source_object *obj, const char *id, const char *pointer,
                 remark_code code, const char *format, ...)
    __attribute__((format(printf, 6, 7)));

/*
 * Begins a suggestion for an unknown id that is to be compared with `count` known ones. False
 * once the import has made more comparisons than any content in use needs; then nothing may be
 * offered. Without this limit the time for hostile content would grow with the number of
 * unknown ids times that of known ids. A note tells once that the limit is reached.
 */
bool suggest_among(import *im, suggestion *s, const char *wanted, size_t count);
/* Returns ", did you mean 'x'?" in the arena, or "" if no word is near. Never NULL. */
const char *suggest_text(import *im, const suggestion *s);
/* Compares an unknown id with those of a list, whose elements are structs that begin with their
 * ids. Returns ", did you mean 'x'?" in the arena, or "". Never NULL. */
const char *suggest_id(import *im, const char *wanted, const void *entries, size_t count,
                       size_t size);
#define SUGGEST_ID(im, wanted, entries, count)                                                 \
    suggest_id(im, wanted, entries, count, sizeof *(entries))

/* For lists whose elements are structs that begin with their ids. compare_ids orders them by
 * id. find_id finds an element by its id in a list of that order; NULL if there is none. */
int compare_ids(const void *a, const void *b);
void *find_id(void *entries, size_t count, size_t size, const char *id);
#define FIND_ID(entries, count, id) find_id(entries, count, sizeof *(entries), id)

/* Counts a key that the object's type does not know. The stored object keeps the key. The key
 * must not be a comment, and must live as long as the import. */
void import_count_unknown_key(import *im, const source_object *obj, const char *key);

/* Returns a name, which is a string or an object with "str" (or "str_sp"); "" for anything
 * else. */
const char *import_name(const json_t *value);
/* Returns a value as compact JSON in the arena; NULL when memory is out, which the import
 * remembers. */
const char *import_json_text(import *im, const json_t *value);
/* Return the JSON Pointer "<parent>/<key>" or "<parent>/<index>" in the arena, with ~ and / in
 * the key escaped. */
const char *import_pointer(import *im, const char *parent, const char *key);
const char *import_pointer_at(import *im, const char *parent, size_t index);
/* Returns a text as one line of visible characters (core/visible.h), in the arena: names and
 * ids come from files that anybody may have written. "" for NULL; NULL when memory is out. */
const char *import_visible(import *im, const char *text);
/* Returns a text as printf makes it, in the arena; "" when memory is out, which the import
 * remembers. */
const char *import_printf(import *im, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* A module reads some types of objects. An import goes through a list of modules in order. */
struct content_module {
    const char *name;
    const char *const *types; /* types of JSON objects that the module reads; ends with NULL */
    /* The definition_types of the module, which say how objects of some of its types are loaded
     * and written. The list ends with a row whose name is NULL. NULL: the module has none. */
    const struct definition_type *definitions;
    void (*load)(import *im);  /* loads the module's objects; NULL: there is nothing to load */
    void (*check)(import *im); /* called when all modules have loaded; may be NULL */
    /* Writes the module's tables. NULL: there is nothing to write but the definitions. */
    void (*write)(import *im, content_writer *w);
};

/* Does what ptl_import does, with these modules (a list that ends with NULL). */
ptl_status import_content(ptl_store *store, const ptl_import_options *options,
                          ptl_import_report *report, const content_module *const *modules,
                          ptl_error *err);
