/*
 * Finds the ids that a name in a relation means. Case does not matter; `*` matches any number
 * of letters, `?` exactly one. Outside of quotation marks _ also matches a blank, so
 * gas_station matches Gas Station.
 */
#include "analysis/measure/measure.h"
#include "analysis/search/relation_impl.h"

static int lower(char c)
{
    return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c;
}

/* Matches a text against a pattern with stars, each of which stands for any text. If a
 * character does not match, the last star is tried with one character more. Earlier stars need
 * not be tried again. */
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

static void set_bit(uint64_t *bits, size_t i)
{
    bits[i / 64] |= UINT64_C(1) << (i % 64);
}

const uint64_t *rel_find_flags(relation *r, uint32_t flags)
{
    uint64_t *bits =
        arena_calloc(r->memory, catalogue_all_oters(r->cat) / 64 + 1, sizeof *bits);
    for (size_t i = 0; bits && i < catalogue_all_oters(r->cat); i++) {
        const cat_oter *o = &r->cat->oters[i];
        const bool road = (flags & CAT_FLAG_ROAD) && measure_is_road(r->cat, o->terrain);
        const bool lake = (o->flags & REL_LAKE_FLAGS) && !(flags & REL_LAKE_FLAGS);
        if (road || (o->flags & flags && !lake))
            set_bit(bits, i);
    }
    return bits;
}

size_t rel_mark_specials(uint64_t *bits, const catalogue *cat, const char *name, bool quoted,
                         bool buildings)
{
    size_t found = 0;
    for (size_t i = 0; i < cat->special_count; i++) {
        const cat_special *s = &cat->specials[i];
        if (s->building != buildings || !matches(name, s->id, quoted))
            continue;
        if (bits)
            set_bit(bits, i);
        found++;
    }
    return found;
}

size_t rel_mark_oters(uint64_t *bits, const catalogue *cat, const char *name, bool quoted)
{
    size_t found = 0;
    for (size_t i = 0; i < catalogue_all_oters(cat); i++) {
        const cat_oter *o = &cat->oters[i];
        if (!matches(name, cat->terrains[o->terrain].id, quoted) &&
            !matches(name, o->id, quoted))
            continue;
        if (bits)
            set_bit(bits, i);
        found++;
    }
    return found;
}
