/* Finds what a character of a drawing stands for (ptl_drawn_list). */
#include "content/places/index.h"

#include "core/error.h"
#include "json/view.h"

#include <stdlib.h>
#include <string.h>

/* In wrong content, palettes and values may contain each other without end. So there are
 * limits, which portolan/places.h states. DEEPEST is also the limit when maps are made
 * (mapgen/run/). */
enum { DEEPEST = 64, MOST_STEPS = 100000 };
static const double ROUNDED = 1e-9; /* a chance up to this is 0 except for rounding */

enum { TERRAIN, FURNITURE, COUNTED_ONCE, TRAPS = COUNTED_ONCE, ALTERNATING };
/* Members whose values are chosen among alternatives. A tile has one terrain and one piece of
 * furniture, so of these (the first COUNTED_ONCE) only the last definition counts. Of all other
 * members each definition counts. */
static const char *const alternating[ALTERNATING] = {"terrain", "furniture", "traps"};

typedef struct drawing {
    place_index *index;
    bool (*on_drawn)(void *payload, const ptl_drawn *drawn);
    void *payload;
    const char *symbol; /* the character, as it stands in the text; owned */
    size_t length;
    bytes value; /* scratch: the value that the caller is told */
    bytes text;  /* scratch: a weight, or an id of a palette */
    size_t steps;
    /* For terrain and for furniture: the chance, within the present branch of choices, that the
     * tile gets neither from the definitions that on_drawn was called for so far. */
    double open[COUNTED_ONCE];
    bool ended;  /* the caller wants no more, or memory is out */
    bool failed; /* memory is out */
    bool beyond; /* one of the limits was passed */
} drawing;

/* A JSON object whose members say what a character stands for: that of the drawing, or of a
 * palette that it uses. */
typedef struct scope {
    json_view object;
    const char *palette; /* id of the palette; "": the object is the drawing */
    const struct scope *outer;
} scope;

/* A parameter whose value is chosen. */
typedef struct binding {
    json_view name, value;
    const struct binding *outer;
} binding;

/* One of the possible results of all choices so far, with its chance. */
typedef struct branch {
    double chance;
    const scope *scope;
    const binding *bound;
    int depth; /* number of values and palettes around the present one */
} branch;

/* Counts one more step of the search. Returns whether it may go on: not if it has taken
 * MOST_STEPS, or if its values and palettes are nested deeper than DEEPEST. */
static bool may_go_on(drawing *d, int depth)
{
    d->beyond = d->beyond || depth > DEEPEST || d->steps >= MOST_STEPS;
    d->steps++;
    return !d->ended && depth <= DEEPEST && d->steps <= MOST_STEPS;
}

/* ---- telling ---- */

static void tell(drawing *d, const char *member, json_view value, const branch *b)
{
    size_t length;
    const char *text = json_view_text(value, &d->text, &length);
    d->failed = d->failed || d->text.failed;
    if (!text) {
        text = value.document->text + json_view_offset(value);
        length = json_end(value.document, value.at) - json_view_offset(value);
    }
    bytes_clear(&d->value);
    bytes_put(&d->value, text, length);
    const ptl_drawn drawn = {.size = sizeof drawn,
                             .symbol = d->symbol,
                             .member = member,
                             .palette = b->scope->palette,
                             .value = bytes_text(&d->value),
                             .chance = b->chance};
    d->failed = d->failed || !drawn.value;
    d->ended = d->ended || d->failed || !d->on_drawn(d->payload, &drawn);
}

/* ---- alternatives, parameters, switches ---- */

/* A function that gets each value that may be chosen and is not itself a choice. */
typedef void leaf_function(drawing *d, json_view value, const branch *b, const void *payload);
typedef struct then {
    leaf_function *leaf;
    const void *payload;
} then;

static void resolve(drawing *d, json_view v, branch b, then next);

/* Returns the text of a value as the content has it; that of a string without its quotes. */
static const char *written(json_view v, size_t *length)
{
    const size_t quotes = json_view_kind(v) == VIEW_TEXT;
    const size_t start = v.document ? json_view_offset(v) + quotes : 0;
    *length = v.document ? json_end(v.document, v.at) - quotes - start : 0;
    return v.document ? v.document->text + start : "";
}

static bool same(json_view a, json_view b)
{
    size_t sizes[2];
    const char *x = written(a, &sizes[0]), *y = written(b, &sizes[1]);
    return sizes[0] == sizes[1] && memcmp(x, y, sizes[0]) == 0;
}

/* Returns the member whose key is written like `name`; absent if there is none. The last of
 * several counts. */
static json_view member_named(json_view object, json_view name)
{
    json_view found = JSON_VIEW_NONE;
    for (json_walk w = json_walk_of(object); json_walk_next(&w);)
        if (w.key.document && same(w.key, name))
            found = w.value;
    return found;
}

/* Returns the weight of an element of a list of alternatives. If the element is a pair of value
 * and weight, *value becomes the value. */
static double weight_of(drawing *d, json_view *value)
{
    double weight = 1;
    if (json_view_kind(*value) == VIEW_NUMBER)
        return 0;
    if (json_view_kind(*value) != VIEW_ARRAY)
        return 1;
    json_walk w = json_walk_of(*value);
    if (!json_walk_next(&w))
        return 0;
    *value = w.value;
    /* A weight may be an object, because it changes with the game's time. Then the weight is
     * taken to be 1. */
    if (json_walk_next(&w) && json_view_kind(w.value) != VIEW_OBJECT &&
        !json_view_real(w.value, &d->text, &weight))
        weight = 0;
    d->failed = d->failed || d->text.failed;
    return weight > 0 ? weight : 0;
}

static void resolve_choices(drawing *d, json_view list, branch b, then next)
{
    double total = 0;
    for (json_walk w = json_walk_of(list); json_walk_next(&w);) {
        json_view one = w.value;
        total += weight_of(d, &one);
    }
    for (json_walk w = json_walk_of(list); json_walk_next(&w) && !d->ended;) {
        json_view one = w.value;
        const double weight = weight_of(d, &one);
        branch inner = b;
        inner.chance = b.chance * weight / total;
        if (weight > 0)
            resolve(d, one, inner, next);
    }
}

static const place_definition *palette_of(drawing *d, json_view name)
{
    size_t length;
    const char *id = json_view_text(name, &d->text, &length);
    const place_definition *found = id ? index_last(d->index, "palette", id, length) : NULL;
    d->failed = d->failed || d->text.failed;
    return found && found->object->object.document.entries ? found : NULL;
}

/* Finds the definition of a parameter in an object, or in the palettes that the object names
 * without a choice. */
static json_view parameter_in(drawing *d, json_view object, json_view name, int depth)
{
    json_view found = member_named(json_view_get(object, "parameters"), name);
    for (json_walk w = json_walk_of(json_view_get(object, "palettes"));
         !found.document && may_go_on(d, depth) && json_walk_next(&w);) {
        const place_definition *palette =
            json_view_kind(w.value) == VIEW_TEXT ? palette_of(d, w.value) : NULL;
        if (palette)
            found = parameter_in(d, json_view_of(&palette->object->object.document), name,
                                 depth + 1);
    }
    return found;
}

/* What is to be done with a parameter's value, once it is chosen. */
typedef struct chosen {
    json_view name;
    /* The cases of a switch, of which the parameter's value chooses one; absent: there is no
     * switch. */
    json_view cases;
    then next;
} chosen;

static void on_chosen(drawing *d, json_view value, const branch *b, const void *payload)
{
    const chosen *c = payload;
    const binding own = {c->name, value, b->bound};
    branch inner = *b;
    inner.bound = &own;
    inner.depth++;
    if (c->cases.document)
        value = member_named(c->cases, value);
    if (c->cases.document && value.document)
        resolve(d, value, inner, c->next);
    else if (!c->cases.document)
        c->next.leaf(d, value, &inner, c->next.payload);
}

/* Chooses the value of a parameter. `of` is the JSON object that stands for the parameter, with
 * the members "param" and "fallback". */
static void resolve_parameter(drawing *d, json_view of, json_view cases, branch b, then next)
{
    const chosen c = {json_view_get(of, "param"), cases, next};
    json_view value = JSON_VIEW_NONE;
    for (const binding *k = b.bound; k; k = k->outer)
        if (same(k->name, c.name)) {
            on_chosen(d, k->value, &b, &c);
            return;
        }
    for (const scope *s = b.scope; s && !value.document; s = s->outer)
        value = json_view_get(parameter_in(d, s->object, c.name, b.depth), "default");
    if (!value.document)
        value = json_view_get(of, "fallback");
    if (value.document)
        resolve(d, value, b, (then){on_chosen, &c});
}

/* Follows all choices in a value, and calls the function of `next` with each possible result
 * and its branch. */
static void resolve(drawing *d, json_view v, branch b, then next)
{
    static const char *const inner[] = {"ter", "furn", "trap"};
    b.depth++;
    if (!may_go_on(d, b.depth))
        return;
    const json_view distribution = json_view_get(v, "distribution");
    const json_view on = json_view_get(v, "switch");
    if (json_view_kind(v) == VIEW_ARRAY || distribution.document) {
        resolve_choices(d, distribution.document ? distribution : v, b, next);
        return;
    }
    if (json_view_get(v, "param").document || on.document) {
        resolve_parameter(d, on.document ? on : v, json_view_get(v, "cases"), b, next);
        return;
    }
    for (size_t i = 0; i < sizeof inner / sizeof inner[0]; i++) {
        const json_view id = json_view_get(v, inner[i]);
        if (id.document && json_view_kind(id) != VIEW_OBJECT) {
            resolve(d, id, b, next);
            return;
        }
    }
    next.leaf(d, v, &b, next.payload);
}

/* ---- objects ---- */

static void tell_leaf(drawing *d, json_view value, const branch *b, const void *member)
{
    tell(d, member, value, b);
}

/* Tells the caller what one member of an object says about the character. */
static void tell_value(drawing *d, const char *member, json_view value, branch b)
{
    for (int i = 0; i < ALTERNATING; i++)
        if (strcmp(member, alternating[i]) == 0) {
            if (i < COUNTED_ONCE) {
                b.chance *= d->open[i];
                d->open[i] = 0;
            }
            if (b.chance > 0)
                resolve(d, value, b, (then){tell_leaf, member});
            return;
        }
    if (json_view_kind(value) != VIEW_ARRAY)
        tell(d, member, value, &b);
    for (json_walk w = json_walk_of(value);
         json_view_kind(value) == VIEW_ARRAY && json_walk_next(&w) && !d->ended;)
        tell(d, member, w.value, &b);
}

/* Tells what the members of a drawing's or palette's object say about the character; what its
 * palettes say is left to tell_palettes. */
static void tell_own(drawing *d, const branch *b)
{
    char member[64];
    for (json_walk w = json_walk_of(b->scope->object); json_walk_next(&w) && !d->ended;) {
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
        if (value.document && strcmp(member, "parameters") != 0)
            tell_value(d, member, value, *b);
    }
}

static void tell_palettes(drawing *d, const branch *b);

/* At one place of a list of palettes, one of several palettes may be chosen. `before`: the
 * chances in drawing.open before any of them is looked at. `behind`: the mean of what these
 * chances are after each of the palettes, weighted by the chances of the palettes. */
typedef struct palette_sum {
    double before[COUNTED_ONCE], behind[COUNTED_ONCE];
    /* `chance`: the chance of all these palettes together. `rest`: the share of the palettes
     * that tell_palette was not called for yet. */
    double chance, rest;
} palette_sum;

/* Calls on_drawn with what a palette says about the character. A palette that lies in itself is
 * skipped. */
static void tell_palette(drawing *d, json_view name, const branch *b, const void *payload)
{
    palette_sum *sum = *(palette_sum *const *)payload;
    const place_definition *found = palette_of(d, name);
    scope own = {.outer = b->scope};
    branch inner = *b;
    if (!found)
        return;
    for (const scope *s = b->scope; s; s = s->outer)
        if (s->palette == found->id)
            return;
    own.object = json_view_of(&found->object->object.document);
    own.palette = found->id;
    inner.scope = &own;
    memcpy(d->open, sum->before, sizeof d->open);
    tell_own(d, &inner);
    tell_palettes(d, &inner);
    for (int i = 0; i < COUNTED_ONCE; i++)
        sum->behind[i] += b->chance / sum->chance * d->open[i];
    sum->rest -= b->chance / sum->chance;
}

/* Tells what the palettes of an object say about the character, from the last palette to the
 * first, since a later one covers those before it. */
static void tell_palettes(drawing *d, const branch *b)
{
    const json_view list = json_view_get(b->scope->object, "palettes");
    const size_t count = json_view_kind(list) == VIEW_ARRAY ? json_view_count(list) : 0;
    json_view *items = calloc(count + 1, sizeof *items);
    size_t n = 0;
    if (!items)
        d->failed = d->ended = true;
    for (json_walk w = json_walk_of(list); !d->ended && n < count && json_walk_next(&w);)
        items[n++] = w.value;
    while (n > 0 && !d->ended) {
        palette_sum sum = {.chance = b->chance, .rest = 1}, *const at = &sum;
        memcpy(sum.before, d->open, sizeof sum.before);
        resolve(d, items[--n], *b, (then){tell_palette, &at});
        for (int i = 0; i < COUNTED_ONCE; i++) {
            d->open[i] = sum.behind[i] + sum.rest * sum.before[i];
            d->open[i] = d->open[i] > ROUNDED ? d->open[i] : 0;
        }
    }
    free(items);
}

/* Finds the character at an offset of a row, as it stands in the text: an escape counts as one.
 * Returns its length, 0 if there is none. */
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
    drawing d = {.on_drawn = on_drawn, .payload = payload, .open = {1, 1}};
    json_document document;
    path_walk w;
    const path_frame *object;
    const char *symbol = "";
    char type[128], copy[16];
    error_clear(err);
    d.index = index_of(sources, err);
    if (!d.index)
        return PTL_ERR_NOMEM;
    const size_t mark = dialect_mark(text->text, text->length);
    if (!index_read(d.index, text->text + mark, text->length - mark, &document))
        return error_nomem(err);
    offset -= offset < mark ? offset : mark;
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
    /* A json_view can only read an object that has its closing bracket. */
    if (document.entries[object->open].span > 0) {
        const scope all = {.object = {&document, object->open}, .palette = ""};
        const branch whole = {.chance = 1, .scope = &all};
        tell_own(&d, &whole);
        tell_palettes(&d, &whole);
    }
    bytes_dispose(&d.value);
    bytes_dispose(&d.text);
    if (d.failed)
        return error_nomem(err);
    TRY(index_status(d.index, err));
    if (d.ended)
        return index_ended(err);
    return d.beyond
               ? error_set(err, PTL_ERR_LIMIT,
                           "more than %d palettes inside each other, or %d alternatives: the "
                           "rest is left out",
                           (int)DEEPEST, (int)MOST_STEPS)
               : PTL_OK;
}
