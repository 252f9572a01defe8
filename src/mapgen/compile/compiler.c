#include "core/array.h"
#include "mapgen/compile/compile_impl.h"

/* ---- marks ---- */

void mapgen_marks_add(mapgen_marks *marks, uint32_t id, mapgen_reference what)
{
    if (id == ID_NONE)
        return;
    if (!ARRAY_ROOM_ZEROED(marks->bits, marks->count, (size_t)id + 1)) {
        marks->failed = true;
        return;
    }
    marks->bits[id] |= 1u << what;
}

bool mapgen_marks_have(const mapgen_marks *marks, uint32_t id, mapgen_reference what)
{
    return id < marks->count && (marks->bits[id] >> what & 1);
}

void mapgen_marks_dispose(mapgen_marks *marks)
{
    free(marks->bits);
    *marks = (mapgen_marks){NULL, 0, false};
}

/* ---- the compiler ---- */

mapgen_compiler *mapgen_compiler_new(const mapgen_context *context)
{
    mapgen_compiler *c = calloc(1, sizeof *c);
    if (!c)
        return NULL;
    c->context = *context;
    bytes_init(&c->text);
    bytes_init(&c->message);
    bytes_init(&c->script);
    return c;
}

void mapgen_compiler_free(mapgen_compiler *c)
{
    if (!c)
        return;
    for (size_t i = 0; i < sizeof c->all / sizeof c->all[0]; i++)
        free(c->all[i].items);
    free(c->places);
    bytes_dispose(&c->text);
    bytes_dispose(&c->message);
    bytes_dispose(&c->script);
    free(c);
}

bool mapgen_compiler_failed(const mapgen_compiler *c)
{
    return c->failed || c->text.failed || c->message.failed || c->script.failed ||
           id_pool_failed(c->context.pool);
}

/* Appends `count` zeroed elements and returns the first. */
static void *append(mapgen_compiler *c, growing *g, uint32_t count, size_t size)
{
    const size_t wanted = (size_t)g->count + count;
    if (wanted > g->room && !array_grow(&g->items, &g->room, wanted, size)) {
        c->failed = true;
        return NULL;
    }
    void *first = (char *)g->items + g->count * size;
    memset(first, 0, count * size);
    g->count += count;
    return first;
}

void *growing_add(mapgen_compiler *c, growing *g, size_t size)
{
    return append(c, g, 1, size);
}

uint16_t *growing_cells(mapgen_compiler *c, uint32_t count)
{
    return append(c, &c->cells, count, sizeof(uint16_t));
}

void growing_free(growing *g)
{
    free(g->items);
    *g = (growing){NULL, 0, 0};
}

const void *growing_keep(mapgen_compiler *c, const growing *g, size_t size)
{
    const void *copy = arena_copy(c->context.memory, g->items, g->count * size);
    c->failed = c->failed || !copy;
    return copy;
}

/* Keeps an array whose number 0 means none. Most units have nothing else in it, and then
 * nothing is kept. */
static const void *keep_behind_none(mapgen_compiler *c, const growing *g, size_t size)
{
    static const union {
        mapgen_value value;
        mapgen_choice choice;
        mapgen_piece piece;
        mapgen_condition condition;
    } none;
    return g->count == 1 ? &none : growing_keep(c, g, size);
}

void unit_begin(mapgen_compiler *c)
{
    for (size_t i = 0; i < sizeof c->all / sizeof c->all[0]; i++)
        c->all[i].count = 0;
    c->stamp++;
    c->wrong = c->unfinished = false;
    /* Number 0 of each array means none. */
    GROWING_ADD(c, &c->values, mapgen_value);
    GROWING_ADD(c, &c->choices, mapgen_choice);
    GROWING_ADD(c, &c->pieces, mapgen_piece);
    GROWING_ADD(c, &c->conditions, mapgen_condition);
}

static int compare_meanings(const void *left, const void *right)
{
    const uint32_t a = ((const mapgen_meaning *)left)->symbol;
    const uint32_t b = ((const mapgen_meaning *)right)->symbol;
    return (a > b) - (a < b);
}

void unit_end(mapgen_compiler *c, mapgen_unit *out)
{
    if (c->meanings.count > 1)
        qsort(c->meanings.items, c->meanings.count, sizeof(mapgen_meaning), compare_meanings);
    *out = (mapgen_unit){
        .values = keep_behind_none(c, &c->values, sizeof(mapgen_value)),
        .choices = keep_behind_none(c, &c->choices, sizeof(mapgen_choice)),
        .pieces = keep_behind_none(c, &c->pieces, sizeof(mapgen_piece)),
        .conditions = keep_behind_none(c, &c->conditions, sizeof(mapgen_condition)),
        .meanings = growing_keep(c, &c->meanings, sizeof(mapgen_meaning)),
        .palettes = growing_keep(c, &c->palettes, sizeof(uint32_t)),
        .parameters = growing_keep(c, &c->parameters, sizeof(mapgen_parameter)),
        .value_count = c->values.count,
        .choice_count = c->choices.count,
        .piece_count = c->pieces.count,
        .condition_count = c->conditions.count,
        .meaning_count = c->meanings.count,
        .palette_count = c->palettes.count,
        .parameter_count = c->parameters.count};
}

symbol_place *place_of(mapgen_compiler *c, uint32_t symbol)
{
    if (!ARRAY_ROOM_ZEROED(c->places, c->place_count, (size_t)symbol + 1)) {
        c->failed = true;
        return NULL;
    }
    return &c->places[symbol];
}

/* ---- remarks ---- */

void remark_place(mapgen_compiler *c, int code, size_t offset, const char *format, ...)
{
    /* Errors are what the games refuse, too. Warnings are what they load, but change or ignore.
     * Notes tell what an entry needs, for those who ask. */
    static const int errors[] = {1, 2, 3, 4, 8, 9, 10, 101, 103, 108, 201, 208, 401};
    static const int notes[] = {107, 302, 310};
    mapgen_severity severity = MAPGEN_WARNING;
    for (size_t i = 0; i < sizeof errors / sizeof errors[0]; i++)
        severity = errors[i] == code ? MAPGEN_ERROR : severity;
    for (size_t i = 0; i < sizeof notes / sizeof notes[0]; i++)
        severity = notes[i] == code ? MAPGEN_NOTE : severity;
    c->wrong = c->wrong || severity == MAPGEN_ERROR;
    if (!c->context.tell)
        return;
    va_list args;
    va_start(args, format);
    bytes_clear(&c->message);
    bytes_vprintf(&c->message, format, args);
    va_end(args);
    const char *text = bytes_text(&c->message);
    const mapgen_remark r = {severity, code, offset, text, NULL};
    if (text)
        c->context.tell(c->context.payload, &r);
}

void remark_undone(mapgen_compiler *c, json_view at, const char *what)
{
    enum { UNDONE = 310 };
    const mapgen_remark r = {MAPGEN_NOTE, UNDONE, json_view_offset(at),
                             "it is known and not carried out yet", what};
    c->unfinished = true;
    if (c->context.tell)
        c->context.tell(c->context.payload, &r);
}

/* ---- texts ---- */

uint32_t pool_text(mapgen_compiler *c, json_view v)
{
    return mapgen_text_id(c->context.pool, v, &c->text);
}

uint32_t pool_json(mapgen_compiler *c, json_view v)
{
    return mapgen_json_id(c->context.pool, v);
}

const char *key_text(mapgen_compiler *c, const json_walk *w)
{
    enum { SHOWN = 60 };
    size_t length = 0;
    const char *text = json_view_text(w->key, &c->text, &length);
    if (!text)
        return "";
    if (text != (const char *)c->text.data) {
        bytes_clear(&c->text);
        bytes_put(&c->text, text, length < SHOWN ? length : SHOWN);
    } else if (length > SHOWN) {
        c->text.size = SHOWN;
    }
    text = bytes_text(&c->text);
    return text ? text : "";
}
