/*
 * Imports content definitions (JSON) into a world file.
 *
 * A file has one present content. Importing replaces it as a whole, in one transaction, or
 * changes nothing. The content's digest depends only on the imported objects, not on file
 * names or on the order in which the file system lists files.
 */
#ifndef PORTOLAN_IMPORT_H
#define PORTOLAN_IMPORT_H

#include "portolan/store.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The severity of a remark. A note is neither error nor warning: it says how the import
 * understood the content. */
typedef enum ptl_severity { PTL_WARNING, PTL_ERROR, PTL_NOTE } ptl_severity;

/* One remark on the content. Its texts are valid until the callback returns. */
typedef struct ptl_diagnostic {
    size_t size;
    ptl_severity severity;
    const char *file; /* path of the file that the remark is about, as given or as found below a
                       * given directory; "" if it is about no file */
    /* Place in the file, counted from 1; 0 where unknown. Columns count bytes. */
    int line, column;
    const char *id; /* id of the JSON object that the remark is about; "" if it is about
                     * none */
    const char *message;
    const char *code; /* code of the kind of remark, such as "MG301" (ptl_remark_kind_list) */
    const char *pack; /* id of the pack that contains the JSON object which the remark is about;
                       * "" if it is about none */
    bool is_base;     /* true: the remark is about an object of a pack that was not requested,
                       * but that a requested pack depends on */
} ptl_diagnostic;

/* A kind of remark. Codes never change their meaning; later versions may have more of them.
 * schema/checks.md explains each. */
typedef struct ptl_remark_kind {
    size_t size;
    const char *code;      /* code of the kind, such as "MG301" */
    ptl_severity severity; /* the severity that remarks of this kind usually have */
    const char *title;     /* what the remark says, in a few words */
} ptl_remark_kind;

/* Lists all kinds of remarks that an import, or ptl_mapgen_fault_list, can make, sorted by
 * code. Returning false ends the list. */
PTL_API void ptl_remark_kind_list(bool (*on_kind)(void *payload, const ptl_remark_kind *kind),
                                  void *payload);

/* A text that stands for a file, such as one that an editor has not saved yet. */
typedef struct ptl_file_text {
    const char *path; /* the file's path as remarks name it: a directory as it is given to the
                       * import, '/', and the path below it */
    const char *text; /* need not end with a NUL */
    size_t length;    /* bytes */
} ptl_file_text;

/*
 * What imports keep of the files that they have read, for programs that check content again and
 * again while it is edited. The next import with the same ptl_sources reads only files that
 * have changed since: whose identity, size or time of change is another one, or whose
 * ptl_file_text is. All else is as without it. A ptl_sources belongs to one thread at a time.
 * It needs about three times as much memory as the files have bytes; five times if an import
 * without `check` has used it.
 */
typedef struct ptl_sources ptl_sources;

/* *out is the caller's, who frees it with ptl_sources_free. PTL_ERR_NOMEM when memory is out.
 */
PTL_API ptl_status ptl_sources_new(ptl_sources **out, ptl_error *err);
PTL_API void ptl_sources_free(ptl_sources *sources); /* freeing NULL does nothing */
/* Returns the text of a file as the last import has used it that was not broken off (by
 * should_stop, or by an error other than PTL_ERR_CONTENT). A byte order mark is left out.
 * Where the games accept what is not strict JSON, strict JSON stands in the same bytes. *length
 * is the number of bytes; a NUL follows. Borrowed until the next import. NULL if that import
 * has not read the file. */
PTL_API const char *ptl_sources_text(size_t *length, const ptl_sources *sources,
                                     const char *path);
/* Calls `on_file` with the path of each file that the last import has read, in the order in
 * which it read them. A path is borrowed until the next import. If `on_file` returns false, the
 * list ends. */
PTL_API ptl_status ptl_source_list(const ptl_sources *sources,
                                   bool (*on_file)(void *payload, const char *path),
                                   void *payload, ptl_error *err);

typedef struct ptl_import_options {
    size_t size;
    const char *const *directories; /* what to import, the base content first, then mods; each
                                     * is a directory or one .json file */
    size_t directory_count;
    bool builtin; /* also import Portolan's own pack, before the directories */
    bool lenient; /* true: treat errors as warnings. An object that is wrong is left out; if a
                   * reference can't be resolved, only what depends on the reference is left
                   * out */
    bool check;   /* true: only check the content; the store is not changed and may be NULL */
    void (*on_diagnostic)(void *payload, const ptl_diagnostic *diagnostic); /* called for each
                                                                             * remark; may be
                                                                             * NULL */
    /* Returning true stops the import. It has the same rules as should_stop of
     * ptl_open_options, which is called, too; a caller that checks content without a store
     * needs this callback. May be NULL. */
    bool (*should_stop)(void *payload);
    void *payload; /* given to all callbacks */
    /* NULL, or the directory of a game, or a game's data directory. Before the directories, the
     * call imports three things from the game: its core content, its names of towns, and the
     * mods that `mods` lists by id, with all mods that they depend on. A remark (PTL_NOTE) says
     * which game and version the directory was taken for. If the game lacks a listed mod, that
     * is an error. */
    const char *game;
    const char *const *mods;
    size_t mod_count;
    const char *save; /* NULL, or the folder of a game's saved world: the mods of that world
                       * are imported, too */
    /* Called after each file that was read, with the number of files that were read so far and
     * the number of all files. May be NULL. */
    void (*on_progress)(void *payload, uint64_t files, uint64_t total);
    /* Called with each pack before any remark: its id, the directory that contains it ("": the
     * built-in pack), and whether it is a base pack, as in ptl_diagnostic. The texts are valid
     * until the callback returns. May be NULL. */
    void (*on_pack)(void *payload, const char *id, const char *directory, bool is_base);
    /* Texts that stand for files. Each is read in place of the file of its path. If there is no
     * such file, but the path ends in .json and leads into one of the directories (or into one
     * that the game adds), the text is read as if the file were there. All other texts are
     * ignored. If a path has several texts, the last one counts. */
    const ptl_file_text *texts;
    size_t text_count;
    /* NULL, or what earlier imports have kept of the files: see ptl_sources. With `check` the
     * digest in the report is empty then. */
    ptl_sources *sources;
    /* True: for callers who need the content and not what can be said of it; only with a store
     * that is transient (PTL_OPEN_TRANSIENT). Remarks on mapgen that are no errors are not
     * made, and the digest in the report is empty. */
    bool quick;
} ptl_import_options;

#define PTL_IMPORT_OPTIONS_INIT PTL_SIZED(ptl_import_options)

enum { PTL_CONTENT_DIGEST_SIZE = 65 };

typedef struct ptl_import_report {
    size_t size;
    bool unchanged;        /* the file already has exactly this content: nothing was written */
    uint64_t stale_chunks; /* saved chunks that were generated with another content than the
                            * imported one */
    char digest[PTL_CONTENT_DIGEST_SIZE]; /* digest of the content: BLAKE2b-256 in
                                           * hexadecimal */
    uint64_t files, bytes, packs, objects;
    uint64_t terrain_objects; /* number of overmap_terrain JSON objects, including abstract
                               * ones */
    uint64_t terrain_types;   /* number of overmap terrains, without abstract ones; an object
                               * with a list of ids defines one for each id */
    uint64_t concrete_terrains;
    uint64_t locations, connections, specials, mutable_specials, city_buildings;
    uint64_t regions, map_extras, land_use_codes, rotatable_symbols;
    uint64_t kept;         /* objects that are stored as JSON without being interpreted */
    uint64_t skipped;      /* objects of types that Portolan does not use */
    uint64_t unknown_keys; /* unknown keys in objects of known types; they are stored with the
                            * object */
    uint64_t warnings, errors;
    double seconds;
    /* Migrations are definitions by which a new id replaces an old one; they are counted as
     * pairs of ids, before chains of them are followed. Visions are levels of detail at which
     * a player may see an OMT. */
    uint64_t oter_migrations, special_migrations, oter_visions;
    uint64_t left_out; /* objects that were left out because something in them is wrong (only
                        * with options->lenient) */
    uint64_t fixed_cities;
} ptl_import_report;

#define PTL_IMPORT_REPORT_INIT PTL_SIZED(ptl_import_report)

/*
 * Imports content. If a world, a chunk or a sweep was made with the file's earlier content, the
 * file keeps as much of the earlier content as is needed to read them. report->stale_chunks
 * says how many chunks were made with an earlier content: they can be read as before, and
 * ptl_regenerate makes them anew. report may be NULL; it is filled on PTL_OK, and on
 * PTL_ERR_CONTENT with what was counted until the import ended. PTL_ERR_CONTENT if a definition
 * is wrong: every problem was given to on_diagnostic, in one pass, and the file is unchanged.
 */
PTL_API ptl_status ptl_import(ptl_import_report *report, ptl_store *store,
                              const ptl_import_options *options, ptl_error *err);

#ifdef __cplusplus
}
#endif
#endif
