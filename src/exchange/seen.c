/*
 * What a save's characters have seen: files CHARACTER.seen.X.Y, which are JSON after a line "#
 * version N". `visible` and `explored` have 21 layers of runs [how, count]; `how` is true or
 * false, or since version 34 the name of a degree. `notes` has 21 lists of [x, y, text, ...].
 */
#include "core/error.h"
#include "exchange/save_json.h"
#include "os/file.h"
#include "os/folder.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

ptl_status ptl_seen_list(const char *save,
                         bool (*on_file)(void *payload, const char *character,
                                         ptl_chunk_pos chunk),
                         void *payload, ptl_error *err)
{
    char character[256];
    bool goes_on = true;
    error_clear(err);
    folder_list *list = folder_list_open(save);
    if (!list)
        return error_system(err, errno == ENOENT ? PTL_ERR_NOT_FOUND : PTL_ERR_IO, errno, "%s",
                            save);
    for (const char *name; goes_on && (name = folder_list_next(list)) != NULL;) {
        ptl_chunk_pos pos;
        size_t size;
        if (!save_name_parse_seen(name, &size, &pos) || size >= sizeof character)
            continue;
        memcpy(character, name, size);
        character[size] = '\0';
        goes_on = on_file(payload, character, pos);
    }
    ptl_status status = PTL_OK;
    if (goes_on && errno != 0)
        status = error_system(err, PTL_ERR_IO, errno, "%s", save);
    folder_list_close(list);
    return status;
}

/* ---- layers ---- */

/* Returns the meaning of a run's first member, or -1 if it has none. */
static int how_seen(const json_t *how, bool marks)
{
    static const char *const levels[] = {"unseen", "vague", "outlines", "details", "full"};
    if (json_is_boolean(how))
        return !json_is_true(how) ? PTL_SEEN_NOT : marks ? PTL_SEEN_MARKED : PTL_SEEN_FULL;
    const char *name = json_string_value(how);
    for (int i = 0; name && !marks && i < (int)(sizeof levels / sizeof levels[0]); i++)
        if (strcmp(name, levels[i]) == 0)
            return i;
    return -1;
}

/* Adds the runs of a layer to the cells. `explored` (marks) sets a bit of its own, so it can be
 * combined with `visible`. */
static ptl_status read_runs(const save_json *j, const save_value *layer, bool marks,
                            uint8_t *cells)
{
    size_t at = 0;
    for (size_t i = 0; i < json_array_size(layer->json); i++) {
        const save_value run = save_element(layer, i);
        const json_t *length = json_array_get(run.json, 1);
        const json_int_t count = json_integer_value(length);
        const int how = how_seen(json_array_get(run.json, 0), marks);
        if (json_array_size(run.json) != 2 || !json_is_integer(length) || how < 0)
            return save_json_fail(j, &run, "a run is [true or false or a level's name, count]");
        if (count < 1 || count > (json_int_t)(PTL_LEVEL_CELLS - at))
            return save_json_fail(j, &run,
                                  "a run's count must be 1 or more, and a layer has 32,400");
        for (const size_t end = at + (size_t)count; at < end; at++)
            cells[at] = (uint8_t)(cells[at] | how);
    }
    return at == PTL_LEVEL_CELLS
               ? PTL_OK
               : save_json_fail(j, layer, "the layer's runs have %zu cells, not %d", at,
                                PTL_LEVEL_CELLS);
}

/* Gives a list with an element for each of the 21 levels, and checks the element of one level.
 * out->json is NULL if the file has no such list. */
static ptl_status find_levels(const save_json *j, const char *key, int z_index, save_value *out)
{
    TRY(save_json_array(j, key, out));
    if (!out->json)
        return PTL_OK;
    if (json_array_size(out->json) != PTL_LEVELS)
        return save_json_fail(j, out, "there are %zu layers, not %d",
                              json_array_size(out->json), PTL_LEVELS);
    const save_value layer = save_element(out, (size_t)z_index);
    return json_is_array(layer.json) ? PTL_OK
                                     : save_json_fail(j, &layer, "a layer is an array");
}

static ptl_status read_layer(const save_json *j, const char *key, int z_index, uint8_t *cells)
{
    save_value all;
    TRY(find_levels(j, key, z_index, &all));
    const save_value layer = save_element(&all, (size_t)z_index);
    return layer.json ? read_runs(j, &layer, strcmp(key, "explored") == 0, cells) : PTL_OK;
}

/* ---- notes ---- */

typedef struct note_reader {
    void (*on_note)(void *payload, int32_t x, int32_t y, const char *text);
    void *payload;
} note_reader;

static bool read_cell(const json_t *value, int32_t *out)
{
    const json_int_t number = json_integer_value(value);
    *out = (int32_t)(number >= 0 && number < PTL_CHUNK_SIZE ? number : -1);
    return json_is_integer(value) && *out >= 0;
}

static ptl_status read_notes(const save_json *j, int z_index, const note_reader *to)
{
    save_value all;
    TRY(find_levels(j, "notes", z_index, &all));
    const save_value notes = save_element(&all, (size_t)z_index);
    for (size_t i = 0; i < json_array_size(notes.json); i++) {
        const save_value note = save_element(&notes, i);
        int32_t x, y;
        const char *text = json_string_value(json_array_get(note.json, 2));
        if (!read_cell(json_array_get(note.json, 0), &x) ||
            !read_cell(json_array_get(note.json, 1), &y) || !text)
            return save_json_fail(j, &note, "a note is [x, y, text, ...], x and y 0 to %d",
                                  PTL_CHUNK_SIZE - 1);
        to->on_note(to->payload, x, y, text);
    }
    return PTL_OK;
}

/* ---- a file ---- */

static ptl_status read_text(const char *path, int z_index, uint8_t *cells,
                            const note_reader *notes, ptl_error *err)
{
    char *text = NULL;
    size_t size = 0;
    const save_reader reader = {.path = path};
    save_json j = {.reader = &reader, .err = err};
    ptl_status status = save_text_read(&text, &size, path, err);
    THEN(status, save_json_load(&j, text, size));
    THEN(status, read_layer(&j, "visible", z_index, cells));
    THEN(status, read_layer(&j, "explored", z_index, cells));
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
    char *path = save_text("%s/%s.seen.%d.%d", save, character, chunk.x, chunk.y);
    if (!path)
        return error_nomem(err);
    ptl_status status = PTL_OK;
    if (!save_name_parse_seen(path + strlen(save) + 1, &size, &named) ||
        size != strlen(character))
        status = error_set(err, PTL_ERR_ARGUMENT, "'%s' is no character of a save", character);
    file_facts facts = {.size = 0};
    if (status == PTL_OK && !file_look(&facts, path))
        status = error_system(err, errno == ENOENT ? PTL_ERR_NOT_FOUND : PTL_ERR_IO, errno,
                              "%s", path);
    THEN(status, read_text(path, z - PTL_Z_MIN, cells, &notes, err));
    if (status != PTL_OK)
        memset(cells, PTL_SEEN_NOT, PTL_LEVEL_CELLS);
    free(path);
    return status;
}
