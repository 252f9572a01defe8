#include "support/truth/shares.h"

#include <check.h>
#include <stdlib.h>

enum { DEPTH_MAX = 64, PSEUDO_DEPTH_MAX = 8 };

static void add(id_shares *out, uint32_t id, double share)
{
    size_t at = 0;
    while (at < out->count && out->items[at].id != id)
        at++;
    if (at == out->count) {
        ck_assert_msg(at < SHARES_MAX, "a tile is drawn from more than %d ids", SHARES_MAX);
        out->items[out->count++] = (id_share){id, 0};
    }
    out->items[at].share += share;
}

static void add_weights(id_shares *out, const shares_source *from, const ground_weights *w,
                        double share, int depth);

/* Adds an id, or what it stands for. */
static void add_real(id_shares *out, const shares_source *from, uint32_t id, double share,
                     int depth)
{
    const uint32_t now = from->furniture ? mapgen_furniture_now(from->tiles, id)
                                         : mapgen_terrain_now(from->tiles, id);
    const ground_weights *w =
        depth < PSEUDO_DEPTH_MAX ? ground_pseudo_of(from->settings, now) : NULL;
    if (w)
        add_weights(out, from, w, share, depth + 1);
    else
        add(out, now, share);
}

static double weight_of(const ground_weights *w, uint32_t i)
{
    return w->items[i].upto - (i > 0 ? w->items[i - 1].upto : 0);
}

/* Adds terrains, or furniture; the other has its share of the whole, and is left out. */
static void add_weights(id_shares *out, const shares_source *from, const ground_weights *w,
                        double share, int depth)
{
    for (uint32_t i = 0; i < w->count; i++)
        if (w->items[i].furniture == from->furniture)
            add_real(out, from, w->items[i].id,
                     share * weight_of(w, i) / w->items[w->count - 1].upto, depth);
}

/* ---- values ---- */

bool picks_find(const picks *p, uint32_t name, uint32_t *id)
{
    for (uint32_t i = 0; i < p->count; i++)
        if (p->items[i].name == name) {
            *id = p->items[i].id;
            return true;
        }
    return false;
}

static void add_value(id_shares *out, const shares_source *from, const mapgen_unit *unit,
                      uint32_t value, double share, int depth);

/* What a parameter is drawn from, in the last of the layers that has it. */
static bool add_parameter(id_shares *out, const shares_source *from, uint32_t name,
                          double share, int depth)
{
    for (uint32_t i = from->layers->count; i-- > 0;) {
        const mapgen_unit *unit = from->layers->units[i];
        for (uint32_t k = 0; k < unit->parameter_count; k++)
            if (unit->parameters[k].name == name) {
                add_value(out, from, unit, unit->parameters[k].value, share, depth);
                return true;
            }
    }
    return false;
}

static void add_choices(id_shares *out, const shares_source *from, const mapgen_unit *unit,
                        const mapgen_value *v, double share, int depth)
{
    const mapgen_choice *list = &unit->choices[v->first];
    const bool weighed = v->kind == MAPGEN_CHOICE;
    uint32_t text;
    for (uint32_t i = 0; !weighed && picks_find(from->picks, v->id, &text) && i < v->count; i++)
        if (list[i].key == text) {
            add_value(out, from, unit, list[i].value, share, depth);
            return;
        }
    for (uint32_t i = 0; i < v->count; i++) {
        const double weight = weighed ? list[i].key - (i > 0 ? (double)list[i - 1].key : 0) : 1;
        const double all = weighed ? (double)list[v->count - 1].key : v->count;
        add_value(out, from, unit, list[i].value, share * weight / all, depth);
    }
}

static void add_value(id_shares *out, const shares_source *from, const mapgen_unit *unit,
                      uint32_t value, double share, int depth)
{
    const mapgen_value *v = &unit->values[value];
    uint32_t picked = v->id;
    if (value == 0 || depth >= DEPTH_MAX)
        return;
    if (v->kind == MAPGEN_LITERAL ||
        (v->kind == MAPGEN_PARAM && picks_find(from->picks, v->id, &picked)))
        add_real(out, from, picked, share, 0);
    else if (v->kind != MAPGEN_PARAM)
        add_choices(out, from, unit, v, share, depth + 1);
    else if (from->picks->no_parameters || !add_parameter(out, from, v->id, share, depth + 1))
        add_value(out, from, unit, v->fallback, share, depth + 1);
}

void shares_of_value(id_shares *out, const shares_source *from, const mapgen_unit *unit,
                     uint32_t value)
{
    out->count = 0;
    add_value(out, from, unit, value, 1, 0);
}

/* ---- natural ground ---- (of furniture the shares are those of what it stands on, too) */

/* What has a share of 1, less what the terrains among `w` have of `share`. */
static double rest_of(const ground_weights *w, double share)
{
    double terrain = 0;
    for (uint32_t i = 0; i < w->count; i++)
        terrain += w->items[i].furniture ? 0 : weight_of(w, i);
    return w->count ? 1 - share * terrain / w->items[w->count - 1].upto : 1;
}

/* Adds a biome that has a share of all tiles. */
static void add_biome(id_shares *out, const shares_source *from, const ground_biome *b,
                      double all)
{
    double left = all, bare = all;
    for (uint32_t i = 0; i < b->component_count; i++) {
        const ground_component *c = &b->components[i];
        const double share = c->chance > 0 ? left / c->chance : 0;
        add_weights(out, from, &c->types, share, 0);
        bare -= 1 - rest_of(&c->types, share);
        left -= share;
    }
    add_weights(out, from, &b->cover, bare, 0);
    for (uint32_t i = 0; i < b->dressing_count && from->furniture; i++)
        if (b->dressings[i].chance > 0)
            add_weights(out, from, &b->dressings[i].furniture, all / b->dressings[i].chance, 0);
}

/* Adds the biome of a forest. Where forests blend, a part of it is bare ground: what its
 * sparseness leaves out, and what neighbours without a biome do. A small part is what grows in
 * any other neighbour. */
static void add_forest(id_shares *out, const shares_source *from, const ground_biome *own)
{
    const double few = 0.0001, beside = 0.1;
    const ground_settings *s = from->settings;
    if (!s->blended) {
        add_biome(out, from, own, 1);
        return;
    }
    const double left_out = s->densest - own->sparseness;
    const double bare = beside + (1 - beside) * left_out / (1 + left_out);
    add_biome(out, from, own, 1 - bare);
    for (uint32_t i = 0; i < s->biome_count; i++)
        if (i == 0 || s->biomes[i].components != s->biomes[i - 1].components)
            add_biome(out, from, &s->biomes[i], few);
    add_weights(out, from, &s->cover, bare, 0);
}

static void add_field(id_shares *out, const shares_source *from)
{
    const ground_settings *s = from->settings;
    const ground_field *f = &s->field;
    const double percent = 0.01, boosted = f->boost_chance * percent;
    const double grown = boosted * f->boosted_percent * percent;
    const double single = grown * f->boosted_other_percent * percent;
    const double usual = (1 - boosted) * f->percent * percent + grown - single;
    const double other = usual * f->other_percent * percent;
    double bare = rest_of(&f->other, other) + rest_of(&f->boosted_other, single) - 1;
    add_weights(out, from, &f->other, other, 0);
    add_weights(out, from, &f->boosted_other, single, 0);
    if (f->plain != ID_NONE && !from->furniture) {
        add_real(out, from, f->plain, usual - other, 0);
        bare -= usual - other;
    }
    add_weights(out, from, &s->cover, bare, 0);
}

bool shares_of_ground(id_shares *out, const shares_source *from, uint32_t terrain,
                      bool is_field)
{
    const ground_settings *s = from->settings;
    out->count = 0;
    for (uint32_t i = 0; i < s->biome_count && !is_field; i++)
        if (s->biomes[i].terrain == terrain) {
            add_forest(out, from, &s->biomes[i]);
            return true;
        }
    if (is_field)
        add_field(out, from);
    return is_field;
}

/* ---- sets ---- */

uint32_t shares_set(id_shares *shares, id_sets *sets, double coverage)
{
    const double slack = 1e-9; /* of sums that are a whole in the mind alone */
    double covered = 0;
    uint32_t set = 0;
    for (size_t i = 0; i < shares->count && covered < coverage - slack; i++) {
        size_t most = i;
        for (size_t k = i + 1; k < shares->count; k++)
            if (shares->items[k].share > shares->items[most].share)
                most = k;
        const id_share taken = shares->items[most];
        for (size_t k = most; k > i; k--)
            shares->items[k] = shares->items[k - 1];
        shares->items[i] = taken;
        covered += taken.share;
        set = id_sets_union(sets, set, id_sets_one(sets, taken.id));
    }
    return set;
}

/* ---- lists ---- */

struct share_lists {
    id_shares *items; /* owned; 0 is none */
    uint32_t count, room;
};

share_lists *share_lists_new(void)
{
    share_lists *lists = calloc(1, sizeof *lists);
    ck_assert_ptr_nonnull(lists);
    lists->count = 1;
    return lists;
}

void share_lists_free(share_lists *lists)
{
    free(lists->items);
    free(lists);
}

static bool are_equal(const id_shares *a, const id_shares *b)
{
    const double off = 1e-12;
    bool equal = a->count == b->count;
    for (size_t i = 0; i < a->count && equal; i++) {
        const double difference = a->items[i].share - b->items[i].share;
        equal = a->items[i].id == b->items[i].id && difference < off && difference > -off;
    }
    return equal;
}

uint32_t share_lists_keep(share_lists *lists, const id_shares *shares)
{
    enum { FIRST_ROOM = 64 };
    for (uint32_t i = 1; i < lists->count; i++)
        if (are_equal(&lists->items[i], shares))
            return i;
    if (lists->count >= lists->room) {
        lists->room = lists->room ? 2 * lists->room : FIRST_ROOM;
        lists->items = realloc(lists->items, lists->room * sizeof *lists->items);
        ck_assert_ptr_nonnull(lists->items);
    }
    lists->items[lists->count] = *shares;
    return lists->count++;
}

const id_shares *share_lists_at(const share_lists *lists, uint32_t number)
{
    ck_assert(number > 0 && number < lists->count);
    return &lists->items[number];
}
