/* Computes what drawings put on a map: entries of terrains, the chunks inside them, and the
 * entries of predecessors below them. The steps come in the same order as in run/run.c. */
#include "mapgen/odds/scene.h"

enum { BRANCHES_MAX = 600, POLICY = 3, LEVEL_ZERO = 64 };

static const odds_set nothing = {NULL, 0};

/* ---- where pieces lie ---- */

/* Returns where on the map a piece with the coordinates x, y of its drawing may lie. */
static scene_spot spot_of(scene_frame *f, mapgen_range x, mapgen_range y)
{
    enum { LAST = MAPGEN_SIDE - 1 };
    scene_spot s = {.tiles = tiles_none(), .x = x, .y = y, .count = 1, .inside = 1};
    if (!f->single) {
        s.tiles = tiles_spread(&f->begin, x, y, &f->m->clipped);
        return s;
    }
    const int64_t left = (int64_t)x.low + f->x, right = (int64_t)x.high + f->x;
    const int64_t top = (int64_t)y.low + f->y, bottom = (int64_t)y.high + f->y;
    double count = 0;
    for (int64_t v = top < 0 ? 0 : top; v <= bottom && v <= LAST; v++)
        for (int64_t u = left < 0 ? 0 : left; u <= right && u <= LAST; u++) {
            tiles_put(&s.tiles, (int)u, (int)v);
            count++;
        }
    s.inside = count / (((double)(right - left) + 1) * ((double)(bottom - top) + 1));
    return s;
}

/* Adds one tile of the drawing to the tiles on which the pieces of its character may lie. */
static void add_tile(scene_frame *f, scene_spot *s, int x, int y)
{
    if (!f->single) {
        const tile_set one =
            tiles_spread(&f->begin, (mapgen_range){x, x}, (mapgen_range){y, y}, &f->m->clipped);
        s->tiles = tiles_both(&s->tiles, &one);
        s->count++;
        return;
    }
    x += f->x;
    y += f->y;
    tiles_put(&s->tiles, x, y);
    s->count += x >= 0 && y >= 0 && x < MAPGEN_SIDE && y < MAPGEN_SIDE;
}

/* Finds the tiles on which the pieces of each character may lie. spots[n] is the spot of
 * character n of the drawing; NULL: its tiles are not needed. */
static void find_tiles(scene_frame *f, scene_spot *const *spots)
{
    const mapgen_entry *e = f->entry;
    for (int v = 0; v < f->height && odds_go(f->m->o, MAPGEN_SIDE); v++) {
        const uint16_t *cells =
            &e->cells[(size_t)(f->from_y + v) * e->width + (size_t)f->from_x];
        for (int u = 0; u < f->width; u++)
            if (spots[cells[u]])
                add_tile(f, spots[cells[u]], f->from_x + u, f->from_y + v);
    }
}

/* ---- the steps of an entry ---- */

/* Adds to `sum` the figures of what one piece puts on the map. */
static void add_piece(scene_frame *f, odds_sum *sum, const mapgen_unit *unit,
                      const mapgen_piece *p, const scene_spot *spot)
{
    if (scene_halted(f->m) || !odds_go(f->m->o, 1))
        return;
    odds_set set = scene_piece(f, unit, p, spot);
    sum_join(f->m->o, sum, &set, ODDS_ONCE);
    set_free(&set);
}

/* Adds to `sum` what a nested chunk with coordinates puts on the map. */
static void add_nested(scene_frame *f, odds_sum *sum, const mapgen_unit *unit,
                       const mapgen_piece *p, const scene_spot *spot)
{
    odds *o = f->m->o;
    const odds_times repeat = {p->repeat.low, p->repeat.high};
    const double times = odds_mean_times(repeat);
    if (scene_halted(f->m) || !odds_go(o, 1) || times <= 0)
        return;
    const size_t node = node_begin(o, (odds_node){.step = ODDS_STEP_PIECE,
                                                  .kind = p->kind,
                                                  .x = spot->x,
                                                  .y = spot->y,
                                                  .times = times});
    const bool repeated = f->repeated || p->repeat.high > 1;
    const size_t from = f->m->log_count;
    const bool fixed = f->single && p->x.low == p->x.high && p->y.low == p->y.high;
    const odds_tree_state tree = o->tree;
    odds_set set = scene_nested(f, unit, p, &spot->tiles, f->x + p->x.low, f->y + p->y.low,
                                fixed, repeated);
    if (f->m->clipped && f->single && !fixed) {
        /* At some of its possible places the chunk reaches out of the map, so each place is
         * computed for itself. */
        f->m->clipped = false;
        node_back(o, &tree);
        log_cut(f->m, from);
        set_free(&set);
        odds_sum *all = sum_begin(o);
        const double places =
            ((double)p->x.high - p->x.low + 1) * ((double)p->y.high - p->y.low + 1);
        if (places > 4096)
            o->doubts |= ODDS_LARGE;
        for (int64_t y = p->y.low; y <= p->y.high && places <= 4096; y++)
            for (int64_t x = p->x.low; x <= p->x.high && !scene_halted(f->m); x++) {
                const size_t place = node_begin(o, (odds_node){.step = ODDS_STEP_PIECE,
                                                               .kind = p->kind,
                                                               .x = {(int32_t)x, (int32_t)x},
                                                               .y = {(int32_t)y, (int32_t)y},
                                                               .times = 1 / places});
                tile_set begin = tiles_none();
                tiles_put(&begin, f->x + (int)x, f->y + (int)y);
                odds_set one = scene_nested(f, unit, p, &begin, f->x + (int)x, f->y + (int)y,
                                            true, repeated);
                node_end(o, place, &one);
                sum_blend(o, all, &one, 1 / places);
                set_free(&one);
            }
        set = sum_take(o, all);
    }
    node_end(o, node, &set);
    if (p->repeat.high > 1)
        log_again(f->m, from);
    sum_join(o, sum, &set, repeat);
    set_free(&set);
}

/* A function that adds what a nested chunk puts on the map to `sum`. There is one for chunks
 * with coordinates, and one for chunks that a character of the drawing stands for. */
typedef void nested_add(scene_frame *f, odds_sum *sum, const mapgen_unit *unit,
                        const mapgen_piece *p, const scene_spot *spot);

/*
 * Adds a nested chunk that may lie on another level. It matters because pieces inside of the
 * chunk may have a level of their own, which may be that of the map.
 */
static void add_at_height(scene_frame *f, odds_sum *sum, const mapgen_unit *unit,
                          const mapgen_piece *p, const scene_spot *spot, nested_add *add)
{
    scene *m = f->m;
    odds *o = m->o;
    const int64_t low = p->z.low < p->z.high ? p->z.low : p->z.high;
    const int64_t high = p->z.low < p->z.high ? p->z.high : p->z.low;
    if (!(p->flags & MAPGEN_AT_HEIGHT)) {
        add(f, sum, unit, p, spot);
        return;
    }
    odds_sum *all = sum_begin(o);
    const double part = 1 / ((double)(high - low) + 1);
    for (int64_t z = low < -MAPGEN_SIDE ? -MAPGEN_SIDE : low;
         z <= high && z <= MAPGEN_SIDE && !scene_halted(m); z++) {
        const size_t node = node_begin(
            o, (odds_node){
                   .step = ODDS_STEP_PIECE, .kind = p->kind, .x = ODDS_NOWHERE, .times = part});
        odds_sum *own = sum_begin(o);
        m->level += (int)z;
        add(f, own, unit, p, spot);
        m->level -= (int)z;
        odds_set set = sum_take(o, own);
        if (!scene_halted(m))
            node_end(o, node, &set);
        sum_blend(o, all, &set, part);
        set_free(&set);
    }
    odds_set set = sum_take(o, all);
    sum_join(o, sum, &set, ODDS_ONCE);
    set_free(&set);
}

/* Adds to `sum` what the pieces of a list, which have coordinates, put on the map. */
static void add_list(scene_frame *f, odds_sum *sum, mapgen_list list)
{
    for (uint32_t i = 0; i < list.count && !scene_halted(f->m) && odds_go(f->m->o, 1); i++) {
        const mapgen_piece *p = &f->entry->unit.pieces[list.items[i]];
        const bool here = p->x.low >= f->from_x && p->x.low < f->from_x + f->width &&
                          p->y.low >= f->from_y && p->y.low < f->from_y + f->height;
        if (!here)
            continue;
        const scene_spot spot = spot_of(f, p->x, p->y);
        if (p->kind == MAPGEN_NESTED)
            add_at_height(f, sum, &f->entry->unit, p, &spot, add_nested);
        else
            add_piece(f, sum, &f->entry->unit, p, &spot);
    }
}

/* Notes in the log which items and monsters the entry's operations `set` remove. */
static void add_set(scene_frame *f)
{
    static const uint32_t removed[MAPGEN_SUBJECTS] = {
        [MAPGEN_SET_ITEM_REMOVE] = 1 << PTL_LOOT_ITEM,
        [MAPGEN_SET_CREATURE_REMOVE] = 1 << PTL_LOOT_MONSTER};
    for (uint32_t i = 0; i < f->entry->set.count && odds_go(f->m->o, 1); i++) {
        const mapgen_piece *p = &f->entry->unit.pieces[f->entry->set.items[i]];
        const bool other = p->flags & MAPGEN_AT_HEIGHT && (p->z.low != 0 || p->z.high != 0);
        if (!removed[p->subject] || other || f->m->level != 0)
            continue;
        mapgen_range x = p->x, y = p->y;
        if (p->shape != MAPGEN_POINT) {
            x = (mapgen_range){x.low < p->x2.low ? x.low : p->x2.low,
                               x.high > p->x2.high ? x.high : p->x2.high};
            y = (mapgen_range){y.low < p->y2.low ? y.low : p->y2.low,
                               y.high > p->y2.high ? y.high : p->y2.high};
        }
        const scene_spot spot = spot_of(f, x, y);
        log_remove(f->m, &spot.tiles, removed[p->subject]);
    }
}

/* Returns whether a character may mean a wall, which removes the items from its tiles. All
 * palettes that state terrain for the character count, also those that a later one
 * overrules. */
static bool has_wall(const scene_frame *f, uint32_t character)
{
    bool wall = false;
    for (uint32_t k = 0; k < f->layers.count && !wall; k++) {
        const mapgen_meaning *mean = mapgen_meaning_of(f->layers.units[k], character);
        wall = mean && mean->terrain && mean->terrain_list &&
               scene_is_wall(f, f->layers.units[k], mean->terrain);
    }
    return wall;
}

/* A character of the drawing stands for a nested chunk. Adds what the chunk puts on the map
 * from each tile that has the character. */
static void add_symbol_nested(scene_frame *f, odds_sum *sum, const mapgen_unit *unit,
                              const mapgen_piece *p, const scene_spot *spot)
{
    scene *m = f->m;
    odds *o = m->o;
    const odds_times repeat = {p->repeat.low, p->repeat.high};
    const odds_times count = {spot->count, spot->count};
    const bool repeated = f->repeated || p->repeat.high > 1;
    const size_t from = m->log_count;
    const size_t node = node_begin(o, (odds_node){.step = ODDS_STEP_PIECE,
                                                  .kind = p->kind,
                                                  .times = odds_mean_times(repeat)});
    const odds_tree_state tree = o->tree;
    odds_set set = scene_nested(f, unit, p, &spot->tiles, 0, 0, false, repeated);
    if (m->clipped && f->single) {
        m->clipped = false;
        node_back(o, &tree);
        log_cut(m, from);
        set_free(&set);
        odds_sum *all = sum_begin(o);
        for (int i = 0; i < MAPGEN_SIDE * MAPGEN_SIDE && !scene_halted(m); i++) {
            const int x = i % MAPGEN_SIDE, y = i / MAPGEN_SIDE;
            tile_set begin = tiles_none();
            if (!(spot->tiles.rows[y] >> x & 1))
                continue;
            tiles_put(&begin, x, y);
            const size_t place = node_begin(o, (odds_node){.step = ODDS_STEP_PIECE,
                                                           .kind = p->kind,
                                                           .x = {x, x},
                                                           .y = {y, y},
                                                           .times = 1.0 / spot->count});
            odds_set one = scene_nested(f, unit, p, &begin, x, y, true, repeated);
            node_end(o, place, &one);
            sum_join(o, all, &one, repeat);
            set_free(&one);
        }
        set = sum_take(o, all);
        odds_set mean = set_copy(o, &set);
        set_scale(&mean, 1.0 / (spot->count * odds_mean_times(repeat)));
        node_end(o, node, &mean);
        set_free(&mean);
        log_again(m, from);
        sum_join(o, sum, &set, ODDS_ONCE);
        set_free(&set);
        return;
    }
    node_end(o, node, &set);
    log_again(m, from);
    odds_sum *all = sum_begin(o);
    sum_join(o, all, &set, repeat);
    set_free(&set);
    set = sum_take(o, all);
    sum_join(o, sum, &set, count);
    set_free(&set);
}

/* A character of a drawing that has an influence on some figure. */
typedef struct symbol {
    uint32_t character;
    /* Kinds of things that the character removes from its tiles, as bits 1 << ptl_loot_kind:
     * `early` before anything is put on the tiles, `late` afterwards. */
    uint32_t early, late;
    scene_spot spot;
} symbol;

/* Adds what the pieces of a character put on the map: if `nested`, only the nested chunks;
 * otherwise only the other pieces. */
static void add_symbol(scene_frame *f, odds_sum *sum, const symbol *what, bool nested)
{
    odds *o = f->m->o;
    const scene_spot *spot = &what->spot;
    const uint32_t character = what->character;
    const size_t node = node_begin(o, (odds_node){.step = ODDS_STEP_SYMBOL,
                                                  .name = character,
                                                  .tiles = spot->count,
                                                  .times = spot->count});
    odds_sum *own = sum_begin(o);
    for (uint32_t k = 0; k < f->layers.count && !scene_halted(f->m); k++) {
        const mapgen_unit *unit = f->layers.units[k];
        const mapgen_meaning *mean = mapgen_meaning_of(unit, character);
        for (uint32_t i = mean ? mean->pieces : 0; i && !scene_halted(f->m);
             i = unit->pieces[i].next) {
            const mapgen_piece *p = &unit->pieces[i];
            if ((p->kind == MAPGEN_NESTED) != nested)
                continue;
            if (nested)
                add_at_height(f, own, unit, p, spot, add_symbol_nested);
            else
                add_piece(f, own, unit, p, spot);
        }
    }
    odds_set set = sum_take(o, own);
    if (o->tree.active) {
        odds_set one = set_copy(o, &set);
        set_scale(&one, 1.0 / spot->count);
        node_end(o, node, &one);
        set_free(&one);
    }
    sum_join(o, sum, &set, ODDS_ONCE);
    set_free(&set);
}

/* Finds out what a character of the drawing puts on tiles and what it removes there. Returns
 * false if neither has an influence on any figure. */
static bool symbol_of(symbol *out, const scene_frame *f, uint32_t character)
{
    bool any = false;
    *out = (symbol){.character = character,
                    .spot = {.x = ODDS_NOWHERE, .inside = 1, .symbol = true}};
    out->early = has_wall(f, character) ? 1 << PTL_LOOT_ITEM : 0;
    for (uint32_t k = 0; k < f->layers.count; k++) {
        const mapgen_unit *unit = f->layers.units[k];
        const mapgen_meaning *mean = mapgen_meaning_of(unit, character);
        for (uint32_t i = mean ? mean->pieces : 0; i; i = unit->pieces[i].next) {
            const mapgen_piece *p = &unit->pieces[i];
            const uint32_t removed = scene_removes(f, unit, p);
            *(p->kind == MAPGEN_REMOVE_VEHICLES ? &out->late : &out->early) |= removed;
            any = any || !scene_is_idle(p->kind);
        }
    }
    return any || out->early || out->late;
}

/* Returns the tiles of all characters that remove things of a kind. `late`: the characters that
 * remove them after all chunks were put down; otherwise those that remove them before. */
static tile_set removed_from(const symbol *symbols, size_t count, ptl_loot_kind kind, bool late)
{
    tile_set tiles = tiles_none();
    for (size_t i = 0; i < count; i++)
        if ((late ? symbols[i].late : symbols[i].early) >> kind & 1)
            tiles = tiles_both(&tiles, &symbols[i].spot.tiles);
    return tiles;
}

/* Notes in the log what characters remove from their tiles. `late`: what they remove after all
 * other things were put on the map; otherwise what they remove before. */
static void note_symbols(scene *m, const symbol *symbols, size_t count, bool late)
{
    for (int k = 0; k < PTL_LOOT_KINDS && m->level == 0; k++) {
        const tile_set tiles = removed_from(symbols, count, (ptl_loot_kind)k, late);
        log_remove(m, &tiles, 1u << k);
    }
}

/* Notes in the log that characters of the rows may also remove what chunks have put on the map,
 * that is, things from the event `from` and all later events. So what the characters remove
 * counts a second time. */
static void note_again(scene *m, const symbol *symbols, size_t count, size_t from)
{
    for (int k = 0; k < PTL_LOOT_KINDS && m->level == 0; k++) {
        const tile_set tiles = removed_from(symbols, count, (ptl_loot_kind)k, false);
        log_again_on(m, from, &tiles, 1u << k);
    }
}

/* Adds what the characters of the rows put on the map. Single pieces of one tile have no effect
 * on other tiles, so the order of tiles does not matter for them. But a chunk covers several
 * tiles, and may come before or after the pieces of each of them. So what a character removes
 * from its tile is noted in the log before the chunks and again after them. */
static void add_rows(scene_frame *f, odds_sum *sum)
{
    scene *m = f->m;
    const uint32_t all = f->entry->symbol_count;
    symbol *symbols = malloc((all + 1) * sizeof *symbols);
    scene_spot **spots = calloc(all + 1, sizeof *spots);
    size_t count = 0;
    m->o->failed = m->o->failed || !symbols || !spots;
    for (uint32_t i = 0; i < all && !m->o->failed && odds_go(m->o, 1); i++)
        if (symbol_of(&symbols[count], f, f->entry->symbols[i]))
            spots[i] = &symbols[count++].spot;
    if (count > 0 && !m->o->failed) {
        find_tiles(f, spots);
        note_symbols(m, symbols, count, false);
        for (int nested = 0; nested < 2; nested++) {
            const size_t from = m->log_count;
            for (size_t i = 0; i < count && !scene_halted(m); i++)
                if (symbols[i].spot.count > 0)
                    add_symbol(f, sum, &symbols[i], nested);
            if (nested && m->log_count > from) {
                note_again(m, symbols, count, from);
                log_again(m, from);
            }
        }
        note_symbols(m, symbols, count, true);
    }
    free(symbols);
    free(spots);
}

odds_set scene_frame_set(scene_frame *f)
{
    const mapgen_entry *e = f->entry;
    scene *m = f->m;
    scene_layers(f);
    if (scene_halted(m))
        return nothing;
    odds_sum *sum = sum_begin(m->o);
    if (e->cells && m->level == 0 && (e->old >> MAPGEN_OLD_ITEMS & POLICY) != MAPGEN_KEEP) {
        const mapgen_range x = {f->from_x, f->from_x + f->width - 1};
        const mapgen_range y = {f->from_y, f->from_y + f->height - 1};
        const scene_spot all = spot_of(f, x, y);
        log_remove(m, &all.tiles, 1 << PTL_LOOT_ITEM);
    }
    add_set(f);
    add_list(f, sum, e->groups);
    add_list(f, sum, e->add);
    if (e->script != ID_NONE)
        m->o->doubts |= ODDS_SCRIPT;
    if (e->cells)
        add_rows(f, sum);
    add_list(f, sum, e->placed);
    return sum_take(m->o, sum);
}

/* ---- values of parameters ---- */

void scene_lay_aside(scene *m, scene_aside *a)
{
    const size_t count = m->log_count - a->from;
    scene_event *events =
        count > 0 ? realloc(a->events, (a->count + count) * sizeof *events) : NULL;
    if (count == 0)
        return;
    m->o->failed = m->o->failed || !events;
    if (!events)
        return;
    memcpy(events + a->count, m->log + a->from, count * sizeof *events);
    a->events = events;
    a->count += count;
    m->log_count = a->from;
}

void scene_put_back(scene *m, scene_aside *a)
{
    m->o->failed =
        m->o->failed || !ARRAY_ROOM(m->log, m->log_room, m->log_count + a->count + 1);
    for (size_t i = 0; i < a->count; i++)
        if (m->o->failed)
            set_free(&a->events[i].put);
        else
            m->log[m->log_count++] = a->events[i];
    free(a->events);
}

/* Computes the figures of the drawing for one value of the parameter that was asked for, and
 * adds them to `sum`, multiplied by the value's probability. */
static void add_branch(scene_frame *f, odds_set (*of)(scene_frame *f), odds_sum *sum,
                       scene_parameter decided, const share *value)
{
    scene *m = f->m;
    odds *o = m->o;
    decided.id = value->id;
    m->parameters[m->parameter_count++] = decided;
    const size_t node = node_begin(
        o, (odds_node){.step = decided.defined ? ODDS_STEP_PARAMETER : ODDS_STEP_PALETTE,
                       .id = value->id,
                       .name = decided.defined ? decided.defined->name : ID_NONE,
                       .times = value->share});
    odds_set set = scene_branch(f, of);
    if (!scene_halted(m))
        node_end(o, node, &set);
    m->parameter_count--;
    sum_blend(o, sum, &set, value->share);
    set_free(&set);
}

odds_set scene_branch(scene_frame *f, odds_set (*of)(scene_frame *f))
{
    scene *m = f->m;
    odds *o = m->o;
    const size_t from = m->log_count;
    const odds_tree_state tree = o->tree;
    odds_set set = of(f);
    const bool mine = m->asked && m->wanted.frame == (f->nested ? f : NULL);
    if (!mine || o->failed || o->stopped)
        return set;
    set_free(&set);
    shares values = m->values;
    const scene_parameter wanted = m->wanted;
    m->values = (shares){NULL, 0, 0};
    m->asked = false;
    log_cut(m, from);
    node_back(o, &tree);
    odds_sum *sum = sum_begin(o);
    scene_aside laid = {NULL, 0, from};
    /* A parameter's values are computed one by one. Beyond BRANCHES_MAX values in all, only the
     * first value is computed, and stands for the other ones. */
    m->branches += (int)(values.count < BRANCHES_MAX ? values.count : BRANCHES_MAX);
    const bool many = m->branches > BRANCHES_MAX;
    o->doubts |= many ? ODDS_PARAMETERS : 0;
    for (size_t i = 0; i < values.count && !scene_halted(m); i++) {
        share value = values.items[i];
        value.share = many ? 1 : value.share;
        add_branch(f, of, sum, wanted, &value);
        scene_lay_aside(m, &laid);
        /* If parameters depend on each other, the figures computed here are not used: local
         * maps are made and counted instead. Only a tree of steps (odds_tree) shows the figures
         * then. */
        if (many || (o->doubts & ODDS_PARAMETERS && !o->tree.active))
            break;
    }
    shares_free(&values);
    scene_put_back(m, &laid);
    return sum_take(o, sum);
}

/* ---- nested chunks ---- */

/* Returns whether the conditions of a chunk hold for an OMT whose neighbours are not known.
 * Then no condition holds but those on the OMT's level. */
static bool conditions_hold(scene *m, const mapgen_unit *unit, const mapgen_piece *p)
{
    bool all = true, asked = false, level = false, at = false;
    for (uint32_t i = 0; i < p->count; i++) {
        const mapgen_condition *c = &unit->conditions[p->first + i];
        asked = asked || c->kind != MAPGEN_LEVELS;
        level = level || c->kind == MAPGEN_LEVELS;
        at = at || (c->kind == MAPGEN_LEVELS && (int)c->text - LEVEL_ZERO == m->request->z);
    }
    all = !asked && (!level || at);
    m->depends |= asked ? ODDS_NEIGHBOURS : 0;
    return all;
}

/* Returns what an entry of a chunk puts on the map. */
static odds_set chunk_set(scene_frame *outer, const mapgen_entry *e, const tile_set *tiles,
                          int x, int y, bool single, bool repeated)
{
    scene_frame *f = calloc(1, sizeof *f);
    outer->m->o->failed = outer->m->o->failed || !f;
    if (!f)
        return nothing;
    f->m = outer->m;
    f->entry = e;
    f->outer = outer;
    f->nested = true;
    f->repeated = repeated;
    f->single = single;
    f->x = x;
    f->y = y;
    f->begin = *tiles;
    f->width = e->width;
    f->height = e->height;
    mapgen_layers_possible(&f->possible, f->m->o->source.library, &e->unit);
    for (uint32_t k = 0; k < f->possible.count; k++)
        for (uint32_t i = 0; i < f->possible.units[k]->parameter_count; i++)
            if (f->possible.units[k]->parameters[i].scope == MAPGEN_NEST)
                log_nest(f->m, tiles, f->possible.units[k]->parameters[i].name);
    odds_set set = scene_branch(f, scene_frame_set);
    free(f);
    return set;
}

odds_set scene_nested(scene_frame *f, const mapgen_unit *unit, const mapgen_piece *p,
                      const tile_set *tiles, int x, int y, bool single, bool repeated)
{
    scene *m = f->m;
    odds *o = m->o;
    shares ids = {NULL, 0, 0};
    scene_values(&ids, f, unit, conditions_hold(m, unit, p) ? p->what : p->with);
    if (m->depth == SCENE_CHUNKS_MAX) {
        o->doubts |= ODDS_LARGE;
        shares_free(&ids);
    }
    odds_sum *sum = sum_begin(o);
    scene_aside laid = {NULL, 0, m->log_count};
    m->depth++;
    for (size_t i = 0; i < ids.count && !scene_halted(m); i++) {
        const uint32_t id = ids.items[i].id;
        const mapgen_candidate *first =
            id == ID_NONE || id == o->null_id
                ? NULL
                : mapgen_library_first(o->source.library, MAPGEN_CHUNK, id);
        double weights = 0;
        for (const mapgen_candidate *c = first; c && odds_go(o, 1); c = c->next)
            weights += scene_weight(c->entry);
        for (const mapgen_candidate *c = first; c && weights > 0 && !scene_halted(m);
             c = c->next) {
            const double part = ids.items[i].share * scene_weight(c->entry) / weights;
            if (part <= 0 || !odds_go(o, 1))
                continue;
            const size_t node = node_begin(
                o, (odds_node){
                       .step = ODDS_STEP_CHUNK, .id = id, .entry = c->entry, .times = part});
            odds_set set = chunk_set(f, c->entry, tiles, x, y, single, repeated);
            if (!scene_halted(m))
                node_end(o, node, &set);
            sum_blend(o, sum, &set, part);
            set_free(&set);
            scene_lay_aside(m, &laid);
        }
    }
    m->depth--;
    shares_free(&ids);
    scene_put_back(m, &laid);
    return sum_take(o, sum);
}
