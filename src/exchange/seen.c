/*
 * What a save's characters have seen of overmaps: files CHARACTER.seen.X.Y, which are JSON
 * after a line "# version N". The JSON members `visible` and `explored` have an array for each
 * of the 21 levels. Its elements are runs [how, count]: `count` cells were seen as `how` says,
 * which is true or false, or since version 34 the name of a degree. The member `notes` has 21
 * lists, one for each level, of notes [x, y, text, ...]. In a save of Bright Nights with
 * databases the file is `.seen.X.Y` in the database CHARACTER.sqlite3.
 */
#include "exchange/database/save_database.h"
#include "exchange/save_json.h"
#include "os/file.h"
#include "os/folder.h"

#include <errno.h>
#include <stdlib.h>

/* State of listing, for ptl_seen_list, the files of a save that hold what characters have
 * seen. */
typedef struct seen_lister {
    const char *save;
    bool databases; /* the save keeps what characters have seen in databases, not in files */
    bool (*on_file)(void *payload, const char *character, ptl_chunk_pos chunk);
    void *payload;
    const char *character; /* the character whose database is read */
    bool stopped;          /* on_file has returned false */
} seen_lister;

/* Is called for each file in a character's database. If the file has what the character has
 * seen of an overmap, passes it to on_file, the callback of the caller. */
static ptl_status on_name(void *payload, const char *name, ptl_error *err)
{
    seen_lister *l = payload;
    ptl_chunk_pos pos;
    (void)err;
    if (!l->stopped && save_name_parse_inner_seen(name, &pos))
        l->stopped = !l->on_file(l->payload, l->character, pos);
    return PTL_OK;
}

/* Lists the files in the database of a character. If the database was removed in the meantime,
 * there are none. A database without the file of a character beside it belongs to the user, and
 * is ignored. */
static ptl_status list_database(seen_lister *l, const char *character, ptl_error *err)
{
    save_database *d = NULL;
    file_facts facts;
    char *played = save_text("%s/%s.sav", l->save, character);
    const bool own = played && !file_look(&facts, played);
    free(played);
    if (own)
        return PTL_OK;
    char *path = save_text("%s/%s" SAVE_DATABASE_TAIL, l->save, character);
    l->character = character;
    ptl_status status =
        path ? save_database_open(&d, path, (stop_hook){NULL, NULL}, err) : error_nomem(err);
    THEN(status, save_database_names(d, on_name, l, err));
    if (status == PTL_ERR_NOT_FOUND) {
        error_clear(err);
        status = PTL_OK;
    }
    save_database_close(d);
    free(path);
    l->character = NULL;
    return status;
}

/* Reports to the caller the file in the save's folder that has this name, or, if it is the name
 * of a database of a character, the files in that database. Other names are ignored. */
static ptl_status list_name(seen_lister *l, const char *name, ptl_error *err)
{
    char character[256];
    ptl_chunk_pos pos;
    size_t size;
    const bool is_named = l->databases ? save_name_parse_database(name, &size)
                                       : save_name_parse_seen(name, &size, &pos);
    if (!is_named || size >= sizeof character)
        return PTL_OK;
    memcpy(character, name, size);
    character[size] = '\0';
    if (l->databases)
        return list_database(l, character, err);
    l->stopped = !l->on_file(l->payload, character, pos);
    return PTL_OK;
}

ptl_status ptl_seen_list(const char *save,
                         bool (*on_file)(void *payload, const char *character,
                                         ptl_chunk_pos chunk),
                         void *payload, ptl_error *err)
{
    bool failed = false;
    ptl_status status = PTL_OK;
    error_clear(err);
    seen_lister l = {.save = save,
                     .databases = save_has_database(save, &failed),
                     .on_file = on_file,
                     .payload = payload};
    if (failed)
        return error_nomem(err);
    folder_list *list = folder_list_open(save);
    if (!list)
        return error_system(err, errno == ENOENT ? PTL_ERR_NOT_FOUND : PTL_ERR_IO, errno, "%s",
                            save);
    for (const char *name;
         status == PTL_OK && !l.stopped && (name = folder_list_next(list)) != NULL;)
        status = list_name(&l, name, err);
    if (status == PTL_OK && !l.stopped && errno != 0)
        status = error_system(err, PTL_ERR_IO, errno, "%s", save);
    folder_list_close(list);
    return status;
}

/* ---- layers ---- */

/* Returns which PTL_SEEN_ value `how` stands for; -1: none. `how` is the first element of a run
 * of cells in the save. `marks` is true if the run is in the JSON member `explored`. */
static int how_seen(json_view how, bool marks)
{
    static const char *const levels[] = {"unseen", "vague", "outlines", "details", "full"};
    const view_kind kind = json_view_kind(how);
    if (kind == VIEW_TRUE || kind == VIEW_FALSE)
        return kind == VIEW_FALSE ? PTL_SEEN_NOT : marks ? PTL_SEEN_MARKED : PTL_SEEN_FULL;
    for (int i = 0; !marks && i < (int)(sizeof levels / sizeof levels[0]); i++)
        if (json_view_is(how, levels[i]))
            return i;
    return -1;
}

/* Marks the cells of one level that the runs in the array `layer` cover. If `marks` is true,
 * the runs are those of the JSON member `explored`. They set another bit than the runs of the
 * member `visible`, so that a cell can have both. */
static ptl_status read_runs(const save_json *j, json_view layer, bool marks, uint8_t *cells)
{
    size_t at = 0;
    for (json_walk w = json_walk_of(layer); json_walk_next(&w);) {
        json_view parts[2];
        int64_t count = 0;
        const size_t size = save_json_parts(parts, 2, w.value);
        const int how = how_seen(parts[0], marks);
        if (size != 2 || !json_view_integer(parts[1], &count) || how < 0)
            return save_json_fail(j, w.value,
                                  "a run is [true or false or a level's name, count]");
        if (count < 1 || count > (int64_t)(PTL_LEVEL_CELLS - at))
            return save_json_fail(j, w.value,
                                  "a run's count must be 1 or more, and a layer has 32,400");
        for (const size_t end = at + (size_t)count; at < end; at++)
            cells[at] = (uint8_t)(cells[at] | how);
    }
    return at == PTL_LEVEL_CELLS
               ? PTL_OK
               : save_json_fail(j, layer, "the layer's runs have %zu cells, not %d", at,
                                PTL_LEVEL_CELLS);
}

/* The member `key` is a list of 21 arrays, one for each level. *out becomes the array with the
 * index z_index; it is absent if the file has no such member. */
static ptl_status find_level(const save_json *j, const char *key, int z_index, json_view *out)
{
    json_view list, levels[PTL_LEVELS];
    *out = JSON_VIEW_NONE;
    TRY(save_json_array(j, key, &list));
    if (!list.document)
        return PTL_OK;
    const size_t count = save_json_parts(levels, PTL_LEVELS, list);
    if (count != PTL_LEVELS)
        return save_json_fail(j, list, "there are %zu layers, not %d", count, PTL_LEVELS);
    *out = levels[z_index];
    return json_view_kind(*out) == VIEW_ARRAY ? PTL_OK
                                              : save_json_fail(j, *out, "a layer is an array");
}

/* ---- notes ---- */

typedef struct note_reader {
    void (*on_note)(void *payload, int32_t x, int32_t y, const char *text);
    void *payload;
} note_reader;

static ptl_status read_notes(save_json *j, int z_index, const note_reader *to)
{
    json_view notes;
    TRY(find_level(j, "notes", z_index, &notes));
    for (json_walk w = json_walk_of(notes); json_walk_next(&w);) {
        json_view parts[3];
        int64_t x = -1, y = -1;
        (void)save_json_parts(parts, 3, w.value);
        const char *text = save_json_string(j, parts[2]);
        if (!json_view_integer(parts[0], &x) || !json_view_integer(parts[1], &y) || !text ||
            x < 0 || y < 0 || x >= PTL_CHUNK_SIZE || y >= PTL_CHUNK_SIZE)
            return save_json_fail(j, w.value, "a note is [x, y, text, ...], x and y 0 to %d",
                                  PTL_CHUNK_SIZE - 1);
        to->on_note(to->payload, (int32_t)x, (int32_t)y, text);
    }
    return PTL_OK;
}

/* ---- a file ---- */

/* A file that says what a character has seen of an overmap. */
typedef struct seen_file {
    char *path;     /* owned; for messages, and where the file lies if it is in no database */
    char *database; /* owned; path of the character's database; NULL: there is none */
} seen_file;

/* Reads the text of a file. PTL_ERR_NOT_FOUND: there is no such file. */
static ptl_status load_text(char **text, size_t *size, const seen_file *f, ptl_error *err)
{
    file_facts facts = {.size = 0};
    save_database *d = NULL;
    if (!f->database && !file_look(&facts, f->path))
        return error_system(err, errno == ENOENT ? PTL_ERR_NOT_FOUND : PTL_ERR_IO, errno, "%s",
                            f->path);
    if (!f->database)
        return save_text_read(text, size, f->path, err);
    ptl_status status = save_database_open(&d, f->database, (stop_hook){NULL, NULL}, err);
    THEN(status,
         save_database_read(text, size, d, strrchr(f->path, '/') + 1, SAVE_FILE_MAX, err));
    save_database_close(d);
    return status;
}

static ptl_status read_text(const seen_file *f, int z_index, uint8_t *cells,
                            const note_reader *notes, ptl_error *err)
{
    char *text = NULL;
    size_t size = 0;
    json_view layer;
    const save_reader reader = {.path = f->path};
    save_json j = {.reader = &reader, .err = err};
    strmap_init(&j.lack_numbers);
    ptl_status status = load_text(&text, &size, f, err);
    THEN(status, save_json_load(&j, text, size));
    THEN(status, find_level(&j, "visible", z_index, &layer));
    if (status == PTL_OK && layer.document)
        status = read_runs(&j, layer, false, cells);
    THEN(status, find_level(&j, "explored", z_index, &layer));
    if (status == PTL_OK && layer.document)
        status = read_runs(&j, layer, true, cells);
    if (status == PTL_OK && notes->on_note)
        status = read_notes(&j, z_index, notes);
    save_json_dispose(&j);
    free(text);
    return status;
}

ptl_status ptl_seen_load(uint8_t cells[PTL_LEVEL_CELLS], const char *save,
                         const char *character, ptl_chunk_pos chunk, int32_t z,
                         void (*on_note)(void *payload, int32_t x, int32_t y, const char *text),
                         void *payload, ptl_error *err)
{
    const note_reader notes = {on_note, payload};
    ptl_chunk_pos named;
    size_t size;
    error_clear(err);
    memset(cells, PTL_SEEN_NOT, PTL_LEVEL_CELLS);
    if (z < PTL_Z_MIN || z > PTL_Z_MAX)
        return error_set(err, PTL_ERR_ARGUMENT, "there is no level %d", z);
    /* A name is only accepted if it can be a part of the file name CHARACTER.seen.X.Y. This
     * also holds if the save has databases in place of such files. */
    bool failed = false;
    const bool databases = save_has_database(save, &failed);
    char *loose = save_text("%s.seen.%d.%d", character, chunk.x, chunk.y);
    seen_file f = {.path = NULL};
    if (loose && databases) {
        f.database = save_text("%s/%s" SAVE_DATABASE_TAIL, save, character);
        f.path = save_text("%s/.seen.%d.%d", f.database ? f.database : "", chunk.x, chunk.y);
    } else if (loose) {
        f.path = save_text("%s/%s", save, loose);
    }
    ptl_status status = PTL_OK;
    if (failed || !f.path || (databases && !f.database))
        status = error_nomem(err);
    else if (!save_name_parse_seen(loose, &size, &named) || size != strlen(character))
        status = error_set(err, PTL_ERR_ARGUMENT, "'%s' is no character of a save", character);
    THEN(status, read_text(&f, z - PTL_Z_MIN, cells, &notes, err));
    if (status != PTL_OK)
        memset(cells, PTL_SEEN_NOT, PTL_LEVEL_CELLS);
    free(loose);
    free(f.path);
    free(f.database);
    return status;
}
