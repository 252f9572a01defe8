/*
 * Codes the things of a local map (format.md, "Things") one after the other by a range coder.
 * Each thing is predicted from the previous thing, and from the last thing with the same id.
 */
#include "codec/local/local_codec.h"
#include "codec/number_coder.h"
#include "core/error.h"
#include "model/local_map.h"

#include <stdlib.h>
#include <string.h>

enum {
    NOTHING = LOCAL_THING_NOTHING,
    DEPTHS = 4,
    SORTS = 2,
    AGES = 4,
    AGE = 16,
    KIND_BITS = 4
};

typedef local_thing thing;

/* What is known of an id from the things that were coded so far: the count, charges and status
 * of the last thing with this id, and the id of the thing right after it. */
typedef struct thing_of {
    int32_t count, charges, status;
    /* Which id the thing had that came after the last thing with this id: 2 + the index of
     * that id, or 1 if that thing had no id; 0: no such thing came yet. */
    int32_t next;
    bool seen;
} thing_of;

/* The models by which the numbers and bits of things are coded. All models begin in the same
 * state. */
typedef struct thing_models {
    number_model x, y, id, text, count[SORTS], status[SORTS][DEPTHS], charges[SORTS][DEPTHS];
    range_bit other_kind[LOCAL_KINDS], kind[1 << KIND_BITS], same[2][2], row, right, down,
        more[LOCAL_KINDS], wide[LOCAL_KINDS], follows[2], new[2][AGES], with[LOCAL_KINDS],
        says[LOCAL_KINDS], owns[LOCAL_KINDS], new_text, other_status[SORTS], other_count,
        other_charges[2];
} thing_models;

typedef struct things {
    thing_models models;
    thing before;
    /* `first` is true until the first thing is coded. `same` is true if the present thing
     * stands on the same tile as the thing before it; it is set when the place of the thing is
     * coded. */
    bool first, same;
    int32_t names, texts; /* how many names and texts were used so far */
    /* How many names and how many texts the map's things have; used only when things are read.
     */
    int32_t name_count, text_count;
    thing_of *of; /* owned; of[0] is for things without an id, of[1 + n] for things whose id is
                     the name n */
} things;

/* Initialises the state for coding things that have at most `names` different names. */
static ptl_status things_init(things *s, size_t names, ptl_error *err)
{
    memset(s, 0, sizeof *s);
    s->first = true;
    s->before.id = NOTHING;
    s->name_count = s->text_count = INT32_MAX;
    model_bits((range_bit *)(void *)&s->models, sizeof s->models / sizeof(range_bit));
    s->of = calloc(names + 1, sizeof *s->of);
    return s->of ? PTL_OK : error_nomem(err);
}

/* ---- one thing ---- */

INLINE uint32_t code_kind(coder *c, thing_models *m, uint32_t before, uint32_t kind)
{
    uint32_t node = 1;
    if (!code_bit(c, &m->other_kind[before], kind != before))
        return before;
    for (int bit = KIND_BITS - 1; bit >= 0; bit--)
        node = 2 * node + code_bit(c, &m->kind[node], kind >> bit & 1);
    return node - (1u << KIND_BITS);
}

/* Codes the coordinate `to`, when `from` is known and differs from `to`: first whether `to` is
 * greater, then by how much it differs. */
INLINE int32_t code_beside(coder *c, number_model *m, range_bit *up, int32_t from, int32_t to)
{
    const bool above = code_bit(c, up, to > from);
    const uint32_t away = code_number(c, m, (uint32_t)(above ? to - from : from - to) - 1);
    const int32_t far = away < LOCAL_SIDE ? (int32_t)away + 1 : LOCAL_SIDE;
    return above ? from + far : from - far;
}

/* Codes the place of a thing: it lies on the tile of the previous thing, or on another tile in
 * the same row, or anywhere. */
INLINE void code_place(coder *c, things *s, thing *t)
{
    const thing *b = &s->before;
    thing_models *m = &s->models;
    if (s->first) {
        t->y = (int32_t)code_share(c, (uint32_t)t->y, LOCAL_SIDE);
        t->x = (int32_t)code_share(c, (uint32_t)t->x, LOCAL_SIDE);
        return;
    }
    s->same = code_bit(c, &m->same[s->same][b->status > 0], t->x == b->x && t->y == b->y);
    if (s->same) {
        t->x = b->x;
        t->y = b->y;
    } else if (code_bit(c, &m->row, t->y == b->y)) {
        t->y = b->y;
        t->x = code_beside(c, &m->x, &m->right, b->x, t->x);
    } else {
        t->y = code_beside(c, &m->y, &m->down, b->y, t->y);
        t->x = (int32_t)code_share(c, (uint32_t)t->x, LOCAL_SIDE);
    }
}

/* Writes or reads an index into a list whose elements are numbered in the order of their first
 * use. *came is how many of them were used so far. One bit says whether this is the first use
 * of an element, whose index then is *came. Otherwise the index is coded by how many elements
 * were first used after that one. */
INLINE int32_t code_index(coder *c, range_bit *new, number_model *m, int32_t *came, int32_t i)
{
    if (code_bit(c, new, i == *came))
        return (*came)++;
    const uint32_t back = code_number(c, m, (uint32_t)(*came - 1 - i));
    return back <= (uint32_t)*came ? *came - 1 - (int32_t)back : NOTHING - 1;
}

INLINE range_bit *new_name(things *s)
{
    const int32_t age = s->names / AGE;
    return &s->models.new[s->same][age < AGES ? age : AGES - 1];
}

INLINE uint32_t depth_of(int32_t status)
{
    return status < 0 ? 0 : status < DEPTHS ? (uint32_t)status : DEPTHS - 1;
}

/* Codes an amount, which is NOTHING (-1) or more. The usual amount takes the code that NOTHING
 * would have, which is 0 and takes the fewest bits; NOTHING takes the code that the usual
 * amount would have. */
INLINE int32_t code_amount(coder *c, number_model *m, int32_t usual, int32_t amount)
{
    const uint32_t first = (uint32_t)(usual - NOTHING), from = (uint32_t)amount + 1;
    const uint32_t swapped = from == first ? 0 : from == 0 ? first : from;
    const uint32_t found = code_number(c, m, swapped);
    return (int32_t)((found == first ? 0 : found == 0 ? first : found) - 1);
}

INLINE void code_amounts(coder *c, things *s, thing *t)
{
    const thing_of *last = &s->of[t->id + 1];
    thing_models *m = &s->models;
    const uint32_t sort = t->kind != LOCAL_ITEM;
    if (last->seen && !code_bit(c, &m->other_status[sort], t->status != last->status))
        t->status = last->status;
    else
        t->status = code_amount(c, &m->status[sort][depth_of(s->before.status)], 0, t->status);
    if (last->seen && !code_bit(c, &m->other_count, t->count != last->count))
        t->count = last->count;
    else
        t->count = code_amount(c, &m->count[sort], 1, t->count);
    if (last->seen &&
        !code_bit(c, &m->other_charges[last->charges > 0], t->charges != last->charges))
        t->charges = last->charges;
    else
        t->charges = code_amount(c, &m->charges[sort][depth_of(t->status)], 0, t->charges);
}

INLINE int32_t code_text(coder *c, things *s, range_bit *some, int32_t text)
{
    if (!code_bit(c, some, text != NOTHING))
        return NOTHING;
    return code_index(c, &s->models.new_text, &s->models.text, &s->texts, text);
}

/* Returns what is wrong with a thing that was read, or NULL. Amounts are checked here,
 * before anything uses them. */
INLINE const char *problem_of(const things *s, const thing *t)
{
    const int32_t numbers[LOCAL_THING_NUMBERS] = {t->x,     t->y,       t->x2,    t->y2,
                                                  t->count, t->charges, t->status};
    switch (local_range_fault(numbers)) {
    case LOCAL_NUMBERS:
        break;
    case LOCAL_NUMBER_X:
    case LOCAL_NUMBER_Y:
        return "a thing outside of the map";
    case LOCAL_NUMBER_X2:
    case LOCAL_NUMBER_Y2:
        return "a rectangle with its corners the wrong way round";
    default:
        return "an amount that can't be";
    }
    if (t->with < NOTHING || s->names > s->name_count)
        return "a name that is not there";
    if (t->text < NOTHING || t->own < NOTHING || s->texts > s->text_count)
        return "a text that is not there";
    return NULL;
}

/* Writes or reads those members of a thing that only few things have. */
INLINE void code_rest(coder *c, things *s, thing *t)
{
    thing_models *m = &s->models;
    /* A thing may lie on a rectangle of tiles. Then the corner opposite to its first one is
     * coded as well, by its coordinates on the map, not relative to the first corner. */
    if (code_bit(c, &s->models.wide[t->kind], t->x2 != t->x || t->y2 != t->y)) {
        t->x2 = (int32_t)code_share(c, (uint32_t)t->x2, LOCAL_SIDE);
        t->y2 = (int32_t)code_share(c, (uint32_t)t->y2, LOCAL_SIDE);
    } else {
        t->x2 = t->x;
        t->y2 = t->y;
    }
    if (code_bit(c, &m->with[t->kind], t->with != NOTHING))
        t->with = code_index(c, new_name(s), &m->id, &s->names, t->with);
    else
        t->with = NOTHING;
    t->text = code_text(c, s, &m->says[t->kind], t->text);
    t->own = code_text(c, s, &m->owns[t->kind], t->own);
}

/* Codes a thing: writes or reads it. If it is read, returns what is wrong with it, or NULL. */
INLINE const char *code_thing(coder *c, things *s, thing *t)
{
    thing_models *m = &s->models;
    t->kind = code_kind(c, m, s->before.kind, t->kind);
    if (t->kind >= LOCAL_KINDS)
        return "a kind that is none";
    code_place(c, s, t);
    /* `next` is the id that stood behind the previous thing's id when that id occurred the last
     * time. One bit says whether this thing has the id `next`. If it has not, its own id is
     * coded. */
    const int32_t next = s->of[s->before.id + 1].next - 2;
    if (next >= NOTHING && code_bit(c, &s->models.follows[s->same], t->id == next))
        t->id = next;
    else
        t->id = code_index(c, new_name(s), &s->models.id, &s->names, t->id);
    if (t->id < NOTHING || s->names > s->name_count)
        return "a name that is not there";
    code_amounts(c, s, t);
    const bool more = t->x2 != t->x || t->y2 != t->y || t->with != NOTHING ||
                      t->text != NOTHING || t->own != NOTHING;
    if (code_bit(c, &m->more[t->kind], more)) {
        code_rest(c, s, t);
    } else {
        t->x2 = t->x;
        t->y2 = t->y;
        t->with = t->text = t->own = NOTHING;
    }
    const char *problem = problem_of(s, t);
    if (!problem) {
        thing_of *of = &s->of[t->id + 1];
        if (!s->first)
            s->of[s->before.id + 1].next = t->id + 2;
        of->count = t->count;
        of->charges = t->charges;
        of->status = t->status;
        of->seen = true;
        s->before = *t;
        s->first = false;
    }
    return problem;
}

/* ---- all of them ---- */

ptl_status local_things_put(bytes *out, const local_thing *list, size_t count, size_t names,
                            ptl_error *err)
{
    things *s = malloc(sizeof *s);
    ptl_status status = s ? things_init(s, names, err) : error_nomem(err);
    if (status == PTL_OK) {
        range_encoder e = range_encoder_over(out);
        coder c = {&e, NULL};
        for (size_t i = 0; i < count; i++) {
            thing t = list[i];
            (void)code_thing(&c, s, &t);
        }
        range_finish(&e);
        status = out->failed ? error_nomem(err) : PTL_OK;
    }
    if (s)
        free(s->of);
    free(s);
    return status;
}

ptl_status local_things_take(local_thing *list, size_t count, size_t names, size_t texts,
                             const uint8_t *coded, const uint8_t *end, ptl_error *err)
{
    things *s = malloc(sizeof *s);
    ptl_status status = s ? things_init(s, names, err) : error_nomem(err);
    if (status == PTL_OK) {
        s->name_count = (int32_t)names;
        s->text_count = (int32_t)texts;
        memset(list, 0, count * sizeof *list);
        range_decoder d = range_decoder_over(coded, end);
        coder c = {NULL, &d};
        const char *problem = NULL;
        for (size_t i = 0; i < count && !problem; i++)
            problem = code_thing(&c, s, &list[i]);
        if (!problem && s->names < s->name_count)
            problem = "names that no thing has";
        if (!problem && s->texts < s->text_count)
            problem = "texts that no thing has";
        if (!problem && d.at < end)
            problem = "bytes after the things";
        if (problem)
            status = error_set(err, PTL_ERR_CORRUPT, "local map: %s", problem);
    }
    if (s)
        free(s->of);
    free(s);
    return status;
}
