#include "core/array.h"
#include "core/utf8.h"
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

void mapgen_compiler_at(mapgen_compiler *c, const char *path, int64_t line)
{
    c->path = path ? id_pool_put(c->context.pool, path, strlen(path)) : ID_NONE;
    c->line = (int32_t)line;
}

bool mapgen_compiler_failed(const mapgen_compiler *c)
{
    return c->failed || c->text.failed || c->message.failed || c->script.failed ||
           id_pool_failed(c->context.pool);
}

/* Compiles members of palettes and objects whose keys are characters: terrain, furniture, all
 * kinds of pieces, and `mapping`, which has all members of one character together. */

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

uint32_t growing_put(mapgen_compiler *c, growing *g, const void *item, size_t size)
{
    void *added = append(c, g, 1, size);
    if (added)
        memcpy(added, item, size);
    return added ? g->count - 1 : 0;
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

/* Copies an array to the arena. The element 0 of each array stands for "none". An array with no
 * further element, as most are, is not copied: a shared constant takes its place. */
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
    /* Each of these arrays of the unit begins with an empty element, so that the index 0 can
     * mean "none". */
    GROWING_PUT(c, &c->values, (mapgen_value){0});
    GROWING_PUT(c, &c->choices, (mapgen_choice){0});
    GROWING_PUT(c, &c->pieces, (mapgen_piece){0});
    GROWING_PUT(c, &c->conditions, (mapgen_condition){0});
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

static void report(mapgen_compiler *c, remark_code code, size_t offset, const char *format,
                   va_list args)
{
    const ptl_severity severity = remark_code_severity(code);
    c->wrong = c->wrong || severity == PTL_ERROR;
    if (!c->context.tell)
        return;
    bytes_clear(&c->message);
    bytes_vprintf(&c->message, format, args);
    const char *text = bytes_text(&c->message);
    const mapgen_remark r = {severity, code, offset, text, NULL};
    if (text)
        c->context.tell(c->context.payload, &r);
}

void remark(mapgen_compiler *c, remark_code code, json_view at, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    report(c, code, json_view_offset(at), format, args);
    va_end(args);
}

void remark_place(mapgen_compiler *c, remark_code code, size_t offset, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    report(c, code, offset, format, args);
    va_end(args);
}

void remark_undone(mapgen_compiler *c, json_view at, const char *what)
{
    const mapgen_remark r = {PTL_NOTE, MG310, json_view_offset(at),
                             "it is known and not carried out yet", what};
    c->unfinished = true;
    if (c->context.tell)
        c->context.tell(c->context.payload, &r);
}

/* ---- texts ---- */

uint32_t pool_text(mapgen_compiler *c, json_view v)
{
    const uint32_t id = mapgen_text_id(c->context.pool, v, &c->text);
    if (v.document && id == ID_NONE)
        remark(c, MG004, v, "expected a string, found %s", json_view_kind_name(v));
    return id;
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

/* Reads rows of UTF-8 text, and gives each character a number. A character is a code point with
 * the combining marks behind it. */

/* Returns the number of bytes of the character that begins at text. */
static size_t symbol_size(const char *text, size_t size)
{
    uint32_t code;
    size_t used = utf8_decode(text, size, &code);
    while (used < size && (unsigned char)text[used] >= 0x80) {
        const size_t more = utf8_decode(text + used, size - used, &code);
        if (code == UTF8_BAD || utf8_columns(code) != 0)
            break;
        used += more;
    }
    return used;
}

/* A drawing, that is, rows of characters, while it is read. `letters` gives each character of
 * one byte its number in the drawing. */
typedef struct drawing {
    /* By character: its number, plus 1, in the drawing; 0: it has not come
     * yet. */
    uint16_t letters[128];
    uint16_t *cells; /* the cells of the row that is being read */
} drawing;

/* Returns the number of a character among the characters of the drawing. At its first use it is
 * added to them. */
static uint16_t symbol_number(mapgen_compiler *c, const char *text, size_t size)
{
    enum { SYMBOLS_MAX = UINT16_MAX - 1 };
    const uint32_t id = id_pool_put(c->context.pool, text, size);
    symbol_place *place = place_of(c, id);
    if (!place)
        return 0;
    if (place->stamp != c->stamp) {
        if (c->symbols.count >= SYMBOLS_MAX)
            return 0;
        *place = (symbol_place){c->stamp, GROWING_PUT(c, &c->symbols, id)};
    }
    return (uint16_t)place->index;
}

static bool is_ascii(const char *text, size_t size)
{
    uint64_t bits = 0, word;
    for (; size >= sizeof word; text += sizeof word, size -= sizeof word) {
        memcpy(&word, text, sizeof word);
        bits |= word;
    }
    for (; size > 0; size--)
        bits |= (unsigned char)*text++;
    return !(bits & UINT64_C(0x8080808080808080));
}

/* Reads a row of characters as read_row does, but faster: in this row each byte is a
 * character. */
static size_t read_letters(mapgen_compiler *c, drawing *d, const char *text, size_t size)
{
    const size_t width = (size_t)c->width, count = size < width ? size : width;
    uint16_t *cells = d->cells;
    for (size_t i = 0; i < count; i++) {
        uint16_t letter = d->letters[(unsigned char)text[i]];
        if (letter == 0)
            letter = d->letters[(unsigned char)text[i]] =
                (uint16_t)(symbol_number(c, text + i, 1) + 1);
        cells[i] = (uint16_t)(letter - 1);
    }
    return size;
}

/* Reads a row into d->cells, up to the drawing's width. Returns how many characters the row
 * has, also those beyond the width. */
static size_t read_row(mapgen_compiler *c, drawing *d, const char *at, const char *end)
{
    size_t count = 0;
    for (; at < end; count++) {
        const unsigned char first = (unsigned char)*at;
        const bool alone = first < 0x80 && (at + 1 == end || (unsigned char)at[1] < 0x80);
        const size_t size = alone ? 1 : symbol_size(at, (size_t)(end - at));
        if (count < (size_t)c->width && alone) {
            if (d->letters[first] == 0)
                d->letters[first] = (uint16_t)(symbol_number(c, at, 1) + 1);
            d->cells[count] = (uint16_t)(d->letters[first] - 1);
        } else if (count < (size_t)c->width) {
            d->cells[count] = symbol_number(c, at, size);
        }
        at += size;
    }
    return count;
}

bool compile_rows(mapgen_compiler *c, json_view rows)
{
    if (json_view_kind(rows) != VIEW_ARRAY) {
        remark(c, MG004, rows, "'rows' must be a list of strings, not %s",
               json_view_kind_name(rows));
        return false;
    }
    const size_t count = json_view_count(rows), height = (size_t)c->height;
    if (count < height) {
        remark(c, MG101, rows, "%zu rows, %zu are needed", count, height);
        return false;
    }
    if (count > height)
        remark(c, MG102, rows, "more rows than needed: the rest does not count");
    /* A new drawing begins. With the new stamp, the numbers that characters had in the last
     * drawing no longer count. */
    c->stamp++;
    uint16_t *cells = append(c, &c->cells, (uint32_t)(c->width * c->height), sizeof *cells);
    if (!cells)
        return false;
    drawing d = {.letters = {0}};
    bool good = true;
    for (json_walk w = json_walk_of(rows); json_walk_next(&w) && w.index < height;) {
        d.cells = cells + w.index * (size_t)c->width;
        size_t length;
        const char *text = json_view_text(w.value, &c->text, &length);
        if (!text) {
            remark(c, MG004, w.value, "a row must be a string, not %s",
                   json_view_kind_name(w.value));
            good = false;
            continue;
        }
        const size_t columns = is_ascii(text, length) ? read_letters(c, &d, text, length)
                                                      : read_row(c, &d, text, text + length);
        if (columns < (size_t)c->width)
            remark(c, MG101, w.value, "row %zu has %zu columns, %d are needed", w.index + 1,
                   columns, (int)c->width);
        else if (columns > (size_t)c->width)
            remark(c, MG102, w.value,
                   "a row has more columns than needed: the rest does not count");
        good = good && columns >= (size_t)c->width;
    }
    return good;
}

static const uint32_t NO_MEANING = UINT32_MAX;

/* The key of the member is a character. Returns the number of the character's meaning in the
 * palette or entry that is being compiled; at its first use there it gets a new meaning.
 * NO_MEANING: the key is not one character, or memory is out. */
static uint32_t meaning_of(mapgen_compiler *c, const json_walk *w)
{
    size_t length;
    const char *text = json_view_text(w->key, &c->text, &length);
    const bool one = text && length > 0 && symbol_size(text, length) == length;
    const uint32_t symbol = one ? id_pool_put(c->context.pool, text, length) : ID_NONE;
    if (symbol == ID_NONE) {
        remark(c, MG103, w->key, "'%s' is not one character", key_text(c, w));
        return NO_MEANING;
    }
    symbol_place *place = place_of(c, symbol);
    if (!place)
        return NO_MEANING;
    if (place->stamp != c->stamp) {
        const mapgen_meaning made = {.symbol = symbol};
        *place = (symbol_place){c->stamp, GROWING_PUT(c, &c->meanings, made)};
        if (c->failed)
            return NO_MEANING;
    }
    return place->index;
}

/* Appends a piece to the pieces of a character. The character's meaning is given by its number,
 * as compiling the piece may have moved the array of meanings. */
static void append_symbol(mapgen_compiler *c, uint32_t meaning, uint32_t piece)
{
    mapgen_meaning *m = (mapgen_meaning *)c->meanings.items + meaning;
    if (piece == 0)
        return;
    mapgen_piece *pieces = c->pieces.items;
    if (m->last_piece)
        pieces[m->last_piece].next = piece;
    else
        m->pieces = piece;
    m->last_piece = piece;
}

/* Lets a character put things of one kind on its tiles. For traps a JSON list means
 * alternatives; for other kinds every element of a list is put on the tile. */
static void define(mapgen_compiler *c, uint32_t meaning, mapgen_kind kind, json_view v)
{
    if (kind == MAPGEN_TERRAIN || kind == MAPGEN_FURNITURE) {
        const bool terrain = kind == MAPGEN_TERRAIN;
        const bool list = json_view_kind(v) == VIEW_ARRAY;
        const uint32_t value =
            compile_choices(c, v, terrain ? MAPGEN_REF_TERRAIN : MAPGEN_REF_FURNITURE, 1);
        mapgen_meaning *m = (mapgen_meaning *)c->meanings.items + meaning;
        if (value != 0) {
            *(terrain ? &m->terrain : &m->furniture) = value;
            *(terrain ? &m->terrain_place : &m->furniture_place) =
                (uint32_t)json_view_offset(v);
            *(terrain ? &m->terrain_list : &m->furniture_list) = list;
        }
    } else if (json_view_kind(v) == VIEW_ARRAY && kind != MAPGEN_TRAP) {
        for (json_walk w = json_walk_of(v); json_walk_next(&w);)
            append_symbol(c, meaning, compile_piece(c, kind, w.value, false));
    } else {
        append_symbol(c, meaning, compile_piece(c, kind, v, false));
    }
}

bool compile_symbols_member(mapgen_compiler *c, const json_walk *member)
{
    if (key_is(member, "mapping")) {
        for (json_walk w = json_walk_of(member->value); json_walk_next(&w);) {
            const uint32_t number = meaning_of(c, &w);
            if (number == NO_MEANING)
                continue;
            for (json_walk k = json_walk_of(w.value); json_walk_next(&k);) {
                const mapgen_kind kind = kind_of_member(&k);
                if (kind == MAPGEN_KINDS)
                    remark(c, MG005, k.key, "unknown member '%s'", key_text(c, &k));
                else
                    define(c, number, kind, k.value);
            }
        }
        return true;
    }
    const mapgen_kind kind = kind_of_member(member);
    if (kind == MAPGEN_KINDS)
        return false;
    if (json_view_kind(member->value) != VIEW_OBJECT) {
        remark(c, MG004, member->value,
               "'%s' must be an object whose keys are characters, not %s", key_text(c, member),
               json_view_kind_name(member->value));
        return true;
    }
    for (json_walk w = json_walk_of(member->value); json_walk_next(&w);) {
        const uint32_t number = meaning_of(c, &w);
        if (number != NO_MEANING)
            define(c, number, kind, w.value);
    }
    return true;
}
