/* Compiles members of palettes and objects whose keys are characters: terrain, furniture, all
 * kinds of pieces, and `mapping`, which has all members of one character together. */
#include "mapgen/compile/compile_impl.h"

/* Returns the meaning of a character in the present unit. It is added at its first use. */
static mapgen_meaning *meaning_of(mapgen_compiler *c, const json_walk *w)
{
    const uint32_t symbol = compile_symbol(c, w->key);
    if (symbol == ID_NONE) {
        remark(c, 103, w->key, "'%s' is not one character", key_text(c, w));
        return NULL;
    }
    symbol_place *place = place_of(c, symbol);
    if (!place)
        return NULL;
    if (place->stamp != c->stamp) {
        mapgen_meaning *made = GROWING_ADD(c, &c->meanings, mapgen_meaning);
        if (!made)
            return NULL;
        made->symbol = symbol;
        *place = (symbol_place){c->stamp, c->meanings.count - 1};
    }
    return (mapgen_meaning *)c->meanings.items + place->index;
}

static size_t number_of(const mapgen_compiler *c, const mapgen_meaning *m)
{
    return (size_t)(m - (const mapgen_meaning *)c->meanings.items);
}

/* Appends a piece to a character's. The meaning is named by its number, as compiling the
 * piece may have moved the array of meanings. */
static void append(mapgen_compiler *c, size_t meaning, uint32_t piece)
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

/* Adds a kind of piece to a character. A list means alternatives for traps; for other kinds
 * each element is put there. */
static void define(mapgen_compiler *c, size_t meaning, mapgen_kind kind, json_view v)
{
    if (kind == MAPGEN_TERRAIN || kind == MAPGEN_FURNITURE) {
        const bool terrain = kind == MAPGEN_TERRAIN;
        const bool list = json_view_kind(v) == VIEW_ARRAY;
        const uint32_t value =
            compile_choices(c, v, terrain ? MAPGEN_REF_TERRAIN : MAPGEN_REF_FURNITURE, 1);
        mapgen_meaning *m = (mapgen_meaning *)c->meanings.items + meaning;
        if (value != 0) {
            if (terrain) {
                m->terrain = value;
                m->terrain_list = list;
            } else {
                m->furniture = value;
                m->furniture_list = list;
            }
        }
    } else if (json_view_kind(v) == VIEW_ARRAY && kind != MAPGEN_TRAP) {
        for (json_walk w = json_walk_of(v); json_walk_next(&w);)
            append(c, meaning, compile_piece(c, kind, w.value, false));
    } else {
        append(c, meaning, compile_piece(c, kind, v, false));
    }
}

bool compile_symbols_member(mapgen_compiler *c, const json_walk *member)
{
    if (key_is(member, "mapping")) {
        for (json_walk w = json_walk_of(member->value); json_walk_next(&w);) {
            const mapgen_meaning *m = meaning_of(c, &w);
            if (!m)
                continue;
            const size_t number = number_of(c, m);
            for (json_walk k = json_walk_of(w.value); json_walk_next(&k);) {
                const mapgen_kind kind = kind_of_member(&k);
                if (kind == MAPGEN_KINDS)
                    remark(c, 5, k.key, "unknown member '%s'", key_text(c, &k));
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
        remark(c, 4, member->value, "'%s' must be an object whose keys are characters, not %s",
               key_text(c, member), json_view_kind_name(member->value));
        return true;
    }
    for (json_walk w = json_walk_of(member->value); json_walk_next(&w);) {
        const mapgen_meaning *m = meaning_of(c, &w);
        if (m)
            define(c, number_of(c, m), kind, w.value);
    }
    return true;
}
