/*
 * Compiles the requirements of a catalogue's specials into layers (sets of oters on a level),
 * nodes (bitmaps for rectangles of one size) and terms (conditions on one rectangle); see
 * sites_impl.h. Sets of the same oters on a level share a layer, whatever locations they come
 * from.
 */
#include "core/array.h"
#include "gen/connect/connect.h"
#include "gen/sites/sites_impl.h"

#include <stdlib.h>
#include <string.h>

/* ---- hash maps from numbers to indices ---- */

static size_t key_slot(const key_map *m, uint64_t key)
{
    size_t at = (size_t)hash_mix(key) & (m->room - 1);
    while (m->values[at] && m->keys[at] != key)
        at = (at + 1) & (m->room - 1);
    return at;
}

/* Returns the index of the key, or -1 if it is absent. */
static int64_t key_map_find(const key_map *m, uint64_t key)
{
    return m->room ? (int64_t)m->values[key_slot(m, key)] - 1 : -1;
}

/* Adds a key that is absent. False when memory is out. */
static bool key_map_add(site_builder *b, key_map *m, uint64_t key, uint32_t value)
{
    if (2 * (m->count + 1) > m->room) {
        key_map larger = {.room = m->room ? 2 * m->room : 256, .count = m->count};
        larger.keys = arena_calloc(b->scratch, larger.room, sizeof *larger.keys);
        larger.values = arena_calloc(b->scratch, larger.room, sizeof *larger.values);
        if (!larger.keys || !larger.values)
            return false;
        for (size_t i = 0; i < m->room; i++) {
            if (!m->values[i])
                continue;
            const size_t at = key_slot(&larger, m->keys[i]);
            larger.keys[at] = m->keys[i];
            larger.values[at] = m->values[i];
        }
        *m = larger;
    }
    const size_t at = key_slot(m, key);
    m->keys[at] = key;
    m->values[at] = value + 1;
    m->count++;
    return true;
}

/* ---- layers and nodes ---- */

static void put_oter(uint64_t *members, size_t oter)
{
    members[oter / 64] |= UINT64_C(1) << (oter % 64);
}

static uint32_t node_add(site_builder *b, site_node node)
{
    site_tables *t = b->tables;
    if (!ARRAY_ROOM(t->nodes, t->node_room, t->node_count + 1))
        return NODE_NONE;
    const uint32_t index = (uint32_t)t->node_count;
    const uint64_t key = (uint64_t)node.layer << 16 | (uint32_t)node.w << 8 | node.h;
    if (!key_map_add(b, &b->sizes, key, index))
        return NODE_NONE;
    t->nodes[t->node_count++] = node;
    return index;
}

/* Returns the layer on level z whose oters are `members`, adding it if it is new. `members`
 * must lie in the builder's scratch memory. */
static uint32_t layer_of_members(site_builder *b, int32_t z, bool ground, uint64_t *members)
{
    const size_t size = b->oter_words * sizeof *members;
    uint64_t key = hash_add(hash_add(hash_bytes(members, size), (uint32_t)z), ground);
    int64_t found;
    while ((found = key_map_find(&b->contents, key)) >= 0) {
        const site_layer *layer = &b->tables->layers[found];
        if (layer->z == z && layer->ground == ground &&
            memcmp(b->members[found], members, size) == 0)
            return (uint32_t)found;
        key = hash_mix(key);
    }
    /* Add a layer; the builder keeps `members`, the set of its oters. */
    site_tables *t = b->tables;
    const uint32_t index = (uint32_t)t->layer_count;
    site_layer layer = {
        .z = (int8_t)z, .ground = ground, .bit = t->levels[z - PTL_Z_MIN].count};
    for (size_t w = 0; w < b->oter_words; w++)
        layer.size += (uint32_t)bits_in_word(members[w]);
    const bool ok = ARRAY_ROOM(t->layers, t->layer_room, t->layer_count + 1) &&
                    ARRAY_ROOM(b->members, b->member_room, t->layer_count + 1) &&
                    key_map_add(b, &b->contents, key, index);
    layer.node = ok ? node_add(b, (site_node){index, NODE_NONE, 1, 1, 0, 0}) : NODE_NONE;
    if (layer.node == NODE_NONE)
        return NODE_NONE;
    t->levels[z - PTL_Z_MIN].count++;
    t->layers[t->layer_count] = layer;
    b->members[t->layer_count++] = members;
    return index;
}

uint32_t site_layer_of(site_builder *b, int32_t z, ptl_terrain_set set, layer_kind kind,
                       uint16_t connection)
{
    int64_t number = key_map_find(&b->sets, (uint64_t)(uintptr_t)set);
    if (number < 0) {
        number = b->set_count;
        if (!key_map_add(b, &b->sets, (uint64_t)(uintptr_t)set, b->set_count++))
            return NODE_NONE;
    }
    const uint64_t key = (uint64_t)number << 32 | (uint64_t)(z - PTL_Z_MIN) << 20 |
                         (uint64_t)kind << 16 | connection;
    const int64_t known = key_map_find(&b->asked, key);
    if (known >= 0)
        return (uint32_t)known;
    const catalogue *cat = b->config->cat;
    uint64_t *members = arena_calloc(b->scratch, b->oter_words, sizeof *members);
    for (size_t t = 0; members && t < cat->terrain_count; t++)
        for (uint16_t i = 0; cat_terrain_in(set, (uint16_t)t) && i < cat->terrains[t].count;
             i++)
            put_oter(members, (size_t)cat->terrains[t].first + i);
    const ptl_oter fallback = b->config->defaults[z - PTL_Z_MIN];
    if (members && kind == LAYER_DEFAULT && fallback < cat->oter_count)
        put_oter(members, fallback);
    /* connect_turns reads only the config of the generator that it is given, so a generator
     * without a chunk is enough here. */
    const generator asker = {.config = b->config};
    if (members && kind == LAYER_STARTS && connection < cat->connection_count)
        for (size_t o = 0; o < cat->oter_count; o++)
            if (connect_turns(&asker, connection, (ptl_oter)o))
                put_oter(members, o);

    const uint32_t layer =
        members ? layer_of_members(b, z, kind < LAYER_CARRIES, members) : NODE_NONE;
    if (layer == NODE_NONE || !key_map_add(b, &b->asked, key, layer))
        return NODE_NONE;
    return layer;
}

static int64_t node_find(const site_builder *b, uint32_t layer, int32_t w, int32_t h)
{
    return key_map_find(&b->sizes, (uint64_t)layer << 16 | (uint32_t)w << 8 | (uint32_t)h);
}

/* Returns the node for rectangles of w x h cells of a layer (the bitmap of the places where
 * such a rectangle fits into the layer), making it if needed. A node is made of two shifted
 * copies of a smaller node: of the largest existing one that is at least half as large, else of
 * a new one of half the size. The height is halved first, down to 1, and then the width,
 * because shifts by whole rows are cheaper. */
static uint32_t site_node_of(site_builder *b, uint32_t layer, int32_t w, int32_t h)
{
    int64_t found = node_find(b, layer, w, h);
    if (found >= 0)
        return (uint32_t)found;
    const bool down = h > 1;
    const int32_t length = down ? h : w, half = (length + 1) / 2;
    int32_t part = length;
    while (found < 0 && --part >= half)
        found = down ? node_find(b, layer, w, part) : node_find(b, layer, part, 1);
    if (found < 0) {
        part = half;
        const uint32_t made =
            down ? site_node_of(b, layer, w, part) : site_node_of(b, layer, part, 1);
        if (made == NODE_NONE)
            return NODE_NONE;
        found = made;
    }
    site_node node = {.layer = layer, .parent = (uint32_t)found, .w = (uint8_t)w};
    node.h = (uint8_t)h;
    node.dx = (uint8_t)(down ? 0 : length - part);
    node.dy = (uint8_t)(down ? length - part : 0);
    return node_add(b, node);
}

/* ---- specials ---- */

static int32_t larger(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

static int32_t smaller(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

/* Returns the rectangle that a requirement's rectangle becomes if the special is rotated. */
static site_need rotated(site_need n, int rotation)
{
    const point a = turned(n.x, n.y, rotation, 0, 0);
    const point b = turned(n.x + n.w - 1, n.y + n.h - 1, rotation, 0, 0);
    n.x = smaller(a.x, b.x);
    n.y = smaller(a.y, b.y);
    n.w = larger(a.x, b.x) - n.x + 1;
    n.h = larger(a.y, b.y) - n.y + 1;
    return n;
}

/* Returns the origins at which all rectangles of the list lie in the chunk and touch none of
 * its outermost cells (the border ring). */
static site_box box_of(const need_list *list, int rotation)
{
    site_box box = {0, 0, SIZE - 1, SIZE - 1};
    for (size_t i = 0; i < list->count; i++) {
        const site_need n = rotated(list->items[i], rotation);
        box.x0 = larger(box.x0, INNER_FIRST - n.x);
        box.y0 = larger(box.y0, INNER_FIRST - n.y);
        box.x1 = smaller(box.x1, INNER_LAST - (n.x + n.w - 1));
        box.y1 = smaller(box.y1, INNER_LAST - (n.y + n.h - 1));
    }
    return box;
}

static bool box_empty(site_box box)
{
    return box.x0 > box.x1 || box.y0 > box.y1;
}

static void put_terms(site_builder *b, const need_list *list, int rotation, site_term *out)
{
    for (size_t i = 0; i < list->count && !b->failed; i++) {
        const site_need n = rotated(list->items[i], rotation);
        const uint32_t node = site_node_of(b, n.layer, n.w, n.h);
        b->failed = node == NODE_NONE;
        out[i] = (site_term){node, (int16_t)n.x, (int16_t)n.y};
    }
}

/* Lists the layers that the special needs, each once. The lists of requirements are sorted so
 * that all requirements with the same layer stand side by side. */
static void put_layers(site_special *s, const site_builder *b, uint32_t *layers)
{
    const need_list *lists[2] = {&b->ground, &b->links};
    for (int k = 0; k < 2; k++)
        for (size_t i = 0; i < lists[k]->count; i++) {
            const uint32_t layer = lists[k]->items[i].layer;
            bool known = s->layer_count > 0 && layers[s->layer_count - 1] == layer;
            for (size_t j = 0; k == 1 && j < s->layer_count && !known; j++)
                known = layers[j] == layer;
            if (!known)
                layers[s->layer_count++] = layer;
        }
    s->layers = layers;
}

/* Returns how far the farthest cell of the list lies from the origin, in any rotation. */
static int32_t extent_of(const need_list *list)
{
    int32_t extent = 0;
    for (size_t i = 0; i < list->count; i++) {
        const site_need n = list->items[i];
        extent = larger(extent, larger(-n.x, n.x + n.w - 1));
        extent = larger(extent, larger(-n.y, n.y + n.h - 1));
    }
    return extent;
}

static bool are_same(const site_term *a, const site_term *b, size_t count)
{
    return count == 0 || memcmp(a, b, count * sizeof *a) == 0;
}

/* Compiles one special: gathers its requirements, covers them by rectangles, and makes the
 * terms (conditions on these rectangles) of all four rotations. */
static void compile_special(site_builder *b, uint16_t index)
{
    site_special *s = &b->tables->specials[index];
    site_gather(b, index);
    s->possible = !b->impossible && !box_empty(box_of(&b->ground, 0));
    if (b->failed || !s->possible)
        return;
    s->linkable = !b->unlinkable && !box_empty(box_of(&b->links, 0));
    if (!s->linkable)
        b->links.count = 0;
    site_cover(b, &b->ground);
    site_cover(b, &b->links);
    if (b->failed)
        return;
    s->ground_count = (uint32_t)b->ground.count;
    s->link_count = (uint32_t)b->links.count;
    const int32_t extent = larger(extent_of(&b->ground), extent_of(&b->links));
    uint8_t reach = 0;
    while (reach < SITE_REACHES - 1 && SITE_REACH[reach] < extent)
        reach++;
    s->reach = reach;
    const size_t count = b->ground.count + b->links.count;
    site_term *terms = arena_calloc(b->memory, 4 * count, sizeof *terms);
    uint32_t *layers = arena_calloc(b->memory, count, sizeof *layers);
    b->failed = !terms || !layers;
    for (int r = 0; r < 4 && !b->failed; r++, terms += count) {
        s->rotated[r].terms = terms;
        s->rotated[r].ground = box_of(&b->ground, r);
        s->rotated[r].links = box_of(&b->links, r);
        put_terms(b, &b->ground, r, terms);
        put_terms(b, &b->links, r, terms + s->ground_count);
    }
    if (b->failed)
        return;
    put_layers(s, b, layers);
    /* Each inner loop searches the first rotation that has the same terms as the rotation `r`.
     * It ends, because at the latest it compares `r` with itself. */
    for (int r = 0; r < 4; r++) {
        site_rotated *t = &s->rotated[r];
        while (!are_same(s->rotated[t->like_ground].terms, t->terms, s->ground_count))
            t->like_ground++;
        while (!are_same(s->rotated[s->like[r]].terms, t->terms, count))
            s->like[r]++;
    }
}

/* Do two specials have the same requirements? The terms (conditions on rectangles of cells) of
 * all rotations, and the boxes of their origins, follow from those of the first rotation. */
static bool have_same(const site_builder *b, size_t one, size_t other)
{
    const cat_special *specials = b->config->cat->specials;
    const site_special *s = &b->tables->specials[one], *t = &b->tables->specials[other];
    return s->possible == t->possible && s->linkable == t->linkable &&
           specials[one].rotate == specials[other].rotate &&
           s->ground_count == t->ground_count && s->link_count == t->link_count &&
           are_same(s->rotated[0].terms, t->rotated[0].terms, s->ground_count + s->link_count);
}

/* Finds the special's figure: the first special that has the same requirements. */
static void find_figure(site_builder *b, uint16_t special)
{
    site_special *s = &b->tables->specials[special];
    const size_t size = (s->ground_count + s->link_count) * sizeof(site_term);
    uint64_t key = hash_add(s->possible, b->config->cat->specials[special].rotate);
    key = hash_add(key, size > 0 ? hash_bytes(s->rotated[0].terms, size) : 0);
    int64_t found;
    while ((found = key_map_find(&b->figures, key)) >= 0 &&
           !have_same(b, (size_t)found, special))
        key = hash_mix(key);
    s->figure = found >= 0 ? (uint32_t)found : special;
    b->failed = b->failed || (found < 0 && !key_map_add(b, &b->figures, key, special));
}

/* ---- all of it ---- */

/* Fills for each level the table site_level.masks, which tells for each oter to which layers of
 * the level it belongs. False when memory is out. */
static bool make_masks(site_builder *b)
{
    site_tables *t = b->tables;
    t->oter_count = b->config->cat->oter_count;
    for (int z = 0; z < PTL_LEVELS && !b->failed; z++) {
        site_level *own = &t->levels[z];
        own->groups = (own->count + SITE_GROUP - 1) / SITE_GROUP;
        if (own->count == 0)
            continue;
        own->layers = arena_calloc(b->memory, own->count, sizeof *own->layers);
        own->masks = arena_calloc(b->memory, t->oter_count * own->groups, sizeof *own->masks);
        own->ground = arena_calloc(b->memory, own->groups, sizeof *own->ground);
        if (!own->layers || !own->masks || !own->ground)
            return false;
    }
    for (uint32_t i = 0; i < t->layer_count && !b->failed; i++) {
        site_level *own = &t->levels[t->layers[i].z - PTL_Z_MIN];
        const uint32_t bit = t->layers[i].bit;
        own->layers[bit] = i;
        if (t->layers[i].ground)
            own->ground[bit / SITE_GROUP] |= (uint16_t)(1u << bit % SITE_GROUP);
        else
            own->points = true;
        for (size_t w = 0; w < b->oter_words; w++)
            for (uint64_t left = b->members[i][w]; left; left &= left - 1) {
                const size_t oter = 64 * w + (size_t)__builtin_ctzll(left);
                own->masks[bit / SITE_GROUP * t->oter_count + oter] |=
                    (uint16_t)(1u << bit % SITE_GROUP);
            }
    }
    return !b->failed;
}

site_tables *site_tables_new(const gen_config *config)
{
    const size_t count = config->cat->special_count;
    site_builder *b = calloc(1, sizeof *b);
    if (!b)
        return NULL;
    b->config = config;
    b->memory = config->memory;
    b->scratch = arena_new();
    b->oter_words = config->cat->oter_count / 64 + 1;
    site_tables *t = b->tables = arena_alloc(b->memory, sizeof *t);
    if (t)
        t->specials = arena_calloc(b->memory, count, sizeof *t->specials);
    bool ok = t && b->scratch && t->specials;
    for (size_t i = 0; ok && i < count && !b->failed; i++) {
        compile_special(b, (uint16_t)i);
        if (!b->failed)
            find_figure(b, (uint16_t)i);
    }
    ok = ok && !b->failed && make_masks(b);
    site_layer *layers = t ? t->layers : NULL;
    site_node *nodes = t ? t->nodes : NULL;
    if (ok) {
        t->kernels = site_kernels_best();
        t->special_count = count;
        t->layer_words = t->layer_count / 64 + 1;
        t->layers = arena_copy(b->memory, layers, t->layer_count * sizeof *layers);
        t->nodes = arena_copy(b->memory, nodes, t->node_count * sizeof *nodes);
        ok = t->layers && t->nodes;
    }
    free(layers);
    free(nodes);
    free(b->members);
    arena_free(b->scratch);
    free(b->ground.items);
    free(b->links.items);
    free(b);
    return ok ? t : NULL;
}

/*
 * What a mutable special's root needs beyond its mandatory sides. When the root is placed, no
 * other piece stands there. So the side's join must be able to lead into the ground there
 * (generation.md 9.3), and some piece that can meet the side must be able to stand on this
 * ground. Otherwise the growth fails, whatever the random numbers are.
 */

/* Can this side of a piece meet the join, by its own join or by one of its alternatives? */
static bool side_meets(const cat_mutable *m, const cat_side *side, int16_t join)
{
    if (side->join < 0 || side->type == PTL_JOIN_REJECT)
        return false;
    bool meets = m->joins[side->join].opposite == join;
    for (int i = 0; i < side->alternative_count && !meets; i++)
        meets = m->joins[side->alternatives[i]].opposite == join;
    return meets;
}

/* Can the piece, in any rotation, meet the join on a side of the root? Rotation leaves the
 * sides above and below in place. */
static bool piece_meets(const cat_mutable *m, const cat_piece *piece, int side, int16_t join)
{
    if (side == CAT_ABOVE)
        return side_meets(m, &piece->sides[CAT_BELOW], join);
    if (side == CAT_BELOW)
        return side_meets(m, &piece->sides[CAT_ABOVE], join);
    bool meets = false;
    for (int k = 0; k < 4; k++)
        meets = meets || side_meets(m, &piece->sides[k], join);
    return meets;
}

static void add_rule(const cat_mutable *m, const cat_rule *rule, int side, size_t words,
                     uint64_t *out)
{
    const int16_t join = m->pieces[m->root].sides[side].join;
    for (size_t i = 0; i < rule->piece_count; i++) {
        const cat_piece *piece = &m->pieces[rule->pieces[i].piece];
        if (piece_meets(m, piece, side, join))
            for (size_t w = 0; w < words; w++)
                out[w] |= piece->allows[w];
    }
}

bool site_root_ground(const gen_config *config, const cat_mutable *m, int side, uint64_t *out)
{
    const size_t words = (config->cat->terrain_count + 63) / 64;
    const cat_side *own = &m->pieces[m->root].sides[side];
    if (own->join < 0 || own->type != PTL_JOIN_MANDATORY)
        return false;
    memset(out, 0, words * sizeof *out);
    for (size_t p = 0; p < m->phase_count; p++)
        for (size_t i = 0; i < m->phases[p].rule_count; i++)
            add_rule(m, &m->phases[p].rules[i], side, words, out);
    if (!config->options.compat) {
        /* Keep only ground that the root's join may lead into. A join for which the content
         * states no ground gets the special's locations, which are meant for the surface. So on
         * other levels such a join may also lead into the level's default terrain, on which
         * OMTs without locations may lie, too. */
        const cat_join *join = &m->joins[own->join];
        const int32_t z = side == CAT_ABOVE ? 1 : side == CAT_BELOW ? -1 : 0;
        const ptl_oter fill = config->defaults[z - PTL_Z_MIN];
        const uint16_t terrain = config->cat->oters[fill].terrain;
        const uint64_t bit = UINT64_C(1) << terrain % 64;
        const bool kept = site_takes_default(config, z, join->own) && out[terrain / 64] & bit;
        for (size_t w = 0; w < (config->cat->terrain_count + 63) / 64; w++)
            out[w] &= join->into[w];
        if (kept)
            out[terrain / 64] |= bit;
    }
    return true;
}
