/*
 * The manifest of a folder portolan-replaced-N: JSON, written completely or not at all. It is
 * not trusted when it is read: paths are accepted only if they lie below SAVE and have names
 * that a manifest can contain.
 */
#include "exchange/into_impl.h"

#include "core/error.h"
#include "exchange/exchange.h"
#include "json/json_value.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FORMAT "what portolan export --into replaced"

enum { VERSION = 1, MANIFEST_MAX = 1 << 29 /* bytes */ };

static const char *const states[] = {[INTO_PREPARING] = "preparing",
                                     [INTO_PLANNED] = "planned",
                                     [INTO_COMPLETE] = "complete",
                                     [INTO_UNDOING] = "undoing",
                                     [INTO_UNDONE] = "undone"};
enum { STATES = sizeof states / sizeof *states };

void manifest_dispose(manifest *m)
{
    save_entries_dispose(&m->moved);
    save_entries_dispose(&m->written);
}

/* ---- writing ---- */

static void put_entries(bytes *out, const char *name, const save_entries *e)
{
    bytes_printf(out, ",\n\"%s\": [", name);
    for (size_t i = 0; i < e->count; i++) {
        const save_entry *entry = &e->list[i];
        char hex[DIGEST_HEX_SIZE];
        bytes_put_text(out, i > 0 ? ",\n{\"path\": " : "\n{\"path\": ");
        save_put_string(out, entry->path);
        digest_to_hex(&entry->digest, hex);
        if (entry->folder)
            bytes_put_text(out, ", \"folder\": true}");
        else
            bytes_printf(out, ", \"size\": %" PRIu64 ", \"blake2b\": \"%s\"}", entry->size,
                         hex);
    }
    bytes_put_text(out, "]");
}

ptl_status manifest_write(const manifest *m, const char *folder, ptl_error *err)
{
    const new_file_options options = {.rule = NEW_FILE_REPLACE};
    char *path = save_text("%s/" INTO_MANIFEST, folder);
    bytes text = {.size = 0};
    new_file file;
    bytes_printf(&text,
                 "{\"format\": \"" FORMAT "\", \"version\": %d, \"state\": \"%s\",\n"
                 "\"portolan\": \"%s\", \"content\": \"%s\", \"world\": ",
                 VERSION, states[m->state], ptl_version(), m->content);
    save_put_string(&text, m->world);
    bytes_printf(&text, ",\n\"changed\": [%" PRId64 ", %" PRId64 "]", m->changed.seconds,
                 (int64_t)m->changed.nanoseconds);
    put_entries(&text, "moved", &m->moved);
    put_entries(&text, "written", &m->written);
    bytes_put_text(&text, "}\n");
    ptl_status status = path && !text.failed ? PTL_OK : error_nomem(err);
    THEN(status, new_file_open(&file, path, &options, err));
    if (status == PTL_OK) {
        status = new_file_write(&file, text.data, text.size, err);
        THEN(status, new_file_publish(&file, err));
        new_file_close(&file);
    }
    bytes_dispose(&text);
    free(path);
    return status;
}

/* ---- reading ---- */

/* Is the path below SAVE possible in the list? Its first part must be something that gets
 * moved, or, in the list of written files, an overmap. Only folders may have further parts. */
static bool is_path(const char *path, bool folder, bool moved)
{
    char first[INTO_PATH_MAX];
    const size_t size = strcspn(path, "/");
    if (strlen(path) >= sizeof first)
        return false;
    memcpy(first, path, size);
    first[size] = '\0';
    const entry_kind kind = entry_kind_of(first);
    const bool written = kind == ENTRY_OVERMAP || kind == ENTRY_OVERMAPS;
    const bool has_below =
        kind == ENTRY_OVERMAPS || (moved && (kind == ENTRY_MAPS || kind == ENTRY_MEMORY));
    if (kind == ENTRY_OTHER || (!moved && !written) || ((folder || path[size]) && !has_below))
        return false;
    for (const char *at = path; *at; at += strcspn(at, "/"), at += *at == '/') {
        const size_t part = strcspn(at, "/");
        if (part == 0 || (part == 1 && at[0] == '.') ||
            (part == 2 && at[0] == '.' && at[1] == '.') || (at[part] == '/' && !at[part + 1]))
            return false;
    }
    return path[0] != '\0';
}

static bool parse_hex(digest *out, const char *hex)
{
    static const char digits[] = "0123456789abcdef";
    if (strlen(hex) != DIGEST_HEX_SIZE - 1)
        return false;
    for (size_t i = 0; i < DIGEST_SIZE; i++) {
        const char *high = strchr(digits, hex[2 * i]), *low = strchr(digits, hex[2 * i + 1]);
        if (!high || !low)
            return false;
        out->bytes[i] = (uint8_t)((high - digits) << 4 | (low - digits));
    }
    return true;
}

/* A folder has neither size nor digest. */
static bool parse_entry(save_entries *out, const json_t *from, bool moved, ptl_error *err)
{
    const json_t *size = json_object_get(from, "size");
    const char *path = json_string_value(json_object_get(from, "path"));
    const char *hex = json_string_value(json_object_get(from, "blake2b"));
    save_entry entry = {.folder = json_is_true(json_object_get(from, "folder"))};
    if (!path || !is_path(path, entry.folder, moved))
        return false;
    if (!entry.folder) {
        if (!json_is_integer(size) || json_integer_value(size) < 0 || !hex ||
            !parse_hex(&entry.digest, hex))
            return false;
        entry.size = (uint64_t)json_integer_value(size);
    }
    return save_entries_add(out, path, &entry, err) == PTL_OK;
}

/* False for a wrong list, and for memory (err is set then). No path may come twice. */
static bool parse_entries(save_entries *out, const json_t *list, bool moved, ptl_error *err)
{
    const size_t count = json_array_size(list);
    if (!json_is_array(list))
        return false;
    for (size_t i = 0; i < count; i++)
        if (!parse_entry(out, json_array_get(list, i), moved, err))
            return false;
    save_entries_sort(out);
    for (size_t i = 1; i < out->count; i++)
        if (strcmp(out->list[i - 1].path, out->list[i].path) == 0)
            return false;
    return true;
}

static bool parse_time(file_time *out, const json_t *from)
{
    const json_t *s = json_array_get(from, 0), *ns = json_array_get(from, 1);
    if (!json_is_integer(s) || !json_is_integer(ns))
        return false;
    const json_int_t nanoseconds = json_integer_value(ns);
    if (nanoseconds < 0 || nanoseconds >= 1000000000)
        return false;
    *out = (file_time){json_integer_value(s), (int32_t)nanoseconds};
    return true;
}

static bool parse(manifest *out, const json_t *root, ptl_error *err)
{
    const char *format = json_string_value(json_object_get(root, "format"));
    const char *state = json_string_value(json_object_get(root, "state"));
    const char *world = json_string_value(json_object_get(root, "world"));
    int i = 0;
    while (i < STATES && !(state && strcmp(state, states[i]) == 0))
        i++;
    if (!format || strcmp(format, FORMAT) != 0 || i == STATES || !world ||
        json_integer_value(json_object_get(root, "version")) != VERSION)
        return false;
    out->state = (into_state)i;
    snprintf(out->world, sizeof out->world, "%s", world);
    return parse_time(&out->changed, json_object_get(root, "changed")) &&
           parse_entries(&out->moved, json_object_get(root, "moved"), true, err) &&
           parse_entries(&out->written, json_object_get(root, "written"), false, err);
}

/*
 * Parses the text. *out is NULL, with PTL_OK, if it is not JSON or not as Portolan writes it.
 */
static ptl_status parse_text(json_t **out, const char *text, size_t size, ptl_error *err)
{
    const stop_hook nobody = {NULL, NULL};
    const json_rules rules = {.repeated = true};
    json_reader *reader = json_reader_new(nobody);
    *out = NULL;
    if (!reader)
        return error_nomem(err);
    size_t repeated = 0;
    json_fault fault = {.kind = JSON_SOUND};
    if (json_reader_whole(reader, text, size, &rules))
        (void)json_reader_repeated(reader, &repeated);
    else
        fault = *json_reader_fault(reader);
    const json_document document = json_reader_document(reader);
    if (fault.kind == JSON_SOUND && repeated == 0)
        *out = json_value_of(&document, &fault, nobody);
    json_reader_free(reader);
    return fault.kind == JSON_NO_MEMORY ? error_nomem(err) : PTL_OK;
}

ptl_status manifest_read(manifest *out, int folder, const char *where, bool *found,
                         ptl_error *err)
{
    size_t size = 0;
    char *text = into_read(folder, INTO_MANIFEST, MANIFEST_MAX, &size);
    *found = text || errno != ENOENT;
    if (!*found)
        return PTL_OK;
    if (!text)
        return errno == EINVAL || errno == EFBIG
                   ? error_set(err, PTL_ERR_CORRUPT, "%s/" INTO_MANIFEST ": not a manifest",
                               where)
                   : into_failed(where, INTO_MANIFEST, "", err);
    json_t *root = NULL;
    ptl_status status = parse_text(&root, text, size, err);
    free(text);
    if (status == PTL_OK && !parse(out, root, err))
        status = err && err->status != PTL_OK
                     ? err->status
                     : error_set(err, PTL_ERR_CORRUPT,
                                 "%s/" INTO_MANIFEST ": it is damaged, or not of this version; "
                                 "nothing was touched",
                                 where);
    json_decref(root);
    return status;
}
