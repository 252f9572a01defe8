/* What a viewer has seen, for ptl_game_save_put: chooses the character of the save that gets
 * it, and writes the files, or puts them into the character's new database. */
#include "exchange/into_impl.h"
#include "exchange/seen.h"
#include "os/new_file.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- the character ---- */

/* The characters of a save, while one is chosen: each has a file CHARACTER.sav. */
typedef struct choice {
    const char *wanted;
    char *match, *other; /* owned; the character that is wanted, and another one */
    size_t count, matches;
} choice;

static bool is_wanted(const choice *c, const char *character)
{
    char name[PTL_VIEWER_SIZE + 1];
    return strcmp(c->wanted, character) == 0 ||
           (seen_character_name(name, character) && strcmp(c->wanted, name) == 0);
}

static ptl_status offer(choice *c, const char *file, ptl_error *err)
{
    static const char *const ends[] = {".sav" SAVE_PACKED_SUFFIX, ".sav"};
    const size_t length = strlen(file);
    char seen[INTO_PATH_MAX];
    ptl_chunk_pos pos;
    size_t size = 0;
    for (size_t i = 0; i < sizeof ends / sizeof ends[0] && size == 0; i++) {
        const size_t tail = strlen(ends[i]);
        if (length > tail && length < 256 && strcmp(file + length - tail, ends[i]) == 0)
            size = length - tail;
    }
    snprintf(seen, sizeof seen, "%.*s.seen.0.0", (int)size, file);
    if (size == 0 || !save_name_parse_seen(seen, &size, &pos))
        return PTL_OK; /* no character, or one whose name no game gives to files */
    seen[size] = '\0';
    char **kept = is_wanted(c, seen) ? &c->match : &c->other;
    c->count++;
    c->matches += kept == &c->match;
    free(*kept);
    *kept = strdup(seen);
    return *kept ? PTL_OK : error_nomem(err);
}

ptl_status into_seen_choose(char **out, const save_folder *save, const char *viewer,
                            const char *character, ptl_error *err)
{
    choice c = {.wanted = character ? character : viewer};
    save_entries names = {NULL, 0, 0};
    *out = NULL;
    ptl_status status = folder_names(&names, save->fd, save->path, err);
    for (size_t i = 0; i < names.count && status == PTL_OK; i++)
        status = offer(&c, names.list[i].path, err);
    if (status == PTL_OK && c.matches > 1)
        status = error_set(err, PTL_ERR_ARGUMENT,
                           "%s has several characters '%s': name one as its files are named",
                           save->path, c.wanted);
    else if (status == PTL_OK && c.matches == 0 && (character || c.count != 1))
        status = error_set(err, PTL_ERR_NOT_FOUND,
                           "%s has no character '%s' (it has %zu, such as '%s')", save->path,
                           c.wanted, c.count, c.other ? c.other : "");
    if (status == PTL_OK) {
        char **chosen = c.match ? &c.match : &c.other;
        *out = *chosen;
        *chosen = NULL;
    }
    free(c.match);
    free(c.other);
    save_entries_dispose(&names);
    return status;
}

/* ---- writing ---- */

typedef struct seen_putting {
    const into_seen *seen;
    save_database *database; /* NULL: files are written */
    replaced *r;
    ptl_game_save_put_report *report;
} seen_putting;

/* Writes a file of the character's into the folder `new`, and lists it in the manifest. */
static ptl_status write_file(const seen_putting *p, const char *name, const bytes *text,
                             ptl_error *err)
{
    const new_file_options options = {.rule = NEW_FILE_ABSENT};
    save_entry entry = {.size = text->size};
    digest_state state;
    new_file file;
    char *path = save_text("%s/" INTO_NEW "/%s", p->r->path, name);
    ptl_status status = path ? new_file_open(&file, path, &options, err) : error_nomem(err);
    if (status == PTL_OK) {
        status = new_file_write(&file, text->data, text->size, err);
        THEN(status, new_file_sync(&file, err));
        THEN(status, new_file_rename(&file, err));
        new_file_close(&file);
    }
    free(path);
    digest_init(&state);
    digest_update(&state, text->data, text->size);
    digest_final(&state, &entry.digest);
    p->report->bytes += text->size;
    return status == PTL_OK ? save_entries_add(&p->r->m.written, name, &entry, err) : status;
}

static ptl_status put_text(void *payload, ptl_chunk_pos pos, const bytes *text, uint64_t notes,
                           ptl_error *err)
{
    const seen_putting *p = payload;
    char name[INTO_PATH_MAX];
    snprintf(name, sizeof name, "%s.seen.%d.%d", p->database ? "" : p->seen->character, pos.x,
             pos.y);
    p->report->seen++;
    p->report->notes += notes;
    return p->database ? save_database_put(p->database, name, text->data, text->size, err)
                       : write_file(p, name, text, err);
}

ptl_status into_seen_put(const into_seen *seen, save_database *database, replaced *r,
                         ptl_game_save_put_report *report, ptl_error *err)
{
    seen_putting p = {seen, database, r, report};
    const seen_source source = {.world = seen->world,
                                .viewer = seen->viewer,
                                .rect = seen->has_rect ? seen->rect : NULL,
                                .version = r->save->layout.form.version};
    const seen_text_visit visit = {put_text, &p};
    return seen_export(&source, &visit, err);
}
