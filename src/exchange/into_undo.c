/*
 * Reads the folders portolan-replaced-N, and undoes the changes that their manifests list.
 *
 * To undo changes, everything is checked first. Then the state "undoing" is noted, the new
 * overmaps are moved out of SAVE, and the old files are moved back. Once these moves are on
 * the disk, the rest of the folder is removed. After an interruption at any step the same
 * procedure can be repeated.
 */
#include "exchange/into_impl.h"
#include "os/folder.h"
#include "json/json_value.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static bool is_there(int folder, const char *name)
{
    file_facts facts;
    return folder >= 0 && file_look_in(&facts, folder, name);
}

static ptl_status sync_folder(int folder, const char *where, ptl_error *err)
{
    return folder < 0 || file_sync(folder) ? PTL_OK : into_failed(where, ".", "syncing", err);
}

/* ---- the folders ---- */

/* Returns the number N of a name portolan-replaced-N; 0 for any other name. */
static int number_of(const char *name)
{
    const size_t prefix = sizeof INTO_PREFIX - 1;
    char again[PTL_GAME_SAVE_FOLDER_SIZE];
    if (strncmp(name, INTO_PREFIX, prefix) != 0 || strlen(name) > prefix + 4)
        return 0;
    /* There are at most 4 digits, so the number can't overflow. */
    const int number = (int)strtol(name + prefix, NULL, 10);
    snprintf(again, sizeof again, INTO_PREFIX "%d", number);
    return number > 0 && strcmp(again, name) == 0 ? number : 0;
}

static int by_number(const void *a, const void *b)
{
    const int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

ptl_status replaced_list(int **out, size_t *count, const save_folder *save, ptl_error *err)
{
    save_entries names = {NULL, 0, 0};
    *out = NULL;
    *count = 0;
    ptl_status status = folder_names(&names, save->fd, save->path, err);
    if (status == PTL_OK && !(*out = malloc((names.count + 1) * sizeof **out)))
        status = error_nomem(err);
    for (size_t i = 0; i < names.count && status == PTL_OK; i++) {
        const int number = number_of(names.list[i].path);
        if (number > 0)
            (*out)[(*count)++] = number;
    }
    if (status == PTL_OK && *count > 1)
        qsort(*out, *count, sizeof **out, by_number);
    save_entries_dispose(&names);
    return status;
}

void replaced_close(replaced *r)
{
    file_close(r->fresh);
    file_close(r->fd);
    r->fd = r->fresh = -1;
    free(r->path);
    r->path = NULL;
    save_entries_dispose(&r->m.moved);
    save_entries_dispose(&r->m.written);
}

/* Returns whether this is the name of the temporary file of a manifest. If the manifest of a
 * folder portolan-replaced-N was never completed, the folder is empty or has only such files.
 */
static bool is_beginning(const char *name)
{
    static const char begin[] = INTO_MANIFEST ".portolan-";
    const size_t size = strlen(name);
    return strncmp(name, begin, sizeof begin - 1) == 0 && size > 4 &&
           strcmp(name + size - 4, ".tmp") == 0;
}

enum { VERSION = 1, MANIFEST_MAX = 1 << 29 /* bytes */ };

#define FORMAT "what portolan export --into replaced"

static const char *const states[] = {[INTO_PREPARING] = "preparing",
                                     [INTO_PLANNED] = "planned",
                                     [INTO_COMPLETE] = "complete",
                                     [INTO_UNDOING] = "undoing",
                                     [INTO_UNDONE] = "undone"};
enum { STATES = sizeof states / sizeof *states };

/* May a manifest's list contain this path below SAVE? The first name in the path must be that
 * of something that ptl_game_save_put moves; in the list of written files it may only be that
 * of an overmap, of a database, or of what a character has seen. Further names may follow only
 * if the first name is that of a folder. */
static bool is_path(const char *path, bool folder, bool moved)
{
    char first[INTO_PATH_MAX];
    const size_t size = strcspn(path, "/");
    if (strlen(path) >= sizeof first)
        return false;
    memcpy(first, path, size);
    first[size] = '\0';
    const entry_kind kind = entry_kind_of(first);
    const bool written = kind == ENTRY_OVERMAP || kind == ENTRY_OVERMAPS ||
                         kind == ENTRY_SEEN || kind == ENTRY_DATABASE;
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

/* Reads the JSON object that describes a file or folder, and adds the file or folder to the
 * list. A folder has no size and no digest. */
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

/* Reads a list of files and folders, in which each path must be different. Returns false if the
 * list is wrong, or when memory is out; in the latter case err is set. */
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

static bool parse(manifest *out, const json_t *root, ptl_error *err)
{
    const char *format = json_string_value(json_object_get(root, "format"));
    const char *state = json_string_value(json_object_get(root, "state"));
    const char *world = json_string_value(json_object_get(root, "world"));
    const json_t *changed = json_object_get(root, "changed");
    const json_t *seconds = json_array_get(changed, 0), *more = json_array_get(changed, 1);
    const json_int_t nanoseconds = json_integer_value(more);
    int i = 0;
    while (i < STATES && !(state && strcmp(state, states[i]) == 0))
        i++;
    if (!format || strcmp(format, FORMAT) != 0 || i == STATES || !world ||
        json_integer_value(json_object_get(root, "version")) != VERSION ||
        !json_is_integer(seconds) || !json_is_integer(more) || nanoseconds < 0 ||
        nanoseconds >= 1000000000)
        return false;
    out->state = (into_state)i;
    out->changed = (file_time){json_integer_value(seconds), (int32_t)nanoseconds};
    snprintf(out->world, sizeof out->world, "%s", world);
    const json_int_t overmaps = json_integer_value(json_object_get(root, "overmaps"));
    out->overmaps = overmaps > 0 ? (uint64_t)overmaps : 0;
    return parse_entries(&out->moved, json_object_get(root, "moved"), true, err) &&
           parse_entries(&out->written, json_object_get(root, "written"), false, err);
}

/* Parses the text of a manifest. If the text is not JSON, or differs from what Portolan writes,
 * *out becomes NULL, and PTL_OK is returned. */
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

/* Reads the manifest; *found is false if there is none. PTL_ERR_CORRUPT: the manifest is
 * damaged, or Portolan did not write it. */
static ptl_status manifest_read(manifest *out, int folder, const char *where, bool *found,
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

ptl_status replaced_open(replaced *out, const save_folder *save, int number, ptl_error *err)
{
    bool found = false;
    *out = (replaced){.save = save, .fd = -1, .fresh = -1};
    snprintf(out->name, sizeof out->name, INTO_PREFIX "%d", number);
    out->path = save_text("%s/%s", save->path, out->name);
    if (!out->path)
        return error_nomem(err);
    out->fd = folder_open_in(save->fd, out->name);
    ptl_status status =
        out->fd >= 0 ? manifest_read(&out->m, out->fd, out->path, &found, err)
                     : into_failed(save->path, out->name, "is no folder of portolan's", err);
    if (status == PTL_OK && !found) {
        save_entries names = {NULL, 0, 0};
        status = folder_names(&names, out->fd, out->path, err);
        for (size_t i = 0; i < names.count && status == PTL_OK; i++)
            if (!is_beginning(names.list[i].path))
                status =
                    error_set(err, PTL_ERR_CORRUPT,
                              "%s has no " INTO_MANIFEST ": it is not of portolan's making, or "
                              "has lost it; nothing was touched",
                              out->path);
        save_entries_dispose(&names);
        out->m.state = INTO_PREPARING;
        out->m.changed = out->save->changed;
    }
    if (status == PTL_OK)
        out->fresh = folder_open_in(out->fd, INTO_NEW); /* -1: there is no folder `new` */
    if (status != PTL_OK)
        replaced_close(out);
    return status;
}

/* ---- has anything changed since ptl_game_save_put was called? ---- */

static ptl_status changed(const replaced *r, const char *where, const char *path,
                          const char *what, ptl_error *err)
{
    return error_set(err, PTL_ERR_EXISTS,
                     "%s/%s %s; nothing was undone. What was replaced is in %s", where, path,
                     what, r->name);
}

static bool same(const save_entry *a, const save_entry *b)
{
    return a->folder == b->folder &&
           (a->folder ||
            (a->size == b->size && memcmp(a->digest.bytes, b->digest.bytes, DIGEST_SIZE) == 0));
}

/* An open folder, and its path, which messages state. */
typedef struct open_place {
    int folder;
    const char *where;
} open_place;

/* Checks that the file or folder list->list[*at], with everything below it, exists unchanged in
 * a folder. *at moves past all that was checked. */
static ptl_status check_tree(const replaced *r, const save_entries *list, size_t *at,
                             open_place in, ptl_error *err)
{
    const char *top = list->list[*at].path;
    const size_t length = strlen(top);
    save_entries found = {NULL, 0, 0};
    const entry_walk walk = {in.where, &r->save->stop, NULL, &found};
    bool there = false;
    ptl_status status = entry_walk_from(&walk, in.folder, top, &there, err);
    save_entries_sort(&found);
    size_t i = 0;
    for (; status == PTL_OK && *at < list->count; ++*at, i++) {
        const save_entry *wanted = &list->list[*at];
        if (strncmp(wanted->path, top, length) != 0 ||
            (wanted->path[length] != '/' && wanted->path[length] != '\0'))
            break;
        if (i < found.count && strcmp(found.list[i].path, wanted->path) < 0)
            status = changed(r, in.where, found.list[i].path, "was not there before", err);
        else if (i >= found.count || strcmp(found.list[i].path, wanted->path) > 0)
            status = changed(r, in.where, wanted->path, "is gone", err);
        else if (!same(&found.list[i], wanted))
            status = changed(r, in.where, wanted->path, "has changed since", err);
    }
    if (status == PTL_OK && i < found.count)
        status = changed(r, in.where, found.list[i].path, "was not there before", err);
    save_entries_dispose(&found);
    return status;
}

static bool is_top(const char *path)
{
    return strchr(path, '/') == NULL;
}

/* Checks that each moved file or folder is unchanged, and lies either in the folder
 * portolan-replaced-N or in SAVE, not in both. */
static ptl_status check_all_moved(const replaced *r, ptl_error *err)
{
    const save_entries *moved = &r->m.moved;
    for (size_t i = 0; i < moved->count;) {
        const char *path = moved->list[i].path;
        const bool here = is_there(r->fd, path);
        const bool back =
            is_there(r->save->fd, path) && !(here && save_entries_find(&r->m.written, path));
        if (!is_top(path)) {
            /* No check is needed for a file below a folder which has been moved back to
             * SAVE. */
            i++;
            continue;
        }
        if (here && back)
            return changed(r, r->save->path, path, "was made since", err);
        if (!here && !back)
            return changed(r, r->path, path, "is gone", err);
        if (here)
            TRY(check_tree(r, moved, &i, (open_place){r->fd, r->path}, err));
        else
            i++;
    }
    return PTL_OK;
}

/* Returns whether the file `path` in SAVE is a new overmap. If the save had an old file with
 * the same name, `path` is still the old one until that has been moved away. */
static bool is_placed(const replaced *r, const char *path)
{
    return is_there(r->save->fd, path) &&
           (!save_entries_find(&r->m.moved, path) || is_there(r->fd, path));
}

static ptl_status check_written(const replaced *r, ptl_error *err)
{
    const save_entries *written = &r->m.written;
    const open_place save = {r->save->fd, r->save->path};
    for (size_t i = 0; i < written->count;) {
        const char *path = written->list[i].path;
        const bool waits = is_there(r->fresh, path);
        const bool placed = is_top(path) && is_placed(r, path);
        if (placed && waits)
            TRY(changed(r, save.where, path, "was made since", err));
        else if (placed)
            TRY(check_tree(r, written, &i, save, err));
        else if (is_top(path) && !waits && r->m.state == INTO_COMPLETE)
            TRY(changed(r, save.where, path, "is gone", err));
        else
            i++; /* ptl_game_save_put has not put this overmap, or its folder, into its place
                    yet */
    }
    return PTL_OK;
}

/*
 * Checks that SAVE has no files that would mix with the old ones when these are moved back. A
 * database mixes with them only if the save had databases before. A folder of overmaps is
 * allowed, because in a save of 0.F it belongs to the user. So are memories of characters,
 * because earlier versions of Portolan left them in place.
 */
static ptl_status check_others(const replaced *r, ptl_error *err)
{
    save_entries names = {NULL, 0, 0};
    ptl_status status = folder_names(&names, r->save->fd, r->save->path, err);
    for (size_t i = 0; i < names.count && status == PTL_OK; i++) {
        const char *name = names.list[i].path;
        const entry_kind kind = entry_kind_of(name);
        const bool mixes =
            kind == ENTRY_DATABASE
                ? save_entries_find(&r->m.moved, SAVE_DATABASE) &&
                      into_is_database(r->save->fd, name)
                : kind != ENTRY_OTHER && kind != ENTRY_OVERMAPS && kind != ENTRY_MEMORY;
        if (mixes && !save_entries_find(&r->m.moved, name) &&
            !save_entries_find(&r->m.written, name))
            status = changed(r, r->save->path, name, "was made since", err);
    }
    save_entries_dispose(&names);
    return status;
}

/* Checks that the folder `new` contains only databases, overmaps, and files of what a character
 * has seen. The files may be complete or half written, and overmaps may lie in a subfolder. */
static ptl_status check_fresh(const replaced *r, ptl_error *err)
{
    save_entries names = {NULL, 0, 0};
    ptl_chunk_pos pos;
    bool below = false;
    ptl_status status = folder_names(&names, r->fresh, r->path, err);
    THEN(status, folder_names_below(&names, r->fresh, INTO_BELOW, r->path, &below, err));
    for (size_t i = 0; i < names.count && status == PTL_OK; i++) {
        const char *name = names.list[i].path, *begun = strstr(name, ".portolan-");
        char final[INTO_PATH_MAX]; /* the name that a half-written file will have */
        const size_t size = begun ? (size_t)(begun - name) : strlen(name);
        const bool fits = size < sizeof final;
        snprintf(final, sizeof final, "%.*s", fits ? (int)size : 0, name);
        if (!save_name_parse_any(final, &pos) && entry_kind_of(final) != ENTRY_SEEN &&
            entry_kind_of(name) != ENTRY_DATABASE && !(strcmp(name, INTO_BELOW) == 0 && below))
            status = changed(r, r->path, name, "was not there before", err);
    }
    save_entries_dispose(&names);
    return status;
}

/* ---- moving back ---- */

ptl_status replaced_set_state(replaced *r, into_state state, ptl_error *err)
{
    const into_state before = r->m.state;
    r->m.state = state;
    const ptl_status status = manifest_write(&r->m, r->path, err);
    if (status != PTL_OK)
        r->m.state = before;
    return status;
}

ptl_status replaced_sync(const replaced *r, ptl_error *err)
{
    TRY(sync_folder(r->fresh, r->path, err));
    TRY(sync_folder(r->fd, r->path, err));
    return sync_folder(r->save->fd, r->save->path, err);
}

ptl_status replaced_open_fresh(replaced *r, ptl_error *err)
{
    if (r->fresh >= 0)
        return PTL_OK;
    if (!folder_make_in(r->fd, INTO_NEW))
        return into_failed(r->path, INTO_NEW, "", err);
    r->fresh = folder_open_in(r->fd, INTO_NEW);
    return r->fresh >= 0 ? PTL_OK : into_failed(r->path, INTO_NEW, "", err);
}

static ptl_status move_back(replaced *r, ptl_error *err)
{
    const save_entries *written = &r->m.written, *moved = &r->m.moved;
    ptl_status status = replaced_set_state(r, INTO_UNDOING, err);
    /* The folder `new` is made again if somebody has removed it while it was empty. */
    THEN(status, replaced_open_fresh(r, err));
    for (size_t i = 0; i < written->count && status == PTL_OK; i++)
        if (is_top(written->list[i].path) && is_placed(r, written->list[i].path))
            status = rename_to_free(r->save->fd, r->fresh, written->list[i].path, r->path, err);
    for (size_t i = 0; i < moved->count && status == PTL_OK; i++)
        if (is_top(moved->list[i].path) && is_there(r->fd, moved->list[i].path))
            status =
                rename_to_free(r->fd, r->save->fd, moved->list[i].path, r->save->path, err);
    THEN(status, replaced_sync(r, err));
    return status == PTL_OK ? replaced_set_state(r, INTO_UNDONE, err) : status;
}

static ptl_status remove_names(const replaced *r, int folder, ptl_error *err)
{
    save_entries names = {NULL, 0, 0};
    ptl_status status = folder_names(&names, folder, r->path, err);
    for (size_t i = 0; i < names.count && status == PTL_OK; i++) {
        const char *name = names.list[i].path;
        if ((folder == r->fd && !is_beginning(name)) || strcmp(name, INTO_BELOW) == 0)
            continue;
        if (!file_remove_in(folder, name))
            status = into_failed(r->path, name, "", err);
    }
    save_entries_dispose(&names);
    return status;
}

/* Removes the subfolder of overmaps from the folder `new`, if there is one. */
static ptl_status remove_below(const replaced *r, ptl_error *err)
{
    const int fd = is_there(r->fresh, INTO_BELOW) ? folder_open_in(r->fresh, INTO_BELOW) : -1;
    if (fd < 0)
        return PTL_OK;
    ptl_status status = remove_names(r, fd, err);
    file_close(fd);
    if (status == PTL_OK && !folder_remove_in(r->fresh, INTO_BELOW))
        status = into_failed(r->path, INTO_BELOW, "", err);
    return status;
}

/* Removes the contents of the folder portolan-replaced-N and then the folder. The manifest
 * goes last, because without it nothing tells what the folder is. */
static ptl_status remove_folder(replaced *r, ptl_error *err)
{
    ptl_status status = r->fresh >= 0 ? remove_below(r, err) : PTL_OK;
    if (status == PTL_OK && r->fresh >= 0)
        status = remove_names(r, r->fresh, err);
    if (status == PTL_OK && r->fresh >= 0 && !folder_remove_in(r->fd, INTO_NEW))
        status = into_failed(r->path, INTO_NEW, "", err);
    THEN(status, remove_names(r, r->fd, err));
    THEN(status, sync_folder(r->fd, r->path, err));
    if (status == PTL_OK && !file_remove_in(r->fd, INTO_MANIFEST) && errno != ENOENT)
        status = into_failed(r->path, INTO_MANIFEST, "", err);
    if (status == PTL_OK && !folder_remove_in(r->save->fd, r->name))
        status = into_failed(r->save->path, r->name, "", err);
    if (status == PTL_OK)
        /* It does no harm if file_sync fails. After a crash the folder may be there again, but
         * its manifest says "undone". */
        (void)file_sync(r->save->fd);
    return status;
}

ptl_status replaced_take_back(replaced *r, ptl_error *err)
{
    const file_time before = r->m.changed;
    /* Checks that the folder has only files that Portolan put there. */
    save_entries names = {NULL, 0, 0};
    ptl_status status = folder_names(&names, r->fd, r->path, err);
    for (size_t i = 0; i < names.count && status == PTL_OK; i++) {
        const char *name = names.list[i].path;
        if (strcmp(name, INTO_MANIFEST) != 0 && strcmp(name, INTO_NEW) != 0 &&
            !is_beginning(name) && !save_entries_find(&r->m.moved, name))
            status = changed(r, r->path, name, "was not there before", err);
    }
    save_entries_dispose(&names);
    if (status == PTL_OK && r->fresh >= 0)
        status = check_fresh(r, err);
    const bool moves = r->m.state != INTO_PREPARING && r->m.state != INTO_UNDONE;
    if (moves) {
        THEN(status, check_all_moved(r, err));
        THEN(status, check_written(r, err));
        THEN(status, check_others(r, err));
    }
    const bool checked = status == PTL_OK;
    if (checked && moves)
        status = move_back(r, err);
    THEN(status, remove_folder(r, err));
    if (status != PTL_OK && checked)
        error_prefix(err, status, "undoing has begun, and the next call goes on with it");
    if (status == PTL_OK)
        /* SAVE gets back the time of change that it had before the call. A failure does not
         * matter. */
        (void)file_set_changed(r->save->fd, before);
    replaced_close(r);
    return status;
}

/*
 * The manifest of a folder portolan-replaced-N: JSON, written completely or not at all. It is
 * not trusted when it is read: paths are accepted only if they lie below SAVE and have names
 * that ptl_game_save_put moves or writes.
 */

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
    if (m->overmaps > 0)
        bytes_printf(&text, ",\n\"overmaps\": %" PRIu64, m->overmaps);
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
