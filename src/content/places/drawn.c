/* What a character of a drawing stands for (ptl_drawn_list). */
#include "content/places/index.h"

#include "core/error.h"
#include "json/view.h"

#include <stdlib.h>
#include <string.h>

/* Limits of the search through palettes that include each other. They end a search in a circle:
 * games refuse palettes that include themselves, but an editor may show such content. */
enum { PALETTES_DEEP = 8, PALETTES_MANY = 1000 };

typedef struct drawing {
    place_index *index;
    bool (*on_drawn)(void *payload, const ptl_drawn *drawn);
    void *payload;
    const char *symbol; /* owned; the character in question, as the drawing's text has it */
    size_t length;
    bytes value;  /* scratch: text of the value that on_drawn gets next */
    int palettes; /* how many palettes were searched so far */
    /* For terrain and for furniture: was the definition that counts reported already? */
    bool has[2];
    bool ended;  /* the caller wants no more, or memory is out */
    bool failed; /* memory is out */
} drawing;

/* Members whose value may be a list of alternatives. Of terrain and furniture, the first two,
 * only one definition of the character counts; of traps, each does. */
static const char *const alternating[] = {"terrain", "furniture", "traps"};
enum { ALTERNATING = 3, COUNTED_ONCE = 2 };

static void tell(drawing *d, const char *member, const char *palette, json_view value,
                 double chance)
{
    size_t length;
    const char *text = json_view_text(value, &d->value, &length);
    if (!text && d->value.failed) {
        d->failed = d->ended = true;
        return;
    }
    if (!text) {
        text = value.document->text + json_view_offset(value);
        length = json_end(value.document, value.at) - json_view_offset(value);
        bytes_clear(&d->value);
        bytes_put(&d->value, text, length);
    } else if (text != (const char *)d->value.data) {
        bytes_clear(&d->value);
        bytes_put(&d->value, text, length);
    } else
        d->value.size = length;
    const ptl_drawn drawn = {.size = sizeof drawn,
                             .symbol = d->symbol,
                             .member = member,
                             .palette = palette,
                             .value = bytes_text(&d->value),
                             .chance = chance};
    d->failed = d->failed || !drawn.value;
    d->ended = d->ended || d->failed || !d->on_drawn(d->payload, &drawn);
}

/* Returns the weight of an element in a list of alternatives. For [value, weight], *value
 * becomes the value alone. */
static double weight_of(drawing *d, json_view *value)
{
    double weight = 1;
    bytes scratch = {.size = 0};
    if (json_view_kind(*value) == VIEW_ARRAY && json_view_count(*value) == 2) {
        json_walk w = json_walk_of(*value);
        (void)json_walk_next(&w);
        const json_view first = w.value;
        if (json_walk_next(&w) && json_view_real(w.value, &scratch, &weight))
            *value = first;
        d->failed = d->failed || scratch.failed;
        bytes_dispose(&scratch);
    }
    return weight > 0 ? weight : 0;
}

/* Calls on_drawn for what one member of a drawing's or palette's object gives the character:
 * once, or for each of several alternatives. */
static void tell_value(drawing *d, const char *member, const char *palette, json_view value,
                       double chance)
{
    bool alternates = false;
    double total = 0;
    if (json_view_kind(value) != VIEW_ARRAY) {
        tell(d, member, palette, value, chance);
        return;
    }
    for (size_t i = 0; i < ALTERNATING; i++)
        alternates = alternates || strcmp(member, alternating[i]) == 0;
    for (json_walk w = json_walk_of(value); json_walk_next(&w);) {
        json_view one = w.value;
        total += weight_of(d, &one);
    }
    for (json_walk w = json_walk_of(value); json_walk_next(&w) && !d->ended;) {
        json_view one = w.value;
        const double weight = alternates ? weight_of(d, &one) : 1;
        if (weight > 0)
            tell(d, member, palette, one, alternates ? chance * weight / total : chance);
    }
}

/* Tells what the object of a drawing or of a palette says about the character in its own
 * members, without the palettes that it includes. */
static void tell_own(drawing *d, json_view object, const char *palette, double chance)
{
    char member[64];
    for (json_walk w = json_walk_of(object); json_walk_next(&w) && !d->ended;) {
        size_t length = 0;
        const char *name = w.key.document ? json_key(w.key.document, w.key.at, &length) : "";
        if (json_view_kind(w.value) != VIEW_OBJECT || length == 0 || length >= sizeof member)
            continue;
        memcpy(member, name, length);
        member[length] = '\0';
        json_view value = JSON_VIEW_NONE;
        for (json_walk k = json_walk_of(w.value); json_walk_next(&k);) {
            size_t size;
            const char *key = json_key(k.key.document, k.key.at, &size);
            if (size == d->length && memcmp(key, d->symbol, size) == 0)
                value = k.value;
        }
        if (!value.document || strcmp(member, "parameters") == 0)
            continue;
        bool counts = true;
        for (size_t i = 0; i < COUNTED_ONCE; i++)
            if (strcmp(member, alternating[i]) == 0) {
                counts = !d->has[i];
                d->has[i] = d->has[i] || chance >= 1;
            }
        if (counts)
            tell_value(d, member, palette, value, chance);
    }
}

static void tell_palettes(drawing *d, json_view list, double chance, int depth);

static void tell_palette(drawing *d, json_view name, double chance, int depth)
{
    bytes text = {.size = 0};
    size_t length;
    const char *id = json_view_text(name, &text, &length);
    const place_definition *found = id ? index_resolve(d->index, "palette", id, length) : NULL;
    const json_document *document = found ? &found->object->object.document : NULL;
    d->failed = d->failed || text.failed;
    bytes_dispose(&text);
    if (!document || !document->entries || depth > PALETTES_DEEP ||
        d->palettes++ >= PALETTES_MANY)
        return;
    const json_view object = json_view_of(document);
    tell_own(d, object, found->id, chance);
    tell_palettes(d, json_view_get(object, "palettes"), chance, depth + 1);
}

/* Tells what the palettes of a list say, from the last one to the first. An element is an id,
 * or a list of alternatives: {"distribution": [...]}, or a parameter, of which only the
 * fallback is known here. */
static void tell_palettes(drawing *d, json_view list, double chance, int depth)
{
    const size_t count = json_view_kind(list) == VIEW_ARRAY ? json_view_count(list) : 0;
    json_view *items = calloc(count + 1, sizeof *items);
    size_t n = 0;
    if (!items)
        d->failed = d->ended = true;
    for (json_walk w = json_walk_of(list); !d->ended && n < count && json_walk_next(&w);)
        items[n++] = w.value;
    while (n > 0 && !d->ended) {
        json_view item = items[--n];
        if (json_view_kind(item) == VIEW_OBJECT && json_view_get(item, "fallback").document)
            item = json_view_get(item, "fallback");
        const json_view choices = json_view_get(item, "distribution");
        double total = 0;
        for (json_walk w = json_walk_of(choices); json_walk_next(&w);) {
            json_view one = w.value;
            total += weight_of(d, &one);
        }
        for (json_walk w = json_walk_of(choices); json_walk_next(&w) && !d->ended;) {
            json_view one = w.value;
            const double weight = weight_of(d, &one);
            if (weight > 0)
                tell_palette(d, one, chance * weight / total, depth);
        }
        if (json_view_kind(item) == VIEW_TEXT)
            tell_palette(d, item, chance, depth);
    }
    free(items);
}

/* Finds the character of a drawing's row that lies at an offset of the row's text. An escape,
 * such as \u00e9, is one character. Returns the number of its bytes in the text; 0 if there is
 * none. */
static size_t symbol_at(const char *row, size_t size, size_t offset, const char **symbol)
{
    size_t at = 0, length = 0;
    while (at < size) {
        length = 1;
        if (row[at] == '\\')
            length = row[at + 1] == 'u' ? 6 : 2;
        else
            while (at + length < size && ((unsigned char)row[at + length] & 0xc0) == 0x80)
                length++;
        if (at + length > offset)
            break;
        at += length;
    }
    *symbol = row + at;
    return at + length <= size && at < size ? length : 0;
}

ptl_status ptl_drawn_list(ptl_sources *sources, const ptl_file_text *text, size_t offset,
                          bool (*on_drawn)(void *payload, const ptl_drawn *drawn),
                          void *payload, ptl_error *err)
{
    drawing d = {.on_drawn = on_drawn, .payload = payload};
    json_document document;
    path_walk w;
    const path_frame *object;
    const char *symbol = "";
    char type[128], copy[16];
    error_clear(err);
    d.index = index_of(sources, err);
    if (!d.index)
        return PTL_ERR_NOMEM;
    if (!index_read(d.index, text->text, text->length, &document))
        return error_nomem(err);
    path_begin(&w, document);
    const size_t at = path_to(&w, offset);
    index_type(&w, type);
    const bool in_rows = at != SIZE_MAX && kinds_in_rows(&w, type, &object);
    const size_t start = in_rows ? document.entries[at].start + 1 : 0;
    if (in_rows && offset >= start)
        d.length = symbol_at(document.text + start, document.entries[at].span - 2,
                             offset - start, &symbol);
    if (d.length == 0 || d.length >= sizeof copy)
        return error_set(err, PTL_ERR_NOT_FOUND, "no character of a drawing stands there");
    memcpy(copy, symbol, d.length);
    copy[d.length] = '\0';
    d.symbol = copy;
    /* Views can read only an object that has its closing bracket; the text may be
     * incomplete. */
    if (document.entries[object->open].span > 0) {
        const json_view v = {&document, object->open};
        tell_own(&d, v, "", 1);
        tell_palettes(&d, json_view_get(v, "palettes"), 1, 0);
    }
    bytes_dispose(&d.value);
    return d.failed ? error_nomem(err) : index_status(d.index, err);
}
