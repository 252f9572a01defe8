/*
 * Importing content definitions (JSON) into a world file.
 *
 * A file holds one current content: importing replaces it as a whole, in one transaction, or
 * changes nothing. Its digest is a function of the imported objects, not of file names or
 * of the order in which the file system lists them.
 */
#ifndef PORTOLAN_IMPORT_H
#define PORTOLAN_IMPORT_H

#include "portolan/store.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A note is neither: it says how the content will be understood. */
typedef enum ptl_severity { PTL_WARNING, PTL_ERROR, PTL_NOTE } ptl_severity;

/* One remark on the content. The strings live as long as the callback runs. */
typedef struct ptl_diagnostic {
    size_t size;
    ptl_severity severity;
    const char *file; /* as given or found below a given directory; "" where none applies */
    int line, column; /* from 1; 0 where unknown. Columns count bytes. */
    const char *id;   /* the object's id, "" where none applies */
    const char *message;
    const char *code; /* of remarks on mapgen: "MG301", as in schema/mapgen.md; "" elsewhere */
    const char *pack; /* the id of the pack that it is in, "" where none applies */
    bool is_base;     /* it is in a pack that those that were asked for build on */
} ptl_diagnostic;

typedef struct ptl_import_options {
    size_t size;
    const char *const
        *directories; /* base first, then mods; each a directory or one .json file */
    size_t directory_count;
    bool builtin; /* Portolan's own pack comes first, before the directories */
    bool lenient; /* what is wrong is a warning; the object in which it is is left out, or, of
                   * an unresolved reference, what depends on it */
    bool check;   /* validate only: the store may be NULL and is not touched */
    void (*on_diagnostic)(void *payload, const ptl_diagnostic *diagnostic); /* may be NULL */
    /* As in ptl_open_options, for who has no store to check with; the store's own is asked,
     * too. May be NULL. */
    bool (*should_stop)(void *payload);
    void *payload; /* of all callbacks */
    /* NULL, or a game's own directory, or its data directory: its core, content and names of
     * towns come before the directories, and of its mods those of these ids with what they
     * depend on. A note says which game and version it was taken for. Mods that it does not
     * have are errors. */
    const char *game;
    const char *const *mods;
    size_t mod_count;
    const char *save; /* NULL, or the folder of a saved world: its mods are taken, too */
    /* Called after each file that was read. May be NULL. */
    void (*on_progress)(void *payload, uint64_t files, uint64_t total);
} ptl_import_options;

#define PTL_IMPORT_OPTIONS_INIT PTL_SIZED(ptl_import_options)

enum { PTL_CONTENT_DIGEST_SIZE = 65 };

typedef struct ptl_import_report {
    size_t size;
    bool unchanged;        /* the file holds this very content already: nothing was written */
    uint64_t stale_chunks; /* generated with another content than this: see ptl_import */
    char digest[PTL_CONTENT_DIGEST_SIZE]; /* hex, BLAKE2b-256 */
    uint64_t files, bytes, packs, objects;
    uint64_t terrain_objects; /* overmap_terrain JSON objects, abstract ones among them */
    uint64_t terrain_types;   /* after expanding id lists, without abstract ones */
    uint64_t concrete_terrains;
    uint64_t locations, connections, specials, mutable_specials, city_buildings;
    uint64_t regions, map_extras, land_use_codes, rotatable_symbols;
    uint64_t kept;         /* objects kept as they stand */
    uint64_t skipped;      /* objects of types that Portolan has no use for */
    uint64_t unknown_keys; /* unknown keys of known types, kept with the object */
    uint64_t warnings, errors;
    double seconds;
    /* Pairs of ids, before chains are followed; levels of sight. */
    uint64_t oter_migrations, special_migrations, oter_visions;
    uint64_t left_out; /* objects in which something is wrong, if lenient */
    uint64_t fixed_cities;
} ptl_import_report;

#define PTL_IMPORT_REPORT_INIT PTL_SIZED(ptl_import_report)

/*
 * Imports content. The content that the file held before is kept, as far as reading needs it,
 * if a world, a chunk or a sweep was made with it; report->stale_chunks says how many were:
 * they can be read as before, and ptl_regenerate makes them anew. PTL_ERR_CONTENT if a
 * definition is wrong: every problem was given to on_diagnostic, in one pass, and the file is
 * as it was. report may be NULL; it is filled on PTL_OK and on PTL_ERR_CONTENT (counts so far).
 */
PTL_API ptl_status ptl_import(ptl_import_report *report, ptl_store *store,
                              const ptl_import_options *options, ptl_error *err);

#ifdef __cplusplus
}
#endif
#endif
