/* Compares what one draw from each touched group of items, monsters or vehicles gives before
 * the change and after it. */
#include "clients/cli/change/change.h"
#include "core/array.h"

#include <math.h>

/* How many of one item, monster or vehicle one draw from a group gives. */
typedef struct drawn {
    const char *id; /* in change.memory */
    ptl_loot_kind kind;
    double number, chance;
    bool exact;
} drawn;

typedef struct draws {
    change *c;
    drawn *items; /* owned */
    size_t count, room;
} draws;

static bool on_row(void *payload, const ptl_loot_row *row)
{
    draws *d = payload;
    if (row->kind == PTL_LOOT_GROUP)
        return true;
    const char *id = arena_strdup(d->c->memory, row->id);
    if (!id || !ARRAY_ROOM(d->items, d->room, d->count + 1)) {
        d->c->failed = true;
        return false;
    }
    d->items[d->count++] = (drawn){id, row->kind, row->number, row->chance, row->exact};
    return !stop_wanted();
}

static int compare_drawn(const void *a, const void *b)
{
    const drawn *x = a, *y = b;
    return x->kind != y->kind ? (x->kind < y->kind ? -1 : 1) : strcmp(x->id, y->id);
}

/* Lists what one draw from the group gives before the change (`number` is BEFORE) or after it;
 * nothing if there is no such group then. */
static int list_side(draws *out, change *c, int number, const change_name *n,
                     ptl_loot_kind kind)
{
    session *s = &c->sides[number].session;
    ptl_loot_options o = PTL_LOOT_OPTIONS_INIT;
    o.id = n->id;
    o.kind = kind;
    *out = (draws){.c = c};
    if (n->first[number] == NAME_NONE)
        return EXIT_DONE;
    const ptl_status status = ptl_loot_group_list(s->world, &o, on_row, out, &s->err);
    if (stop_wanted())
        return stop_tell();
    if (c->failed)
        return session_no_memory(s);
    if (status != PTL_OK && status != PTL_ERR_NOT_FOUND)
        return session_failed(s);
    if (out->count > 1)
        qsort(out->items, out->count, sizeof *out->items, compare_drawn);
    return EXIT_DONE;
}

static bool is_other(double was, double is)
{
    return fabs(was - is) > 1e-12 * fmax(was, is);
}

/* Adds a row for one thing that a group gives if its figures differ: x are those before the
 * change, y those after it; NULL: the group did not give the thing. */
static void put_row(change *c, const change_name *n, const drawn *x, const drawn *y)
{
    static const drawn nothing = {.exact = true};
    const drawn *was = x ? x : &nothing, *is = y ? y : &nothing;
    const drawn *some = y ? y : was;
    if (!is_other(was->number, is->number) && !is_other(was->chance, is->chance))
        return;
    const bool both = was->number > 0 && is->number > 0;
    report_put(&c->tables[PART_LOOT],
               CELLS(cell_text(n->id), cell_text(ptl_loot_kind_name(some->kind)),
                     cell_text(some->id), cell_real(was->number), cell_real(is->number),
                     both ? cell_real(is->number / was->number) : cell_none(),
                     cell_real(was->chance), cell_real(is->chance),
                     cell_text(was->exact && is->exact ? "exact" : "by definitions, in doubt"),
                     cell_text(n->by == NAME_NONE ? "" : c->names[n->by].id)));
}

/* Adds a row for each thing whose figures differ. The lists a (before the change) and b (after
 * it) are sorted by kind and id. */
static void put_rows(change *c, const change_name *n, const draws *a, const draws *b)
{
    for (size_t i = 0, k = 0; i < a->count || k < b->count;) {
        const int which = i == a->count   ? 1
                          : k == b->count ? -1
                                          : compare_drawn(&a->items[i], &b->items[k]);
        const drawn *x = which <= 0 ? &a->items[i++] : NULL;
        const drawn *y = which >= 0 ? &b->items[k++] : NULL;
        put_row(c, n, x, y);
    }
}

static int compare_group(change *c, uint32_t name, ptl_loot_kind kind)
{
    const change_name *n = &c->names[name];
    draws sides[SIDES] = {{.count = 0}};
    int code = list_side(&sides[BEFORE], c, BEFORE, n, kind);
    if (code == EXIT_DONE)
        code = list_side(&sides[AFTER], c, AFTER, n, kind);
    if (code == EXIT_DONE) {
        put_rows(c, n, &sides[BEFORE], &sides[AFTER]);
        if (sides[BEFORE].count > 0 && sides[AFTER].count == 0 && n->first[AFTER] != NAME_NONE)
            change_found(c, FOUND_EMPTY, name, n->id,
                         "this group of %ss gave %zu kinds before, and gives nothing now",
                         ptl_loot_kind_name(kind), sides[BEFORE].count);
    }
    free(sides[BEFORE].items);
    free(sides[AFTER].items);
    return code;
}

int change_loot(change *c)
{
    static const struct {
        const char *kind;
        ptl_loot_kind of;
    } groups[] = {{"item_group", PTL_LOOT_ITEM},
                  {"monstergroup", PTL_LOOT_MONSTER},
                  {"vehicle_group", PTL_LOOT_VEHICLE}};
    for (size_t i = 0; i < c->name_count; i++)
        for (size_t k = 0; k < sizeof groups / sizeof groups[0]; k++)
            if (c->names[i].touched && strcmp(c->names[i].kind, groups[k].kind) == 0 &&
                change_is_asked(c, &c->names[i]))
                NEED(compare_group(c, (uint32_t)i, groups[k].of));
    return c->failed ? session_no_memory(c->s) : EXIT_DONE;
}
