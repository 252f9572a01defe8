/*
 * Checks of the ground that must hold before a special is placed. A mutable special has boxes
 * of ground; where the content states none, the ground for its root piece is checked. A fixed
 * special has points that are only looked at; those without locations of their own use the
 * special's.
 */
#include "store/catalogue/catalogue_load.h"

#include "core/error.h"

typedef struct check_tables {
    cat_check *checks;
    int64_t *positions; /* numbers of the checks in the table */
} check_tables;

static ptl_status read_check(loader *l, const void *values)
{
    const special_check_row *s = values;
    check_tables *t = l->payload;
    TRY(loader_owner(l, s->special));
    cat_special *owner = &l->specials[l->owner];
    const bool grows = l->layouts[l->owner] != NULL;
    cat_check *check = &t->checks[l->row];
    t->positions[l->row] = s->position;
    if (owner->check_count++ == 0)
        owner->checks = check;
    check->x0 = (int16_t)s->x0;
    check->y0 = (int16_t)s->y0;
    check->z0 = (int8_t)s->z0;
    check->x1 = (int16_t)s->x1;
    check->y1 = (int16_t)s->y1;
    check->z1 = (int8_t)s->z1;
    check->own = grows;
    check->allows = grows ? loader_close_set(l, CAT_NONE) : l->grounds[l->owner];
    if (check->x1 < check->x0 || check->y1 < check->y0 || check->z1 < check->z0)
        return loader_out_of_range(l, s->special);
    return PTL_OK;
}

static ptl_status read_location(loader *l, const void *values)
{
    const special_check_location_row *s = values;
    check_tables *t = l->payload;
    TRY(loader_owner(l, s->special));
    const cat_special *owner = &l->specials[l->owner];
    size_t first = owner->check_count > 0 ? (size_t)(owner->checks - t->checks) : 0;
    size_t found = loader_find_number(t->positions + first, owner->check_count, s->check);
    if (found == owner->check_count)
        return loader_corrupt(l, "locations of no check of special", s->special);
    t->checks[first + found].own = true;
    return loader_gather(l, &t->checks[first + found].allows, s->location);
}

ptl_status load_checks(loader *l)
{
    check_tables t;
    TRY(LOADER_ROOM_OF(l, t.checks, CONTENT_SPECIAL_CHECK));
    TRY(LOADER_ROOM_OF(l, t.positions, CONTENT_SPECIAL_CHECK));
    TRY(loader_rows(l, CONTENT_SPECIAL_CHECK, NULL, read_check, &t));
    TRY(loader_rows(l, CONTENT_SPECIAL_CHECK_LOCATION, NULL, read_location, &t));
    /* Adds the check for mutable specials whose content states none: the ground for the root
     * piece. */
    for (size_t i = 0; i < l->cat->special_count; i++) {
        const cat_mutable *m = l->layouts[i];
        cat_special *special = &l->specials[i];
        if (!m || special->check_count > 0)
            continue;
        cat_check *check;
        TRY(LOADER_ROOM(l, check, 0));
        check->allows = m->pieces[m->root].allows;
        check->own = true;
        special->checks = check;
        special->check_count = 1;
    }
    return PTL_OK;
}
