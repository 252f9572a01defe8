#include "clients/tiled/tmx.h"

#include "clients/tiled/tmx_data.h"
#include "core/arena.h"
#include "core/array.h"
#include "core/error.h"
#include "os/file.h"

#include <errno.h>
#include <expat.h>
#include <stdlib.h>

enum {
    DEPTH_MAX = 32,        /* elements inside of each other; Tiled's own have 6 and groups */
    SETS_MAX = 64,         /* tilesets of a map */
    SQUARES_MAX = 1 << 18, /* squares of all tilesets */
    SIDE_MAX = 4096,       /* cells along a side of a <chunk> */
    TYPE_MAX = 200,        /* bytes of a type, and of a layer's name */
    READ_SIZE = 64 * 1024
};

/* Most bytes of a file, and most cells of all its layers. */
static const uint64_t FILE_SIZE_MAX = UINT64_C(4) << 30, CELLS_MAX = UINT64_C(1) << 29;

/* The elements of a map that matter. */
typedef enum kind { OTHER, MAP, TILESET, GROUP, LAYER, PROPERTIES, DATA, CHUNK } kind;

typedef struct tileset {
    uint32_t first;     /* number of its first square in layers */
    size_t from, count; /* its squares in reader.squares */
} tileset;

typedef struct reader {
    const char *path;
    const tmx_calls *calls;
    ptl_error *err;
    ptl_status status;
    XML_Parser xml;
    arena *texts; /* owned; the types of squares */
    kind stack[DEPTH_MAX];
    size_t depth;
    tmx_square *squares; /* owned */
    size_t square_count, square_room;
    tileset sets[SETS_MAX];
    size_t set_count;
    /* The layer that is being read. */
    char name[TYPE_MAX + 1];
    bool has_z, is_told;
    int64_t z;
    tmx_coding coding;
    /* The <chunk> that is being read. */
    int64_t x, y, width, height;
    tmx_data data;
    uint64_t cells; /* of all chunks so far */
} reader;

/* ---- errors ---- */

/* Ends the reading with an error at the present place of the file. */
static void fail(reader *r, ptl_status status, const char *what)
{
    if (r->status != PTL_OK)
        return;
    r->status = error_set(r->err, status, "%s:%lu:%lu: %s", r->path,
                          (unsigned long)XML_GetCurrentLineNumber(r->xml),
                          (unsigned long)XML_GetCurrentColumnNumber(r->xml) + 1, what);
    (void)XML_StopParser(r->xml, XML_FALSE);
}

static void fail_memory(reader *r)
{
    r->status = r->status == PTL_OK ? error_nomem(r->err) : r->status;
    (void)XML_StopParser(r->xml, XML_FALSE);
}

/* Ends the reading because the caller wants it; a caller that has an error has set it. */
static void cancel(reader *r)
{
    r->status = error_set(r->err, PTL_ERR_CANCELLED, "stopped");
    (void)XML_StopParser(r->xml, XML_FALSE);
}

/* ---- attributes ---- */

static const char *attribute(const char **list, const char *name)
{
    for (; *list; list += 2)
        if (strcmp(list[0], name) == 0)
            return list[1];
    return NULL;
}

static bool read_number(const char *text, int64_t lo, int64_t hi, int64_t *out)
{
    const char *digits = text && text[0] == '-' ? text + 1 : text ? text : "";
    const size_t size = strlen(digits);
    if (size == 0 || size > 15 || strspn(digits, "0123456789") != size)
        return false;
    *out = strtoll(text, NULL, 10);
    return *out >= lo && *out <= hi;
}

/* ---- tilesets ---- */

static void begin_map(reader *r, const char **list)
{
    const char *infinite = attribute(list, "infinite");
    if (!infinite || strcmp(infinite, "1") != 0)
        fail(r, PTL_ERR_UNSUPPORTED,
             "the map is not infinite, so its cells have no absolute places: edit the map as "
             "'portolan export --format tiled' has written it");
}

static void begin_tileset(reader *r, const char **list)
{
    int64_t first = 0;
    if (attribute(list, "source")) {
        fail(r, PTL_ERR_UNSUPPORTED,
             "the tileset is in another file: embed it in the map (in Tiled, 'Embed Tileset')");
    } else if (!read_number(attribute(list, "firstgid"), 1, INT32_MAX, &first)) {
        fail(r, PTL_ERR_CONTENT, "a tileset has no firstgid");
    } else if (r->set_count == SETS_MAX) {
        fail(r, PTL_ERR_LIMIT, "the map has more than 64 tilesets");
    } else {
        r->sets[r->set_count++] = (tileset){.first = (uint32_t)first, .from = r->square_count};
    }
}

/* A square of the last tileset. */
static void begin_square(reader *r, const char **list)
{
    const char *type = attribute(list, "type");
    tileset *set = &r->sets[r->set_count - 1];
    int64_t id = 0;
    type = type ? type : attribute(list, "class"); /* so called in TMX 1.9 */
    if (!read_number(attribute(list, "id"), 0, SQUARES_MAX - 1, &id) ||
        set->from + (size_t)id >= SQUARES_MAX) {
        fail(r, PTL_ERR_CONTENT, "a square of a tileset has no id, or a too large one");
        return;
    }
    if (type && strlen(type) > TYPE_MAX) {
        fail(r, PTL_ERR_LIMIT, "the type of a square has more than 200 bytes");
        return;
    }
    const size_t at = set->from + (size_t)id;
    if (!ARRAY_ROOM_ZEROED(r->squares, r->square_room, at + 1)) {
        fail_memory(r);
        return;
    }
    r->square_count = at + 1 > r->square_count ? at + 1 : r->square_count;
    set->count = r->square_count - set->from;
    if (!type || !*type)
        return;
    r->squares[at].type = arena_strdup(r->texts, type);
    if (r->squares[at].type)
        r->squares[at].number = r->calls->number_of(r->calls->payload, type);
    else
        fail_memory(r);
}

/* Finds the square that a number in a layer stands for. The four highest bits of the number say
 * how it is turned. */
static tmx_square square_of(const reader *r, uint32_t number)
{
    const uint32_t id = number & 0x0fffffff;
    const tileset *found = NULL;
    for (size_t i = 0; i < r->set_count; i++)
        if (r->sets[i].first <= id && (!found || r->sets[i].first > found->first))
            found = &r->sets[i];
    tmx_square square = {NULL, 0, false};
    if (found && id - found->first < found->count)
        square = r->squares[found->from + (id - found->first)];
    square.is_turned = number != id;
    return square;
}

/* ---- layers ---- */

static void keep_name(reader *r, const char **list)
{
    const char *name = attribute(list, "name");
    r->name[0] = '\0';
    if (name && strlen(name) > TYPE_MAX)
        fail(r, PTL_ERR_LIMIT, "the name of a layer has more than 200 bytes");
    else if (name)
        memcpy(r->name, name, strlen(name) + 1);
}

static void begin_layer(reader *r, const char **list)
{
    keep_name(r, list);
    r->is_told = false;
    r->has_z = read_number(r->name, INT32_MIN, INT32_MAX, &r->z);
}

/* A layer of objects, or a picture. */
static void begin_other_layer(reader *r, const char **list)
{
    keep_name(r, list);
    if (r->status == PTL_OK && !r->calls->on_layer(r->calls->payload, r->name, false, false, 0))
        cancel(r);
}

static void take_property(reader *r, const char **list)
{
    const char *name = attribute(list, "name");
    if (name && strcmp(name, "z") == 0)
        r->has_z = read_number(attribute(list, "value"), INT32_MIN, INT32_MAX, &r->z);
}

static void begin_data(reader *r, const char **list)
{
    r->coding = tmx_coding_of(attribute(list, "encoding"), attribute(list, "compression"));
    if (r->coding == TMX_CODINGS)
        fail(r, PTL_ERR_UNSUPPORTED,
             "the cells are written in a form that is not read: choose CSV or Base64 as the "
             "tile layer format of the map");
}

static void begin_chunk(reader *r, const char **list)
{
    const int64_t most = INT64_C(1) << 40;
    if (!read_number(attribute(list, "x"), -most, most, &r->x) ||
        !read_number(attribute(list, "y"), -most, most, &r->y) ||
        !read_number(attribute(list, "width"), 1, SIDE_MAX, &r->width) ||
        !read_number(attribute(list, "height"), 1, SIDE_MAX, &r->height)) {
        fail(r, PTL_ERR_CONTENT, "x, y, width or height of a chunk is missing or too large");
        return;
    }
    const size_t count = (size_t)(r->width * r->height);
    r->cells += count;
    if (r->cells > CELLS_MAX)
        fail(r, PTL_ERR_LIMIT, "the map has more than 536 870 912 cells");
    tmx_data_begin(&r->data, r->coding, count);
    if (r->status == PTL_OK && !r->is_told &&
        !r->calls->on_layer(r->calls->payload, r->name, true, r->has_z, r->z))
        cancel(r);
    r->is_told = true;
}

static void end_chunk(reader *r)
{
    const char *wrong = tmx_data_end(&r->data);
    if (wrong) {
        fail(r, PTL_ERR_CONTENT, wrong);
        return;
    }
    for (size_t i = 0; i < r->data.count && r->status == PTL_OK; i++) {
        const uint32_t number = tmx_data_at(&r->data, i);
        const tmx_square square =
            number == 0 ? (tmx_square){NULL, 0, false} : square_of(r, number);
        if (!r->calls->on_cell(r->calls->payload, r->x + (int64_t)i % r->width,
                               r->y + (int64_t)i / r->width, number == 0 ? NULL : &square))
            cancel(r);
    }
}

/* ---- the document ---- */

/* The elements that are read: their names, the elements in which they are looked for, and what
 * is done when they begin. */
static const struct element {
    const char *name;
    kind in, is;
    void (*begin)(reader *r, const char **list);
} elements[] = {
    {"tileset", MAP, TILESET, begin_tileset},
    {"tile", TILESET, OTHER, begin_square},
    {"group", MAP, GROUP, NULL},
    {"group", GROUP, GROUP, NULL},
    {"layer", MAP, LAYER, begin_layer},
    {"layer", GROUP, LAYER, begin_layer},
    {"objectgroup", MAP, OTHER, begin_other_layer},
    {"objectgroup", GROUP, OTHER, begin_other_layer},
    {"imagelayer", MAP, OTHER, begin_other_layer},
    {"imagelayer", GROUP, OTHER, begin_other_layer},
    {"properties", LAYER, PROPERTIES, NULL},
    {"property", PROPERTIES, OTHER, take_property},
    {"data", LAYER, DATA, begin_data},
    {"chunk", DATA, CHUNK, begin_chunk},
};

static void XMLCALL handle_start(void *payload, const char *name, const char **list)
{
    reader *r = payload;
    const struct element *found = NULL;
    if (r->status != PTL_OK)
        return;
    if (r->depth == 0 && strcmp(name, "map") != 0) {
        fail(r, PTL_ERR_CONTENT, "this is no map of Tiled: its first element is not <map>");
        return;
    }
    if (r->depth == DEPTH_MAX) {
        fail(r, PTL_ERR_LIMIT, "elements lie more than 32 deep in each other");
        return;
    }
    for (size_t i = 0; i < sizeof elements / sizeof elements[0] && r->depth > 0; i++)
        if (elements[i].in == r->stack[r->depth - 1] && strcmp(elements[i].name, name) == 0)
            found = &elements[i];
    r->stack[r->depth] = r->depth == 0 ? MAP : found ? found->is : OTHER;
    if (r->depth++ == 0)
        begin_map(r, list);
    else if (found && found->begin)
        found->begin(r, list);
}

static void XMLCALL handle_end(void *payload, const char *name)
{
    reader *r = payload;
    (void)name;
    if (r->status == PTL_OK && r->stack[--r->depth] == CHUNK)
        end_chunk(r);
}

static void XMLCALL handle_text(void *payload, const char *text, int size)
{
    reader *r = payload;
    if (r->status != PTL_OK || r->depth == 0 || r->stack[r->depth - 1] != CHUNK)
        return;
    const char *wrong = tmx_data_take(&r->data, text, (size_t)size);
    if (wrong)
        fail(r, PTL_ERR_CONTENT, wrong);
}

/* Only a document type can declare entities, so that a document without it has none. */
static void XMLCALL handle_type(void *payload, const char *name, const char *system,
                                const char *public_id, int has_internal)
{
    (void)name;
    (void)system;
    (void)public_id;
    (void)has_internal;
    fail(payload, PTL_ERR_CONTENT, "it declares a document type, which no map of Tiled does");
}

/* ---- the file ---- */

static ptl_status parse(reader *r, int fd)
{
    uint64_t size = 0;
    for (int64_t read = 1; read > 0 && r->status == PTL_OK; size += (uint64_t)read) {
        void *buffer = XML_GetBuffer(r->xml, READ_SIZE);
        if (!buffer)
            return error_nomem(r->err);
        read = file_read(fd, buffer, READ_SIZE);
        if (read < 0)
            return error_system(r->err, PTL_ERR_IO, errno, "reading %s", r->path);
        if (size > FILE_SIZE_MAX)
            return error_set(r->err, PTL_ERR_LIMIT, "%s: it has more than 4 GiB", r->path);
        if (XML_ParseBuffer(r->xml, (int)read, read == 0) != XML_STATUS_OK &&
            r->status == PTL_OK) {
            const enum XML_Error code = XML_GetErrorCode(r->xml);
            if (code == XML_ERROR_NO_MEMORY)
                return error_nomem(r->err);
            fail(r, PTL_ERR_CONTENT, XML_ErrorString(code));
        }
    }
    return r->status;
}

static ptl_status read_file(reader *r, int fd)
{
    r->xml = XML_ParserCreate(NULL);
    r->texts = arena_new();
    if (!r->xml || !r->texts)
        return error_nomem(r->err);
    XML_SetUserData(r->xml, r);
    XML_SetElementHandler(r->xml, handle_start, handle_end);
    XML_SetCharacterDataHandler(r->xml, handle_text);
    XML_SetStartDoctypeDeclHandler(r->xml, handle_type);
    return parse(r, fd);
}

ptl_status tmx_read(const char *path, const tmx_calls *calls, ptl_error *err)
{
    file_facts facts;
    if (!file_look(&facts, path))
        return error_system(err, errno == ENOENT ? PTL_ERR_NOT_FOUND : PTL_ERR_IO, errno,
                            "opening %s", path);
    if (facts.kind != FILE_REGULAR)
        return error_set(err, PTL_ERR_IO, "%s is no regular file", path);
    const int fd = file_open_any(path);
    if (fd < 0)
        return error_system(err, PTL_ERR_IO, errno, "opening %s", path);
    reader *r = calloc(1, sizeof *r);
    ptl_status status = PTL_OK;
    if (r) {
        *r = (reader){.path = path, .calls = calls, .err = err};
        status = read_file(r, fd);
        XML_ParserFree(r->xml);
        arena_free(r->texts);
        tmx_data_dispose(&r->data);
        free(r->squares);
    } else {
        status = error_nomem(err);
    }
    free(r);
    (void)file_close(fd);
    return status;
}
