/*
 * What imports keep of files, so that a later import need not read them again (ptl_sources):
 * the text of each file, and what the scan of the text has told. A file that has not changed is
 * neither read nor scanned; its objects and problems are told again from what is kept.
 *
 * An import may end before it has read everything. What was kept of the last import that did
 * not stays beside what the present one has read, since places (content/places/) are looked up
 * there until an import has read everything again.
 */
#pragma once

#include "content/import/source.h"

/* An object or a problem of a file that scan_text has reported to its caller. */
typedef struct kept_event {
    bool is_object;
    scan_object object;   /* its list of entries is the member `entries` */
    json_entry *entries;  /* owned; NULL: the object is not listed */
    scan_kept *kept;      /* owned; NULL: the event is no object */
    scan_problem problem; /* its message is the member `message` */
    char *message;        /* owned */
} kept_event;

typedef struct kept_source {
    char *path;       /* owned */
    file_facts facts; /* size, times and identity of the file; not set if is_text */
    bool is_text;     /* the caller gave a text in place of the file */
    digest digest;    /* digest of the text, if is_text */
    /* True: the file was changed just before it was read. Another change might leave its size
     * and times as they are, so that equal facts do not prove that the file is the same. */
    bool fresh;
    bool lenient; /* was the option lenient set when the text was scanned? */
    bool checked; /* that import only checked: `events` has nothing for a digest */
    bool scanned; /* `events` has all that the scan told */
    /* The import that alone uses what is kept, and whose modules decide which objects are
     * listed; NULL: later imports use it, too. */
    const import *alone;
    char *text; /* owned */
    size_t size;
    uint64_t hash;      /* of the text, for quick imports (hash_quick); 0: not computed yet */
    kept_event *events; /* owned */
    size_t count, room;
    uint64_t used;  /* number of the last import that used the file */
    uint32_t place; /* index of the file in the list of files of that import */
    /* Whether the last finished import has read this; else `before` is what it has read of the
     * file, or NULL. Owned, but for the path, which is the same. */
    bool finished;
    struct kept_source *before;
    uint32_t finished_place; /* `place` in the last finished import */
} kept_source;

struct ptl_sources {
    kept_source **files; /* owned */
    size_t count, room;
    strmap numbers;  /* maps a path to its index in `files` */
    uint64_t import; /* number of the present import */
    /* What content/places/ has found out about the files since the last import; owned. */
    struct place_index *index;
    void (*index_free)(struct place_index *index);
};

/* Returns what the last finished import has read of a file; NULL if it had no such file. */
const kept_source *sources_finished(const kept_source *file);
/* Begins an import with im->options->sources, which may be NULL; then nothing is kept. */
void sources_begin(import *im);
/* Returns what is kept of the file with this path; NULL: the file must be read. What is kept
 * may be used only if it is still true. If `text` is NULL, that is the case if the file's
 * size, times and identity (`facts`) are unchanged. Otherwise it is the case if the kept
 * text is equal to `text`. */
kept_source *sources_find(import *im, const char *path, const file_facts *facts,
                          const ptl_file_text *text);
/* Keeps a file that was read now, with its text, which has a NUL behind its end. Returns NULL
 * if nothing is kept; the text stays the caller's then. */
kept_source *sources_add(import *im, const char *path, const file_facts *facts,
                         const ptl_file_text *text, char *content, size_t size);
/* Keeps a file for the present import alone: its text, which has a NUL behind its end. The
 * caller frees what is returned with sources_forget; NULL when memory is out. */
kept_source *sources_kept_alone(const import *im, char *content, size_t size);
void sources_forget(kept_source *kept);
/* Returns the kept text and its size. */
char *sources_text(const kept_source *kept, size_t *size);
/* Does what scan_text does for the text of a file, if it must: scan.h. */
ptl_status sources_scan(const found_file *file, json_reader *reader,
                        const scan_handler *handler);
/* Scans the text of a file, and only keeps what the scan tells, so that sources_scan can tell
 * it later. Several threads may do this at once for different files. */
ptl_status sources_record(const found_file *file, json_reader *reader);
/* Ends an import that has read everything: forgets files that are no longer there, and what an
 * earlier import had read of others. */
void sources_end(import *im);
