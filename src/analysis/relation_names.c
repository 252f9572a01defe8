/*
 * Which ids a word means. Case doesn't matter, `*` and `?` stand for any letters and for one;
 * outside of quotation marks _ also stands for a blank, so that gas_station is Gas Station.
 */
#include "analysis/measure.h"
#include "analysis/relation_impl.h"

#include <stdio.h>
#include <string.h>

enum { NAME_MAX_BYTES = 200 };

static int lower(char c)
{
    return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c;
}

/* The usual backtracking to the last star is enough. */
static bool matches(const char *pattern, const char *text, bool quoted)
{
    const char *star = NULL, *from = NULL;
    while (*text) {
        if (*pattern == '*') {
            star = pattern++;
            from = text;
        } else if (*pattern && (*pattern == '?' || lower(*pattern) == lower(*text) ||
                                (!quoted && *pattern == '_' && *text == ' '))) {
            pattern++;
            text++;
        } else if (star) {
            pattern = star + 1;
            text = ++from;
        } else {
            return false;
        }
    }
    while (*pattern == '*')
        pattern++;
    return *pattern == '\0';
}

static uint64_t *new_bits(relation *r, size_t count)
{
    return arena_calloc(r->memory, count / 64 + 1, sizeof(uint64_t));
}

static void set_bit(uint64_t *bits, size_t i)
{
    bits[i / 64] |= UINT64_C(1) << (i % 64);
}

const uint64_t *rel_find_flags(relation *r, uint32_t flags)
{
    uint64_t *bits = new_bits(r, r->cat->oter_count);
    for (size_t i = 0; bits && i < r->cat->oter_count; i++) {
        const cat_oter *o = &r->cat->oters[i];
        const bool road = (flags & CAT_FLAG_ROAD) && measure_is_road(r->cat, o->terrain);
        const bool lake = (o->flags & REL_LAKE_FLAGS) && !(flags & REL_LAKE_FLAGS);
        if (road || (o->flags & flags && !lake))
            set_bit(bits, i);
    }
    return bits;
}

/* ---- what there is instead ---- */

/* Insertions, deletions and replacements from a to b, up to NAME_MAX_BYTES letters. */
static size_t edit_distance(const char *a, const char *b)
{
    size_t row[NAME_MAX_BYTES + 1];
    const size_t la = strlen(a), lb = strlen(b);
    if (lb > NAME_MAX_BYTES)
        return SIZE_MAX;
    for (size_t j = 0; j <= lb; j++)
        row[j] = j;
    for (size_t i = 1; i <= la; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= lb; j++) {
            const size_t above = row[j];
            size_t least = diagonal + (lower(a[i - 1]) != lower(b[j - 1]));
            least = above + 1 < least ? above + 1 : least;
            row[j] = row[j - 1] + 1 < least ? row[j - 1] + 1 : least;
            diagonal = above;
        }
    }
    return row[lb];
}

/* How many letters both begin with. */
static size_t common(const char *a, const char *b)
{
    size_t i = 0;
    while (a[i] && lower(a[i]) == lower(b[i]))
        i++;
    return i;
}

typedef struct nearest {
    const char *wanted, *id;
    size_t distance;
} nearest;

/* Near is what differs by a third of the letters; or, as the second choice, one that is the
 * beginning of the other (laboratory, lab). */
static void offer(nearest *n, const char *id)
{
    const size_t length = strlen(n->wanted), other = strlen(id), begin = common(n->wanted, id);
    size_t distance = edit_distance(n->wanted, id);
    if (distance > length / 3) {
        if (begin < 3 || (begin < length && begin < other))
            return;
        distance = NAME_MAX_BYTES + other;
    }
    if (!n->id || distance < n->distance) {
        n->id = id;
        n->distance = distance;
    }
}

static bool is_building(const catalogue *cat, const char *name)
{
    for (size_t i = 0; i < cat->special_count; i++)
        if (cat->specials[i].building && matches(name, cat->specials[i].id, true))
            return true;
    return false;
}

static bool is_terrain(const catalogue *cat, const char *name)
{
    for (size_t i = 0; i < cat->terrain_count; i++)
        if (matches(name, cat->terrains[i].id, true))
            return true;
    return catalogue_oter(cat, name) != CAT_NONE;
}

static bool fault_unknown(rel_text *t, const rel_token *token, const catalogue *cat,
                          const char *name, rel_kind kind)
{
    static const char *const kinds[] = {
        [REL_SPECIAL] = "special", [REL_BUILDING] = "building", [REL_TERRAIN] = "terrain"};
    nearest n = {name, NULL, 0};
    if (kind != REL_BUILDING && is_building(cat, name))
        return rel_text_fault(t, token->column,
                              "no special '%s': it is a city building; write building %s", name,
                              name);
    if (kind != REL_TERRAIN && is_terrain(cat, name))
        return rel_text_fault(t, token->column, "no %s '%s': it is a terrain; write terrain %s",
                              kinds[kind], name, name);
    for (size_t i = 0; kind == REL_TERRAIN && i < cat->terrain_count; i++)
        offer(&n, cat->terrains[i].id);
    for (size_t i = 0; kind != REL_TERRAIN && i < cat->special_count; i++)
        if (cat->specials[i].building == (kind == REL_BUILDING))
            offer(&n, cat->specials[i].id);
    const char *mark = n.id && strchr(n.id, ' ') ? "\"" : "";
    if (n.id)
        return rel_text_fault(t, token->column,
                              "the content has no %s '%s'; did you mean %s%s%s?", kinds[kind],
                              name, mark, n.id, mark);
    return rel_text_fault(t, token->column, "the content has no %s '%s'", kinds[kind], name);
}

/* ---- finding ---- */

static size_t mark_specials(uint64_t *bits, const catalogue *cat, const char *name, bool quoted,
                            bool buildings)
{
    size_t found = 0;
    for (size_t i = 0; i < cat->special_count; i++) {
        const cat_special *s = &cat->specials[i];
        if (s->building != buildings || !matches(name, s->id, quoted))
            continue;
        set_bit(bits, i);
        found++;
    }
    return found;
}

static size_t mark_oters(uint64_t *bits, const catalogue *cat, const char *name, bool quoted)
{
    size_t found = 0;
    for (size_t i = 0; i < cat->oter_count; i++) {
        const cat_oter *o = &cat->oters[i];
        if (!matches(name, cat->terrains[o->terrain].id, quoted) &&
            !matches(name, o->id, quoted))
            continue;
        set_bit(bits, i);
        found++;
    }
    return found;
}

bool rel_find_ids(const uint64_t **out, relation *r, rel_text *t, const rel_token *token,
                  rel_kind kind, bool *no_memory)
{
    char name[NAME_MAX_BYTES + 1];
    const bool quoted = token->kind == REL_QUOTED;
    if (token->length > NAME_MAX_BYTES || token->length == 0)
        return rel_text_fault(t, token->column, "an id has 1 to %d bytes", NAME_MAX_BYTES);
    memcpy(name, t->text + token->column, token->length);
    name[token->length] = '\0';
    const size_t count = kind == REL_TERRAIN ? r->cat->oter_count : r->cat->special_count;
    uint64_t *bits = new_bits(r, count);
    *no_memory = !bits;
    if (!bits)
        return false;
    *out = bits;
    const size_t found = kind == REL_TERRAIN
                             ? mark_oters(bits, r->cat, name, quoted)
                             : mark_specials(bits, r->cat, name, quoted, kind == REL_BUILDING);
    return found > 0 || fault_unknown(t, token, r->cat, name, kind);
}
