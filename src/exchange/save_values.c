/* Single values of a save's JSON, the place in the file of a wrong one, and ids that the
 * content lacks. */
#include "core/array.h"
#include "core/error.h"
#include "exchange/save_json.h"
#include "json/json_value.h"
#include "json/position.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ptl_status fail_at(const save_json *j, size_t offset, const char *message)
{
    position_cursor at = position_begin(j->text);
    position_go(&at, offset);
    return error_set(j->err, PTL_ERR_CONTENT, "%s:%d:%d: %s", j->reader->path, at.line,
                     at.column, message);
}

/* Writes the JSON Pointer to a value. */
static size_t put_pointer(char out[SAVE_POINTER_SIZE], const save_value *at)
{
    const size_t length = at->in ? put_pointer(out, at->in) : 0;
    char number[24] = "";
    if (!at->key)
        snprintf(number, sizeof number, "%zu", at->index);
    const int more = at->in ? snprintf(out + length, SAVE_POINTER_SIZE - length, "/%s",
                                       at->key ? at->key : number)
                            : 0;
    return more >= 0 && length + (size_t)more < SAVE_POINTER_SIZE ? length + (size_t)more
                                                                  : length;
}

static ptl_status fail_there(const save_json *j, const char *pointer, const char *message)
{
    const json_document document = json_reader_document(j->parsed);
    return fail_at(j, j->start + position_find(&document, pointer), message);
}

ptl_status save_json_fail(const save_json *j, const save_value *at, const char *format, ...)
{
    char message[PTL_ERROR_MESSAGE_SIZE], pointer[SAVE_POINTER_SIZE] = "";
    va_list list;
    va_start(list, format);
    vsnprintf(message, sizeof message, format, list);
    va_end(list);
    put_pointer(pointer, at);
    return fail_there(j, pointer, message);
}

/* Moves past the line "# version N". It may be missing, as for the games' own readers. */
static ptl_status skip_header(save_json *j, size_t size)
{
    const char *text = j->text;
    j->start = 0;
    if (size == 0 || text[0] != '#')
        return PTL_OK;
    const char *end = memchr(text, '\n', size);
    if (!end || strncmp(text, "# version ", 10) != 0)
        return error_set(j->err, PTL_ERR_CONTENT, "%s:1:1: the first line is not '# version N'",
                         j->reader->path);
    /* It ends at the line's end, which exists. */
    const long version = strtol(text + 10, NULL, 10);
    if (version < SAVE_VERSION_OLDEST)
        return error_set(
            j->err, PTL_ERR_CONTENT,
            "%s:1:1: save version %ld is not read, since it is no JSON; those from "
            "%d on are",
            j->reader->path, version, SAVE_VERSION_OLDEST);
    j->start = (size_t)(end - text) + 1;
    return PTL_OK;
}

ptl_status save_json_load(save_json *j, const char *text, size_t size)
{
    j->text = text;
    j->parsed = json_reader_new((stop_hook){NULL, NULL});
    if (!j->parsed)
        return error_nomem(j->err);
    TRY(skip_header(j, size));
    if (memchr(text, '\0', size))
        return error_set(j->err, PTL_ERR_CONTENT, "%s:1:1: it holds a zero byte",
                         j->reader->path);
    json_fault fault;
    j->root.json = json_value_read(j->parsed, text + j->start, size - j->start, &fault);
    if (!j->root.json && fault.kind == JSON_NO_MEMORY)
        return error_nomem(j->err);
    if (!j->root.json)
        return fail_at(j, (size_t)(fault.at - text), fault.reason);
    if (!json_is_object(j->root.json))
        return save_json_fail(j, &j->root, "an overmap is one JSON object");
    return PTL_OK;
}

void save_json_dispose(save_json *j)
{
    json_decref(j->root.json);
    json_reader_free(j->parsed);
}

ptl_status save_json_array(const save_json *j, const char *key, save_value *out)
{
    *out = save_member(&j->root, key);
    return !out->json || json_is_array(out->json)
               ? PTL_OK
               : save_json_fail(j, out, "%s must be an array", key);
}

ptl_status save_json_int(const save_json *j, const save_value *in, const char *key,
                         int64_t limits[2], int64_t fallback, int64_t *out)
{
    const save_value member = save_member(in, key);
    *out = member.json ? json_integer_value(member.json) : fallback;
    if ((!member.json || json_is_integer(member.json)) && *out >= limits[0] &&
        *out <= limits[1])
        return PTL_OK;
    return save_json_fail(j, &member, "%s must be a whole number from %lld to %lld", key,
                          (long long)limits[0], (long long)limits[1]);
}

ptl_status save_json_text(const save_json *j, const save_value *in, const char *key,
                          const char *fallback, const char **out)
{
    const save_value member = save_member(in, key);
    *out = member.json ? json_string_value(member.json) : fallback;
    return *out ? PTL_OK : save_json_fail(j, &member, "%s must be a text", key);
}

ptl_status save_json_place(const save_json *j, const save_value *at, save_spot *out)
{
    bool good = json_array_size(at->json) == 3;
    int32_t *const to[] = {&out->x, &out->y, &out->z};
    for (size_t i = 0; i < 3 && good; i++) {
        json_t *number = json_array_get(at->json, i);
        json_int_t n = json_integer_value(number);
        good = json_is_integer(number) && n >= INT32_MIN && n <= INT32_MAX;
        *to[i] = good ? (int32_t)n : 0;
    }
    return good ? PTL_OK : save_json_fail(j, at, "a place is [x, y, z] in whole numbers");
}

/* Ids of a save that the content lacks. They are counted by kind and id, with the place of the
 * first occurrence, and reported once the file is read. */

void save_lacks_init(save_lacks *l)
{
    memset(l, 0, sizeof *l);
    strmap_init(&l->numbers);
}

void save_lacks_dispose(save_lacks *l)
{
    for (size_t i = 0; i < l->count; i++)
        free(l->items[i].key);
    free(l->items);
    strmap_dispose(&l->numbers);
}

static save_lack *new_lack(save_lacks *l, char *key)
{
    if (!ARRAY_ROOM(l->items, l->room, l->count + 1))
        return NULL;
    if (strmap_put(&l->numbers, key, (uint32_t)l->count) != 0)
        return NULL;
    save_lack *item = &l->items[l->count++];
    *item = (save_lack){.key = key};
    return item;
}

ptl_status save_lacks_add(const save_json *j, ptl_save_unknown kind, const char *id,
                          uint64_t count, const save_value *at)
{
    save_lacks *l = j->lacks;
    const size_t size = strlen(id) + 2;
    char *key = malloc(size); /* the first letter keeps kinds apart */
    if (!key)
        return error_nomem(j->err);
    key[0] = (char)('a' + (int)kind);
    memcpy(key + 1, id, size - 1);
    const uint32_t number = strmap_get(&l->numbers, key);
    save_lack *item = number == STRMAP_NONE ? new_lack(l, key) : &l->items[number];
    if (!item || number != STRMAP_NONE)
        free(key);
    if (!item)
        return error_nomem(j->err);
    if (number == STRMAP_NONE) {
        item->kind = kind;
        put_pointer(item->pointer, at);
    }
    item->count += count;
    return PTL_OK;
}

/* Lists terrains as "a (3), b (1)": the first few in the file's order, then how many more
 * there are. */
static void list_terrains(char *out, size_t size, const save_lacks *l)
{
    enum { NAMED = 8 };
    size_t at = 0, named = 0, terrains = 0;
    out[0] = '\0';
    for (size_t i = 0; i < l->count; i++) {
        const save_lack *item = &l->items[i];
        if (item->kind != PTL_UNKNOWN_TERRAIN || terrains++ >= NAMED)
            continue;
        const int n = snprintf(out + at, size - at, "%s%s (%llu)", named ? ", " : "",
                               item->key + 1, (unsigned long long)item->count);
        if (n < 0 || (size_t)n >= size - at)
            break;
        at += (size_t)n;
        named++;
    }
    if (terrains > named && size - at > 32)
        snprintf(out + at, size - at, " and %zu more", terrains - named);
}

ptl_status save_lacks_fail(const save_json *j)
{
    const save_lacks *l = j->lacks;
    char list[400], message[PTL_ERROR_MESSAGE_SIZE];
    for (size_t i = 0; i < l->count; i++)
        if (l->items[i].kind == PTL_UNKNOWN_TERRAIN) {
            list_terrains(list, sizeof list, l);
            snprintf(message, sizeof message, "the content has no terrain %s", list);
            return fail_there(j, l->items[i].pointer, message);
        }
    return PTL_OK;
}

/* Reports in the order of the text, in which the ids were found. */
ptl_status save_lacks_tell(const save_json *j)
{
    const save_lacks *l = j->lacks;
    const save_reader *r = j->reader;
    const json_document document = json_reader_document(j->parsed);
    for (size_t i = 0; i < l->count; i++) {
        const save_lack *item = &l->items[i];
        bytes place = {.size = 0};
        if (r->on_unknown)
            r->on_unknown(r->payload, item->kind, item->key + 1, item->count);
        if (!r->on_lack)
            continue;
        position_cursor at = position_begin(j->text);
        position_go(&at, j->start + position_find(&document, item->pointer));
        bytes_printf(&place, "%s:%d:%d", r->path, at.line, at.column);
        const ptl_save_lack told = {.size = sizeof told,
                                    .kind = item->kind,
                                    .id = item->key + 1,
                                    .count = item->count,
                                    .place = bytes_text(&place)};
        if (told.place)
            r->on_lack(r->payload, &told);
        bytes_dispose(&place);
        if (!told.place)
            return error_nomem(j->err);
    }
    return PTL_OK;
}
