/*
 * Reads what a save's characters have seen of overmaps: files CHARACTER.seen.X.Y, which are
 * JSON after a line "# version N". The JSON members `visible`, `explored` and (of Bright
 * Nights) `path` have an array for each of the 21 levels. Its elements are runs [how, count]:
 * `count` cells were seen as `how` says, which is true or false, or in `visible` since version
 * 34 the name of a degree. The member `notes` has 21 lists, one for each level, of notes [x, y,
 * text, dangerous, radius]. In a save of Bright Nights with databases the file is `.seen.X.Y`
 * in the database CHARACTER.sqlite3.
 */
#include "exchange/seen.h"
#include "core/utf8.h"
#include "exchange/database/save_database.h"
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

const seen_kind seen_kinds[SEEN_KINDS] = {
    {PTL_MARKS_SEEN, SEEN_LEVEL_MASK, PTL_SEEN_FULL},
    {PTL_MARKS_EXPLORED, PTL_SEEN_MARKED, PTL_SEEN_MARKED},
    {PTL_MARKS_VAGUE, SEEN_LEVEL_MASK, PTL_SEEN_VAGUE},
    {PTL_MARKS_OUTLINES, SEEN_LEVEL_MASK, PTL_SEEN_OUTLINES},
    {PTL_MARKS_DETAILS, SEEN_LEVEL_MASK, PTL_SEEN_DETAILS},
    {PTL_MARKS_PATH, SEEN_PATH, SEEN_PATH}};

/* A member of the JSON that has runs of cells. */
typedef struct seen_member {
    const char *key;
    uint8_t value; /* of a cell for which the runs say true */
    bool degrees;  /* runs may name a degree */
} seen_member;

/* Returns the value of cells of which a run says `how`; -1: there is no such value. */
static int how_seen(json_view how, const seen_member *member)
{
    static const char *const degrees[] = {"unseen", "vague", "outlines", "details", "full"};
    const view_kind kind = json_view_kind(how);
    if (kind == VIEW_TRUE || kind == VIEW_FALSE)
        return kind == VIEW_TRUE ? member->value : PTL_SEEN_NOT;
    for (int i = 0; member->degrees && i < (int)(sizeof degrees / sizeof degrees[0]); i++)
        if (json_view_is(how, degrees[i]))
            return i;
    return -1;
}

/* Adds the values that the runs in the array `layer` give the cells of a level. */
static ptl_status read_runs(const save_json *j, json_view layer, const seen_member *member,
                            uint8_t *cells)
{
    size_t at = 0;
    for (json_walk w = json_walk_of(layer); json_walk_next(&w);) {
        json_view parts[2];
        int64_t count = 0;
        const size_t size = save_json_parts(parts, 2, w.value);
        const int how = how_seen(parts[0], member);
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

/* The member `key` is a list of 21 arrays, one for each level. *out becomes the array of level
 * z; it is absent if the file has no such member. */
static ptl_status find_level(const save_json *j, const char *key, int32_t z, json_view *out)
{
    json_view list, levels[PTL_LEVELS];
    *out = JSON_VIEW_NONE;
    TRY(save_json_array(j, key, &list));
    if (!list.document)
        return PTL_OK;
    const size_t count = save_json_parts(levels, PTL_LEVELS, list);
    if (count != PTL_LEVELS)
        return save_json_fail(j, list, "there are %zu layers, not %d", count, PTL_LEVELS);
    *out = levels[z - PTL_Z_MIN];
    return json_view_kind(*out) == VIEW_ARRAY ? PTL_OK
                                              : save_json_fail(j, *out, "a layer is an array");
}

ptl_status seen_file_level(seen_file *f, int32_t z, uint8_t cells[PTL_LEVEL_CELLS])
{
    static const seen_member members[] = {{"visible", PTL_SEEN_FULL, true},
                                          {"explored", PTL_SEEN_MARKED, false},
                                          {"path", SEEN_PATH, false}};
    memset(cells, PTL_SEEN_NOT, PTL_LEVEL_CELLS);
    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
        json_view layer;
        TRY(find_level(&f->json, members[i].key, z, &layer));
        if (layer.document)
            TRY(read_runs(&f->json, layer, &members[i], cells));
    }
    return PTL_OK;
}

/* ---- notes and extras ---- */

static ptl_status read_note(save_json *j, json_view value, seen_note *out)
{
    json_view parts[5];
    int64_t x = -1, y = -1, radius = 0;
    (void)save_json_parts(parts, 5, value);
    const view_kind danger = json_view_kind(parts[3]);
    out->text = save_json_string(j, parts[2]);
    if (!json_view_integer(parts[0], &x) || !json_view_integer(parts[1], &y) || !out->text ||
        x < 0 || y < 0 || x >= PTL_CHUNK_SIZE || y >= PTL_CHUNK_SIZE)
        return save_json_fail(j, value, "a note is [x, y, text, ...], x and y 0 to %d",
                              PTL_CHUNK_SIZE - 1);
    if ((parts[3].document && danger != VIEW_TRUE && danger != VIEW_FALSE) ||
        (parts[4].document &&
         (!json_view_integer(parts[4], &radius) || radius < 0 || radius > PTL_NOTE_RADIUS_MAX)))
        return save_json_fail(
            j, value, "a note is [x, y, text, is it dangerous, radius], the radius 0 to %d",
            PTL_NOTE_RADIUS_MAX);
    out->x = (int32_t)x;
    out->y = (int32_t)y;
    out->dangerous = danger == VIEW_TRUE;
    out->radius = (int32_t)radius;
    return PTL_OK;
}

ptl_status seen_file_notes(seen_file *f, int32_t z, const seen_note_visit *visit)
{
    json_view notes;
    TRY(find_level(&f->json, "notes", z, &notes));
    for (json_walk w = json_walk_of(notes); json_walk_next(&w);) {
        seen_note note = {.text = ""};
        TRY(read_note(&f->json, w.value, &note));
        TRY(visit->on_note(visit->payload, &note, f->json.err));
    }
    return PTL_OK;
}

ptl_status seen_file_extras(seen_file *f, uint64_t *out)
{
    json_view list;
    *out = 0;
    TRY(save_json_array(&f->json, "extras", &list));
    for (json_walk w = json_walk_of(list); json_walk_next(&w);)
        *out += save_json_parts(NULL, 0, w.value);
    return PTL_OK;
}

/* ---- a file ---- */

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

/* Finds where the file lies. */
static ptl_status find_file(seen_file *out, const char *save, const char *character,
                            ptl_chunk_pos chunk, ptl_error *err)
{
    /* A name is only accepted if it can be a part of the file name CHARACTER.seen.X.Y. This
     * also holds if the save has databases in place of such files. */
    bool failed = false;
    ptl_chunk_pos named;
    size_t size;
    const bool databases = save_has_database(save, &failed);
    char *loose = save_text("%s.seen.%d.%d", character, chunk.x, chunk.y);
    if (loose && databases) {
        out->database = save_text("%s/%s" SAVE_DATABASE_TAIL, save, character);
        out->path =
            save_text("%s/.seen.%d.%d", out->database ? out->database : "", chunk.x, chunk.y);
    } else if (loose) {
        out->path = save_text("%s/%s", save, loose);
    }
    ptl_status status = PTL_OK;
    if (failed || !out->path || (databases && !out->database))
        status = error_nomem(err);
    else if (!save_name_parse_seen(loose, &size, &named) || size != strlen(character))
        status = error_set(err, PTL_ERR_ARGUMENT, "'%s' is no character of a save", character);
    free(loose);
    return status;
}

ptl_status seen_file_open(seen_file *out, const char *save, const char *character,
                          ptl_chunk_pos chunk, ptl_error *err)
{
    size_t size = 0;
    *out = (seen_file){.json = {.err = err}};
    out->json.reader = &out->reader;
    strmap_init(&out->json.lack_numbers);
    ptl_status status = find_file(out, save, character, chunk, err);
    out->reader.path = out->path;
    THEN(status, load_text(&out->text, &size, out, err));
    THEN(status, save_json_load(&out->json, out->text, size));
    return status;
}

void seen_file_close(seen_file *f)
{
    save_json_dispose(&f->json);
    free(f->text);
    free(f->path);
    free(f->database);
    *f = (seen_file){.path = NULL};
}

/* ---- the public call ---- */

typedef struct note_caller {
    void (*on_note)(void *payload, int32_t x, int32_t y, const char *text);
    void *payload;
} note_caller;

static ptl_status call_note(void *payload, const seen_note *note, ptl_error *err)
{
    const note_caller *to = payload;
    (void)err;
    to->on_note(to->payload, note->x, note->y, note->text);
    return PTL_OK;
}

ptl_status ptl_seen_load(uint8_t cells[PTL_LEVEL_CELLS], const char *save,
                         const char *character, ptl_chunk_pos chunk, int32_t z,
                         void (*on_note)(void *payload, int32_t x, int32_t y, const char *text),
                         void *payload, ptl_error *err)
{
    note_caller to = {on_note, payload};
    const seen_note_visit visit = {call_note, &to};
    seen_file f;
    error_clear(err);
    memset(cells, PTL_SEEN_NOT, PTL_LEVEL_CELLS);
    if (z < PTL_Z_MIN || z > PTL_Z_MAX)
        return error_set(err, PTL_ERR_ARGUMENT, "there is no level %d", z);
    ptl_status status = seen_file_open(&f, save, character, chunk, err);
    THEN(status, seen_file_level(&f, z, cells));
    if (status == PTL_OK && on_note)
        status = seen_file_notes(&f, z, &visit);
    seen_file_close(&f);
    for (size_t i = 0; i < PTL_LEVEL_CELLS; i++)
        cells[i] = status == PTL_OK ? (uint8_t)(cells[i] & ~SEEN_PATH) : PTL_SEEN_NOT;
    return status;
}

/* ---- names of characters ---- */

/* Decodes a name in base64 as the games write it, for names of files. False: it is no such
 * text, or has more than PTL_VIEWER_SIZE bytes, or memory is out. */
static bool decode_name(char out[PTL_VIEWER_SIZE + 1], const char *text)
{
    bytes name;
    bytes_init(&name);
    const bool good = bytes_put_decoded(&name, text, strlen(text), '-') && name.size > 0 &&
                      name.size <= PTL_VIEWER_SIZE && !memchr(name.data, '\0', name.size);
    if (good) {
        memcpy(out, name.data, name.size);
        out[name.size] = '\0';
    }
    bytes_dispose(&name);
    return good && utf8_is_plain(out);
}

bool seen_character_name(char out[PTL_VIEWER_SIZE + 1], const char *character)
{
    if (decode_name(out, character + (character[0] == '#')))
        return true;
    if (strlen(character) > PTL_VIEWER_SIZE)
        return false;
    memcpy(out, character, strlen(character) + 1);
    return true;
}
