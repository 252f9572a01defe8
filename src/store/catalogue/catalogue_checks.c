/*
 * What must be there before a special is placed: of a mutable one boxes of ground, or, where
 * the content states nothing, ground for its root; of a fixed one points that are only looked
 * at, which without locations of their own have the special's.
 */
#include "store/catalogue/catalogue_load.h"

#include "core/error.h"

typedef struct check_tables {
    cat_check *checks;
    int64_t *positions; /* of the checks, as the table numbers them */
    size_t count, room;
    uint16_t owner;        /* special of the row before */
    ptl_terrain_set *open; /* the set that is being gathered */
} check_tables;

static ptl_status read_check(loader *l, const void *values, void *payload)
{
    const special_check_row *s = values;
    check_tables *t = payload;
    ptl_status status = loader_owner(l, &t->owner, s->special);
    if (status == PTL_OK && t->count == t->room)
        status = loader_corrupt(l, "more checks than counted of", s->special);
    if (status != PTL_OK)
        return status;
    cat_special *owner = &l->specials[t->owner];
    const bool grows = l->layouts[t->owner] != NULL;
    cat_check *check = &t->checks[t->count];
    t->positions[t->count++] = s->position;
    if (owner->check_count++ == 0)
        owner->checks = check;
    check->x0 = (int16_t)s->x0;
    check->y0 = (int16_t)s->y0;
    check->z0 = (int8_t)s->z0;
    check->x1 = (int16_t)s->x1;
    check->y1 = (int16_t)s->y1;
    check->z1 = (int8_t)s->z1;
    check->own = grows;
    check->allows = grows ? loader_close_set(l, CAT_NONE) : l->grounds[t->owner];
    if (check->x1 < check->x0 || check->y1 < check->y0 || check->z1 < check->z0)
        return loader_out_of_range(l, s->special);
    return check->allows ? PTL_OK : error_nomem(l->err);
}

static ptl_status read_location(loader *l, const void *values, void *payload)
{
    const special_check_location_row *s = values;
    check_tables *t = payload;
    ptl_status status = loader_owner(l, &t->owner, s->special);
    if (status != PTL_OK)
        return status;
    const cat_special *owner = &l->specials[t->owner];
    size_t first = owner->check_count > 0 ? (size_t)(owner->checks - t->checks) : 0;
    size_t found = loader_find_number(t->positions + first, owner->check_count, s->check);
    if (found == owner->check_count)
        return loader_corrupt(l, "locations of no check of special", s->special);
    t->checks[first + found].own = true;
    return loader_gather(l, &t->open, &t->checks[first + found].allows, s->location);
}

static ptl_status add_roots(loader *l)
{
    for (size_t i = 0; i < l->cat->special_count; i++) {
        const cat_mutable *m = l->layouts[i];
        cat_special *special = &l->specials[i];
        if (!m || special->check_count > 0)
            continue;
        cat_check *check = arena_alloc(l->arena, sizeof *check);
        if (!check)
            return error_nomem(l->err);
        check->allows = m->pieces[m->root].allows;
        check->own = true;
        special->checks = check;
        special->check_count = 1;
    }
    return PTL_OK;
}

ptl_status load_checks(loader *l)
{
    check_tables t = {.owner = CAT_NONE};
    ptl_status status = loader_count(l, CONTENT_SPECIAL_CHECK, &t.room);
    if (status != PTL_OK)
        return status;
    t.checks = arena_calloc(l->arena, t.room + 1, sizeof *t.checks);
    t.positions = arena_calloc(l->arena, t.room + 1, sizeof *t.positions);
    if (!t.checks || !t.positions)
        return error_nomem(l->err);
    status = loader_rows(l, CONTENT_SPECIAL_CHECK, NULL, read_check, &t);
    t.owner = CAT_NONE;
    if (status == PTL_OK)
        status = loader_rows(l, CONTENT_SPECIAL_CHECK_LOCATION, NULL, read_location, &t);
    if (status == PTL_OK)
        status = loader_gathered(l, &t.open);
    return status == PTL_OK ? add_roots(l) : status;
}
