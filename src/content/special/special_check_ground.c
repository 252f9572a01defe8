/*
 * The static check of specials: it reports each special that can never be placed, whatever the
 * terrain and the random draws are. It runs when everything has been read, on specials without
 * errors. This file drives it, and checks numbers, flags and the terrain: if a cell must
 * satisfy two sets of terrain types that have none in common, the special can't be placed.
 */
#include "content/special/special_check_ground.h"
#include "core/array.h"

#include "content/types/region.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    /* The most cells that a special and its nested specials may have together. If they have
     * more, they are not checked. */
    NEEDS_MAX = 1 << 16,
    NESTED_DEPTH_MAX = 100, /* deeper nesting means a circle, which is reported elsewhere */
    WORK_MAX = 1000 * 1000 * 1000
};

/* ---- sets ---- */

terrain_bits check_new_bits(static_check *c)
{
    return import_alloc(c->im, c->words, sizeof(uint64_t));
}

void check_add_type(const static_check *c, terrain_bits to, const char *id)
{
    const terrain_type *type = terrain_find_type(c->im, id);
    size_t at = type ? (size_t)(type - c->im->terrains->types) : 0;
    if (type)
        to[at / 64] |= UINT64_C(1) << at % 64;
}

void bits_add(const static_check *c, terrain_bits to, const uint64_t *from)
{
    for (size_t i = 0; from && i < c->words; i++)
        to[i] |= from[i];
}

bool bits_meet(const static_check *c, const uint64_t *a, const uint64_t *b)
{
    for (size_t i = 0; i < c->words; i++)
        if (a[i] & b[i])
            return true;
    return false;
}

static void add_location(static_check *c, const char *id, terrain_bits to)
{
    size_t number = location_number(c->im, id);
    if (number == SIZE_MAX)
        return;
    if (!c->locations[number]) {
        c->locations[number] = check_new_bits(c);
        if (!c->locations[number])
            return;
        const string_list *ids = location_terrains(c->im, number);
        for (size_t i = 0; i < ids->count; i++)
            check_add_type(c, c->locations[number], ids->items[i]);
    }
    bits_add(c, to, c->locations[number]);
}

void check_add_list(static_check *c, const special_list *list, terrain_bits to)
{
    for (size_t i = 0; i < list->count; i++)
        add_location(c, list->items[i], to);
}

static void add_level(const static_check *c, int32_t z, terrain_bits to)
{
    if (z != 0)
        bits_add(c, to, c->levels[z < 0]);
}

/* Adds the default terrains that regions state for the levels below the ground (`below`), or
 * above it. */
static void add_levels_of_regions(const static_check *c, bool below, terrain_bits to)
{
    const struct region_model *model = c->im->regions;
    for (size_t i = 0; i < model->count; i++)
        for (int z = PTL_Z_MIN; model->regions[i].levels && z <= PTL_Z_MAX; z++) {
            const char *id = model->regions[i].levels[z - PTL_Z_MIN];
            const terrain_type *type =
                z != 0 && (z < 0) == below ? terrain_type_of(c->im, id) : NULL;
            if (type)
                check_add_type(c, to, type->id);
        }
}

static bool check_prepare(static_check *c, import *im)
{
    static const char *const defaults[2] = {"open_air", "empty_rock"};
    const struct terrain_model *model = im->terrains;
    *c = (static_check){.im = im, .words = model->type_count / 64 + 1, .work = WORK_MAX};
    c->locations =
        import_alloc(im, im->lists[CONTENT_LOCATIONS].count + 1, sizeof(terrain_bits));
    c->scratch[0] = check_new_bits(c);
    c->scratch[1] = check_new_bits(c);
    for (int i = 0; i < 2; i++) {
        if (!terrain_type_exists(im, defaults[i]))
            continue;
        c->levels[i] = check_new_bits(c);
        c->level_names[i] = defaults[i];
        if (c->levels[i])
            check_add_type(c, c->levels[i], defaults[i]);
        if (c->levels[i])
            add_levels_of_regions(c, i == 1, c->levels[i]);
    }
    for (size_t i = 0; i < model->type_count; i++) {
        const string_list *flags = &model->types[i].values->flags;
        c->has_lake = c->has_lake || string_list_has(flags, "LAKE");
        c->has_river = c->has_river || string_list_has(flags, "RIVER");
    }
    return !import_ended(im);
}

/* ---- cells of a fixed special ---- */

typedef enum need_kind { NEED_OMT, NEED_NESTED, NEED_LINK } need_kind;

/* What one OMT or one connection of a special demands of a cell before the special is placed.
 */
typedef struct need {
    int32_t point[3];
    need_kind kind;
    /* Number of the OMT, of the nested special or of the connection that demands something of
     * the cell. */
    size_t index;
    const special *owner; /* the special to which the OMT belongs */
    /* The OMT that makes the demand; NULL if a connection does. */
    const special_omt *omt;
    /* The connection that makes the demand; NULL if an OMT does. */
    const special_connection *link;
} need;

typedef struct needs {
    need *items;
    size_t count, room;
    bool full;
} needs;

static void add_need(static_check *c, needs *all, need n)
{
    if (all->count == all->room) {
        size_t room = all->room ? 2 * all->room : 64;
        need *larger = room <= NEEDS_MAX ? import_alloc(c->im, room, sizeof *larger) : NULL;
        if (!larger) {
            all->full = true;
            return;
        }
        for (size_t i = 0; i < all->count; i++)
            larger[i] = all->items[i];
        all->items = larger;
        all->room = room;
    }
    all->items[all->count++] = n;
}

static void add_omts(static_check *c, needs *all, const special *owner, const int32_t at[3],
                     bool nested, size_t index)
{
    for (size_t i = 0; i < owner->omt_count && !all->full; i++) {
        const special_omt *t = &owner->omts[i];
        add_need(c, all,
                 (need){{at[0] + t->point[0], at[1] + t->point[1], at[2] + t->point[2]},
                        nested ? NEED_NESTED : NEED_OMT,
                        nested ? index : i,
                        owner,
                        t,
                        NULL});
    }
}

typedef struct nesting {
    const special *sp;
    int32_t at[3];
    size_t next; /* index of the next nested special to be visited */
} nesting;

/* Adds the demands on the ground of the nested special that has this index in the list of sp,
 * and of all specials nested in it, depth first. */
static void add_nested(static_check *c, needs *all, const special *sp, size_t index)
{
    nesting path[NESTED_DEPTH_MAX];
    const special_nested *entry = &sp->nested[index];
    const special *target = special_find(c->im, entry->id);
    size_t depth = 0;
    if (!target)
        return;
    path[depth++] = (nesting){target, {entry->point[0], entry->point[1], entry->point[2]}, 0};
    add_omts(c, all, target, path[0].at, true, index);
    while (depth > 0 && !all->full) {
        nesting *top = &path[depth - 1];
        if (top->next == top->sp->nested_count) {
            depth--;
            continue;
        }
        const special_nested *inner = &top->sp->nested[top->next++];
        target = special_find(c->im, inner->id);
        if (!target)
            continue;
        if (depth == NESTED_DEPTH_MAX) {
            all->full = true;
            return;
        }
        nesting *below = &path[depth++];
        *below = (nesting){target, {0}, 0};
        for (int i = 0; i < 3; i++)
            below->at[i] = top->at[i] + inner->point[i];
        add_omts(c, all, target, below->at, true, index);
    }
}

/* Adds the terrains that belong to the connection, and the terrains on which it can be drawn.
 */
static void add_link_ground(static_check *c, const special_connection *link, terrain_bits to)
{
    const string_list *locations = NULL;
    const char *terrain = NULL;
    if (link->terrain)
        check_add_type(c, to, link->terrain);
    for (size_t i = 0;
         (terrain = connection_subtype_at(c->im, link->id, i, &locations)) != NULL; i++) {
        check_add_type(c, to, terrain);
        for (size_t k = 0; !link->existing && k < locations->count; k++)
            add_location(c, locations->items[k], to);
    }
}

/* Sets `to` to the terrains that satisfy a demand. Off the ground, the level's default terrain
 * is always among them, since in worlds with `compat` it satisfies any demand. */
static void need_ground(static_check *c, const need *n, terrain_bits to)
{
    memset(to, 0, c->words * sizeof *to);
    if (n->link) {
        add_link_ground(c, n->link, to);
        return;
    }
    check_add_list(c, n->omt->locations.count ? &n->omt->locations : &n->owner->locations, to);
    add_level(c, n->point[2], to);
}

static field need_field(static_check *c, special *sp, const need *n)
{
    static const char *const keys[] = {"overmaps", "place_nested", "connections"};
    size_t index = n->kind == NEED_NESTED ? sp->nested[n->index].index
                   : n->kind == NEED_LINK ? n->link->index
                                          : n->index;
    field entry = field_at(special_field(c->im, sp, keys[n->kind]), index);
    return n->kind == NEED_OMT ? entry : field_key(entry, "point");
}

static int compare_needs(const void *left, const void *right)
{
    const need *a = left, *b = right;
    for (int i = 2; i >= 0; i--)
        if (a->point[i] != b->point[i])
            return a->point[i] < b->point[i] ? -1 : 1;
    return ORDER_BY(a->kind, b->kind, (int64_t)a->index, (int64_t)b->index);
}

/* Checks the levels and the size of a special together with its nested specials and the points
 * of its connections. (Its own OMTs were checked when they were read.) */
static bool check_extent(static_check *c, special *sp, const needs *all)
{
    int32_t low[2] = {all->items[0].point[0], all->items[0].point[1]};
    int32_t high[2] = {low[0], low[1]};
    for (size_t i = 0; i < all->count; i++) {
        const need *n = &all->items[i];
        for (int k = 0; k < 2; k++) {
            low[k] = n->point[k] < low[k] ? n->point[k] : low[k];
            high[k] = n->point[k] > high[k] ? n->point[k] : high[k];
        }
        if (abs((int)n->point[2]) <= SPECIAL_LEVEL_MAX)
            continue;
        field_warning(need_field(c, sp, n), SP101,
                      "%d is no level of an overmap, which are -%d to %d: the special can "
                      "never be placed",
                      (int)n->point[2], SPECIAL_LEVEL_MAX, SPECIAL_LEVEL_MAX);
        return false;
    }
    int width = (int)(high[0] - low[0] + 1), height = (int)(high[1] - low[1] + 1);
    if (width <= SPECIAL_FOOTPRINT_MAX && height <= SPECIAL_FOOTPRINT_MAX)
        return true;
    field_warning((special_field(c->im, sp, sp->nested_count ? "place_nested" : "connections")),
                  SP101,
                  "with what is nested in it and its connections' points the special is %d x "
                  "%d, and an overmap has room for %d x %d: it can never be placed",
                  width, height, SPECIAL_FOOTPRINT_MAX, SPECIAL_FOOTPRINT_MAX);
    return false;
}

/* Checks whether several demands on one cell can be met together. */
static void check_cell(static_check *c, special *sp, const need *items, size_t count)
{
    terrain_bits common = c->scratch[0], one = c->scratch[1];
    need_ground(c, &items[0], common);
    for (size_t i = 1; i < count; i++) {
        need_ground(c, &items[i], one);
        if (bits_meet(c, common, one)) {
            for (size_t k = 0; k < c->words; k++)
                common[k] &= one[k];
            continue;
        }
        field_warning(need_field(c, sp, &items[i]), SP102,
                      "at [%d, %d, %d] no terrain is all that the special asks for there: it "
                      "can never be placed",
                      (int)items[i].point[0], (int)items[i].point[1], (int)items[i].point[2]);
        return;
    }
}

/* Warns of a nested special that can't stand on the OMT below it. Nested specials are placed
 * last, so the special's own OMTs are their ground. */
static void check_covered(static_check *c, special *sp, const need *items, size_t count)
{
    const terrain_type *own = NULL;
    for (size_t i = 0; i < count; i++) {
        if (items[i].kind == NEED_OMT)
            own = terrain_type_of(c->im, items[i].omt->oter);
        if (items[i].kind != NEED_NESTED || !own)
            continue;
        size_t at = (size_t)(own - c->im->terrains->types);
        need_ground(c, &items[i], c->scratch[0]);
        if (c->scratch[0][at / 64] >> at % 64 & 1)
            continue;
        field_warning(need_field(c, sp, &items[i]), SP108,
                      "'%s' would stand on the special's own OMT at [%d, %d, %d], which is not "
                      "on its locations: it is never nested",
                      sp->nested[items[i].index].id, (int)items[i].point[0],
                      (int)items[i].point[1], (int)items[i].point[2]);
        return;
    }
}

/* Warns of a connection that can never be drawn, as it can start on no terrain. A connection
 * with `existing` is not drawn: there the warning is that no terrain belongs to it. */
static void check_links(static_check *c, special *sp)
{
    for (size_t i = 0; i < sp->connection_count; i++) {
        const special_connection *link = &sp->connections[i];
        memset(c->scratch[0], 0, c->words * sizeof *c->scratch[0]);
        add_link_ground(c, link, c->scratch[0]);
        /* The member `existing` of a connection has no effect in mutable specials. */
        if (bits_meet(c, c->scratch[0], c->scratch[0]) || (sp->is_mutable && link->existing))
            continue;
        field_warning(field_at(special_field(c->im, sp, "connections"), link->index), SP105,
                      "connection '%s' can't %s: the special can never be placed", link->id,
                      link->existing ? "be there, since no terrain belongs to it"
                                     : "start on any terrain");
    }
}

/* Checks a fixed special's OMTs together with those of nested specials and the points of its
 * connections: levels, size, and that no cell must have two different terrains at once. */
static void check_fixed_ground(static_check *c, special *sp)
{
    needs all = {NULL, 0, 0, false};
    static const int32_t origin[3] = {0, 0, 0};
    check_links(c, sp);
    if (sp->omt_count == 0 || sp->connection_count + sp->nested_count == 0)
        return;
    add_omts(c, &all, sp, origin, false, 0);
    for (size_t i = 0; i < sp->nested_count && !all.full; i++)
        add_nested(c, &all, sp, i);
    for (size_t i = 0; i < sp->connection_count && !all.full; i++) {
        const special_connection *link = &sp->connections[i];
        add_need(c, &all,
                 (need){{link->point[0], link->point[1], link->point[2]},
                        NEED_LINK,
                        i,
                        sp,
                        NULL,
                        link});
    }
    if (all.full || !check_extent(c, sp, &all))
        return;
    qsort(all.items, all.count, sizeof *all.items, compare_needs);
    for (size_t i = 0, end; i < all.count; i = end) {
        for (end = i + 1; end < all.count && memcmp(all.items[i].point, all.items[end].point,
                                                    sizeof all.items[i].point) == 0;)
            end++;
        if (end - i > 1) {
            check_cell(c, sp, &all.items[i], end - i);
            check_covered(c, sp, &all.items[i], end - i);
        }
    }
}

/* ---- terrain that a mutable special demands before growth starts ---- */

static void box_ground(static_check *c, const special_check *box, terrain_bits to)
{
    memset(to, 0, c->words * sizeof *to);
    check_add_list(c, &box->locations, to);
    add_level(c, box->from[2], to);
    add_level(c, box->to[2], to);
}

field checks_field(static_check *c, special *sp)
{
    field areas = special_field(c->im, sp, "check_for_locations_area");
    return field_is_filled(areas) ? areas : special_field(c->im, sp, "check_for_locations");
}

/* Compares each pair of boxes, which are areas whose terrain a mutable special checks before
 * growth starts. Three boxes that contradict each other only together are not found. */
static void check_box_pairs(static_check *c, special *sp)
{
    enum { BOXES_MAX = 300 };
    for (size_t i = 0; i < sp->check_count && i < BOXES_MAX; i++)
        for (size_t k = i + 1; k < sp->check_count && k < BOXES_MAX; k++) {
            bool found = true;
            for (int j = 0; j < 3 && found; j++)
                found = sp->checks[i].to[j] >= sp->checks[k].from[j] &&
                        sp->checks[k].to[j] >= sp->checks[i].from[j];
            if (!found)
                continue;
            box_ground(c, &sp->checks[i], c->scratch[0]);
            box_ground(c, &sp->checks[k], c->scratch[1]);
            if (bits_meet(c, c->scratch[0], c->scratch[1]))
                continue;
            field_warning(checks_field(c, sp), SP102,
                          "two of the checks ask for different ground at the same place: "
                          "the special can never be placed");
            return;
        }
}

/* Checks the areas (boxes) that a mutable special lists for the terrain that must be there
 * before it is placed. */
static void check_mutable_ground(static_check *c, special *sp)
{
    check_links(c, sp);
    if (sp->check_count == 0)
        return;
    int32_t low[3] = {0, 0, 0}, high[3] = {0, 0, 0};
    for (size_t i = 0; i < sp->check_count; i++)
        for (int k = 0; k < 3; k++) {
            const special_check *box = &sp->checks[i];
            low[k] = i == 0 || box->from[k] < low[k] ? box->from[k] : low[k];
            high[k] = i == 0 || box->to[k] > high[k] ? box->to[k] : high[k];
        }
    field f = checks_field(c, sp);
    int width = (int)(high[0] - low[0] + 1), height = (int)(high[1] - low[1] + 1);
    if (low[2] < -SPECIAL_LEVEL_MAX || high[2] > SPECIAL_LEVEL_MAX)
        field_warning(f, SP101,
                      "the checks reach from level %d to %d, and an overmap has -%d to %d: "
                      "the special can never be placed",
                      (int)low[2], (int)high[2], SPECIAL_LEVEL_MAX, SPECIAL_LEVEL_MAX);
    else if (width > SPECIAL_FOOTPRINT_MAX || height > SPECIAL_FOOTPRINT_MAX)
        field_warning(f, SP101,
                      "the checks cover %d x %d, and an overmap has room for %d x %d: the "
                      "special can never be placed",
                      width, height, SPECIAL_FOOTPRINT_MAX, SPECIAL_FOOTPRINT_MAX);
    else
        check_box_pairs(c, sp);
}

/* ---- numbers and flags ---- */

enum {
    SECTORS = 144, /* number of sectors of an overmap; the rule `sectors` places one special in
                      each */
    CITY_NEEDED_BELOW = 180 /* in OMTs: a special that may stand this far from cities, or
                               further, needs no city */
};

static bool unique(const special *sp)
{
    return special_list_has(&sp->flags, "UNIQUE") ||
           special_list_has(&sp->flags, "OVERMAP_UNIQUE") ||
           special_list_has(&sp->flags, "GLOBALLY_UNIQUE");
}

static void check_flags(static_check *c, special *sp)
{
    field f = special_field(c->im, sp, "flags");
    /* Flags that exclude each other are only a warning, since Bright Nights' own specials have
     * both UNIQUE and GLOBALLY_UNIQUE. */
    if (special_list_has(&sp->flags, "OVERMAP_UNIQUE") &&
        special_list_has(&sp->flags, "GLOBALLY_UNIQUE"))
        field_warning(f, SP109,
                      "GLOBALLY_UNIQUE and OVERMAP_UNIQUE exclude each other: the first "
                      "counts");
    if (special_list_has(&sp->flags, "UNIQUE") && c->im->game &&
        strcmp(c->im->game, "dda") == 0)
        field_warning(f, SP109,
                      "in DDA UNIQUE has no effect since 0.H: OVERMAP_UNIQUE is what it "
                      "means, and what is done");
    if (special_list_has(&sp->flags, "LAKE") && !c->has_lake)
        field_warning(f, SP103, "LAKE: no terrain has that flag, so it is never asked for");
    if (special_list_has(&sp->flags, "RIVER") && !c->has_river)
        field_warning(f, SP103, "RIVER: no terrain has that flag, so it is never asked for");
}

static void check_city(import *im, special *sp)
{
    const overmap_special_row *row = &sp->row;
    const content_number farthest = row->city_distance_max, largest = row->city_sizes_max;
    field distance = special_field(im, sp, "city_distance");
    if (farthest.given && farthest.value < 0)
        field_warning(distance, SP104,
                      "the distance from a city's edge is never below 0: the special can never "
                      "be placed");
    else if (farthest.given && row->city_distance_min > CITY_NEEDED_BELOW)
        field_warning(distance, SP104,
                      "cities farther away than %d are not known, so that the maximum is never "
                      "met: the special can never be placed",
                      CITY_NEEDED_BELOW);
    const bool wanted =
        row->city_sizes_min > 0 || (farthest.given && farthest.value < CITY_NEEDED_BELOW);
    if (largest.given && largest.value < 1 && wanted)
        field_warning(special_field(im, sp, "city_sizes"), SP104,
                      "no city is smaller than 1, and the special must be near one: it "
                      "can never be placed");
}

/* Counts the special in c->relying if it can stand only because a default terrain fits every
 * location. That is so if one of its OMTs above or below the ground states no locations of its
 * own, and the special's locations do not have the default terrain of that level. */
static void count_relying(static_check *c, special *sp)
{
    for (size_t i = 0; i < sp->omt_count; i++) {
        const special_omt *t = &sp->omts[i];
        const int below = t->point[2] < 0;
        if (t->point[2] == 0 || t->locations.count > 0 || !c->levels[below])
            continue;
        memset(c->scratch[0], 0, c->words * sizeof *c->scratch[0]);
        check_add_list(c, &sp->locations, c->scratch[0]);
        if (bits_meet(c, c->scratch[0], c->levels[below]))
            continue;
        if (c->relying++ == 0) {
            c->first_relying = sp;
            c->first_omt = t;
        }
        return;
    }
}

static void check_one(static_check *c, special *sp)
{
    const int64_t min = sp->row.occurrences_min, max = sp->row.occurrences_max;
    const field f = special_field(c->im, sp, "occurrences");
    if (!sp->building && min > max && max != 0) /* a maximum of 0 switches the special off */
        field_warning(f, SP103,
                      "the minimum is above the maximum: the special is never asked for");
    if (!sp->building && max > 0) {
        if (unique(sp) && min <= 0)
            field_warning(f, SP103,
                          "for a unique special this is a chance of %" PRId64 " in %" PRId64
                          ": it is never asked for",
                          min, max);
        else if (min <= max && !unique(sp) && min > SECTORS)
            field_warning(f, SP103,
                          "rule 'sectors' places at most %d specials in an overmap: %" PRId64
                          " are never reached",
                          SECTORS, min);
        check_flags(c, sp);
        check_city(c->im, sp);
        if (sp->eoc_in_play)
            field_warning(special_field(c->im, sp, "eoc"), SP110,
                          "only play can tell whether this effect_on_condition's condition is "
                          "met: here it is");
    }
    if (!sp->is_mutable && sp->omt_count == 0 && sp->check_count > 0)
        field_warning(special_field(c->im, sp, "overmaps"), SP103,
                      "its points are checks alone, none has an 'overmap': it is never %s",
                      sp->building ? "built" : "asked for");
    if (sp->is_mutable) {
        check_mutable_ground(c, sp);
        check_growth(c, sp);
    } else if (!sp->building) {
        check_fixed_ground(c, sp);
        count_relying(c, sp);
    }
}

void special_check_all(import *im)
{
    static_check c;
    const special_model *m = im->specials;
    if (m->current_count == 0 || import_ended(im) || !check_prepare(&c, im))
        return;
    for (size_t i = 0; i < m->current_count && !import_ended(im) && !import_stopped(im); i++) {
        special *sp = m->current[i];
        if (!sp->wrong && !sp->orphan && !sp->left_out)
            check_one(&c, sp);
    }
    if (c.relying == 0)
        return;
    special *sp = c.first_relying;
    field f = field_at(special_field(c.im, sp, "overmaps"), (size_t)(c.first_omt - sp->omts));
    import_note(c.im, f.obj, sp->id, field_pointer(f), SP111,
                "%zu special%s on the level's own terrain off the ground ('%s' above, '%s' "
                "below), which %s locations do not name; this is the first",
                c.relying, c.relying == 1 ? " relies" : "s rely",
                c.level_names[0] ? c.level_names[0] : "open_air",
                c.level_names[1] ? c.level_names[1] : "empty_rock",
                c.relying == 1 ? "its" : "their");
}
