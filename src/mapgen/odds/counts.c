/* Counts the things on maps that were made. If an item group was left on a map in place of its
 * items, its computed figures are counted instead of items. */
#include "mapgen/odds/odds_impl.h"

void counting_dispose(odds_counting *c)
{
    free(c->tallies);
    free(c->met);
    free(c->standing);
    free(c->stand);
    free(c->asked);
    free(c->given);
}

/* `now` and `missed` have counts of one map, the last one that has the thing. Called when that
 * map is complete, to add these counts to the thing's sums over all maps. */
static void settle(odds_tally *t)
{
    if (t->last == 0)
        return;
    t->sum.number += t->now;
    t->sum.squares += t->now * t->now;
    t->sum.some += 1 - t->missed;
    t->sum.hits++;
}

/*
 * Counts that the present map has `number` of a thing; `missed` is the chance that it has none.
 */
static void count(odds *o, uint32_t slot, double number, double missed)
{
    odds_counting *c = &o->counting;
    if (o->failed || slot == SLOT_ANY || (o->only && slot != o->only) ||
        (!c->all && (slot >= c->asked_reach || !c->asked[slot])))
        return;
    if (slot >= c->reach && !ARRAY_ROOM_ZEROED(c->tallies, c->reach, (size_t)slot + 1)) {
        o->failed = true;
        return;
    }
    odds_tally *t = &c->tallies[slot];
    if (t->last == 0) {
        o->failed = !ARRAY_ROOM(c->met, c->met_room, c->met_count + 1);
        if (o->failed)
            return;
        c->met[c->met_count++] = slot;
    }
    if (t->last != c->map) {
        settle(t);
        t->now = 0;
        t->missed = 1;
        t->last = c->map;
    }
    t->now += number;
    t->missed *= missed;
}

static void on_drawn(void *payload, uint32_t id)
{
    odds *o = payload;
    if (odds_wants(o, PTL_LOOT_GROUP))
        count(o, odds_slot(o, PTL_LOOT_GROUP, id), 1, 0);
}

void odds_count_begin(odds *o, const odds_map *map)
{
    odds_counting *c = &o->counting;
    for (size_t i = 0; i < c->met_count; i++)
        c->tallies[c->met[i]] = (odds_tally){.last = 0};
    c->met_count = 0;
    c->map = 1;
    c->all = map == NULL;
    if (c->asked)
        memset(c->asked, 0, c->asked_reach * sizeof *c->asked);
    for (size_t i = 0; map && i < map->count && !o->failed; i++) {
        const odds_figure *f = &map->figures[i];
        const uint32_t slot = f->doubts ? odds_slot(o, f->kind, f->id) : SLOT_ANY;
        o->failed = o->failed || !ARRAY_ROOM_ZEROED(c->asked, c->asked_reach, (size_t)slot + 1);
        if (slot != SLOT_ANY && !o->failed)
            c->asked[slot] = true;
    }
    mapgen_groups_watch(o->source.groups, on_drawn, o);
}

bool odds_stands(void *payload, int32_t *number, uint32_t group, mapgen_loading loading)
{
    odds *o = payload;
    odds_counting *c = &o->counting;
    o->steps = 0;
    const uint32_t of = odds_group_number(o, group, loading);
    if (!of || !o->memo[of].sure || o->failed ||
        !ARRAY_ROOM_ZEROED(c->standing, c->standing_reach, (size_t)of + 1))
        return false;
    if (c->standing[of].put == 0) {
        if (!ARRAY_ROOM(c->stand, c->stand_room, c->stand_count + 1))
            return false;
        c->stand[c->stand_count++] = of;
    }
    c->standing[of].put++;
    *number = (int32_t)of;
    return true;
}

/* An item group was put on the present map in place of its items: counts the things that it
 * gives. Monsters and vehicles count for each time that the group was put there; items do not
 * count if they were removed again. */
static void count_standing(odds *o, uint32_t number)
{
    odds_standing *s = &o->counting.standing[number];
    const odds_set *set = &o->memo[number].set;
    for (size_t i = 0; i < set->count; i++) {
        const odds_part *p = &set->parts[i];
        const bool item = p->slot != SLOT_ANY && o->things[p->slot].kind == PTL_LOOT_ITEM;
        const uint32_t times = item ? s->left : s->put;
        const double miss = 1 - p->some;
        if (times > 0)
            count(o, p->slot, times * p->mean, times == 1 ? miss : pow(miss, times));
    }
    *s = (odds_standing){0, 0};
}

void odds_count_map(odds *o, const local_map *map)
{
    static const int kinds[] = {[LOCAL_ITEM] = PTL_LOOT_ITEM + 1,
                                [LOCAL_MONSTER] = PTL_LOOT_MONSTER + 1,
                                [LOCAL_VEHICLE] = PTL_LOOT_VEHICLE + 1};
    odds_counting *c = &o->counting;
    for (size_t i = 0; i < map->count && !o->failed; i++) {
        const local_entity *e = &map->entities[i];
        const bool known = (size_t)e->kind < sizeof kinds / sizeof kinds[0];
        const int kind = known ? kinds[e->kind] - 1 : -1;
        const int32_t many = e->kind == LOCAL_VEHICLE ? 1 : e->count;
        if (e->kind == LOCAL_ITEM_GROUP && e->charges > 0)
            c->standing[e->charges].left++;
        else if (kind >= 0 && many > 0 && odds_wants(o, (ptl_loot_kind)kind))
            count(o, odds_slot(o, (ptl_loot_kind)kind, e->id), many, 0);
    }
    for (size_t i = 0; i < c->stand_count; i++)
        count_standing(o, c->stand[i]);
    c->stand_count = 0;
    c->map++;
}

bool odds_count_end(odds *o, const odds_count **out, size_t *count)
{
    odds_counting *c = &o->counting;
    mapgen_groups_watch(o->source.groups, NULL, NULL);
    o->failed = o->failed || !ARRAY_ROOM(c->given, c->given_room, c->met_count + 1);
    for (size_t i = 0; i < c->met_count && !o->failed; i++) {
        const uint32_t slot = c->met[i];
        odds_tally *t = &c->tallies[slot];
        settle(t);
        c->given[i] = t->sum;
        c->given[i].kind = o->things[slot].kind;
        c->given[i].id = o->things[slot].id;
    }
    *out = c->given;
    *count = o->failed ? 0 : c->met_count;
    return !o->failed;
}
