/*
 * Specials into their tables (schema/content.sql).
 */
#include "content/import/write.h"
#include "content/special/special.h"

#include "store/content_store.h"

enum { SPECIAL_PARTS = CONTENT_PARTS - CONTENT_SPECIALS }; /* they come last */

typedef struct writer {
    content_rows *insert[SPECIAL_PARTS];
    const special *sp;
    ptl_error *err;
    ptl_status status; /* after a failure nothing more is written */
} writer;

/* The part's row with the special in it, to be completed and given to put(). */
static content_rows *row(writer *w, content_part t)
{
    content_rows_text(w->insert[t - CONTENT_SPECIALS], 1, w->sp->id);
    return w->insert[t - CONTENT_SPECIALS];
}

static void put(writer *w, content_rows *s)
{
    if (w->status == PTL_OK)
        w->status = content_rows_add(s, w->err);
    else
        content_rows_drop(s);
}

static int64_t signed_of(size_t n)
{
    return (int64_t)n;
}

static void bind_point(content_rows *s, int at, const int32_t point[3])
{
    for (int i = 0; i < 3; i++)
        content_rows_int(s, at + i, point[i]);
}

static void bind_optional(content_rows *s, int at, bool present, int64_t value)
{
    if (present)
        content_rows_int(s, at, value);
    else
        content_rows_null(s, at);
}

/* Binds from one column on, and from another what later schema versions brought. */
static void bind_amount(content_rows *s, int at, int more, const special_amount *a)
{
    bool counted = a->kind == PTL_AMOUNT_FIXED || a->kind == PTL_AMOUNT_RANGE;
    content_rows_text(s, at, special_amount_names[a->kind]);
    bind_optional(s, at + 1, counted, a->low);
    bind_optional(s, at + 2, counted, a->high);
    if (a->kind == PTL_AMOUNT_POISSON || a->kind == PTL_AMOUNT_CHANCE ||
        a->kind == PTL_AMOUNT_BINOMIAL)
        content_rows_real(s, at + 3, a->mean);
    else
        content_rows_null(s, at + 3);
    const bool bounded = a->kind == PTL_AMOUNT_POISSON || a->kind == PTL_AMOUNT_BINOMIAL;
    bind_optional(s, more, a->kind == PTL_AMOUNT_BINOMIAL, a->trials);
    bind_optional(s, more + 1, bounded && a->least >= 0, a->least);
    bind_optional(s, more + 2, bounded && a->most >= 0, a->most);
}

/* ---- both subtypes ---- */

static void put_special(writer *w)
{
    const special *sp = w->sp;
    const special_spawns *spawns = &sp->spawns;
    content_rows *s = row(w, CONTENT_SPECIALS);
    content_rows_text(s, 2, sp->building ? "city_building" : "special");
    content_rows_text(s, 3, sp->is_mutable ? "mutable" : "fixed");
    content_rows_int(s, 4, sp->occurrences.min);
    content_rows_int(s, 5, sp->occurrences.max);
    content_rows_int(s, 6, sp->city_distance.min);
    bind_optional(s, 7, sp->city_distance.bounded, sp->city_distance.max);
    content_rows_int(s, 8, sp->city_sizes.min);
    bind_optional(s, 9, sp->city_sizes.bounded, sp->city_sizes.max);
    content_rows_int(s, 10, sp->rotate);
    content_rows_int(s, 11, sp->priority);
    content_rows_text(s, 12, sp->eoc);
    content_rows_text(s, 13, spawns->group);
    bind_optional(s, 14, spawns->group, spawns->population[0]);
    bind_optional(s, 15, spawns->group, spawns->population[1]);
    bind_optional(s, 16, spawns->group, spawns->radius[0]);
    bind_optional(s, 17, spawns->group, spawns->radius[1]);
    content_rows_text(s, 18, sp->root ? sp->root->id : NULL);
    bind_origin(s, 19, sp->obj);
    put(w, s);
}

static void put_connections(writer *w)
{
    for (size_t i = 0; i < w->sp->connection_count; i++) {
        const special_connection *c = &w->sp->connections[i];
        content_rows *s = row(w, CONTENT_SPECIAL_CONNECTION);
        content_rows_int(s, 2, signed_of(i));
        bind_point(s, 3, c->point);
        content_rows_text(s, 6, c->id);
        content_rows_int(s, 7, c->guessed);
        content_rows_text(s, 8, c->terrain);
        content_rows_int(s, 9, c->existing);
        if (c->has_from)
            bind_point(s, 10, c->from);
        bind_optional(s, 13, c->has_from, c->direction);
        put(w, s);
    }
}

static void put_common(writer *w)
{
    const special *sp = w->sp;
    for (size_t i = 0; i < sp->flags.count; i++) {
        content_rows *s = row(w, CONTENT_SPECIAL_FLAG);
        content_rows_text(s, 2, sp->flags.items[i]);
        put(w, s);
    }
    for (size_t i = 0; i < sp->locations.count; i++) {
        content_rows *s = row(w, CONTENT_SPECIAL_LOCATION);
        content_rows_int(s, 2, signed_of(i));
        content_rows_text(s, 3, sp->locations.items[i]);
        put(w, s);
    }
    put_connections(w);
    for (size_t i = 0; i < sp->nested_count; i++) {
        content_rows *s = row(w, CONTENT_SPECIAL_NESTED);
        content_rows_int(s, 2, signed_of(i));
        bind_point(s, 3, sp->nested[i].point);
        content_rows_text(s, 6, sp->nested[i].id);
        put(w, s);
    }
}

/* Locations of a part: of a tile or check by its number, of a piece or join by its name. */
static void put_locations(writer *w, content_part t, const char *name, size_t number,
                          const special_list *locations)
{
    for (size_t i = 0; i < locations->count; i++) {
        content_rows *s = row(w, t);
        if (name)
            content_rows_text(s, 2, name);
        else
            content_rows_int(s, 2, signed_of(number));
        content_rows_int(s, 3, signed_of(i));
        content_rows_text(s, 4, locations->items[i]);
        put(w, s);
    }
}

static void put_tiles(writer *w)
{
    for (size_t i = 0; i < w->sp->tile_count; i++) {
        const special_tile *tile = &w->sp->tiles[i];
        content_rows *s = row(w, CONTENT_SPECIAL_TILE);
        content_rows_int(s, 2, signed_of(i));
        bind_point(s, 3, tile->point);
        content_rows_text(s, 6, tile->oter);
        content_rows_text(s, 7, tile->camp);
        content_rows_text(s, 8, tile->camp_name);
        put(w, s);
        put_locations(w, CONTENT_SPECIAL_TILE_LOCATION, NULL, i, &tile->locations);
        for (size_t k = 0; k < tile->flags.count; k++) {
            s = row(w, CONTENT_SPECIAL_TILE_FLAG);
            content_rows_int(s, 2, signed_of(i));
            content_rows_text(s, 3, tile->flags.items[k]);
            put(w, s);
        }
    }
}

/* ---- mutable ---- */

static void put_joins(writer *w)
{
    for (size_t i = 0; i < w->sp->join_count; i++) {
        const special_join *join = &w->sp->joins[i];
        content_rows *s = row(w, CONTENT_SPECIAL_JOIN);
        content_rows_int(s, 2, signed_of(i));
        content_rows_text(s, 3, join->id);
        content_rows_text(s, 4, join->opposite);
        put(w, s);
        put_locations(w, CONTENT_SPECIAL_JOIN_LOCATION, join->id, 0, &join->into);
    }
}

static void put_side(writer *w, const special_piece *piece, int side)
{
    const special_side *use = &piece->sides[side];
    if (piece->connections[side]) {
        content_rows *s = row(w, CONTENT_SPECIAL_PIECE_CONNECTION);
        content_rows_text(s, 2, piece->id);
        content_rows_text(s, 3, special_side_names[side]);
        content_rows_text(s, 4, piece->connections[side]);
        put(w, s);
    }
    if (!use->join)
        return;
    content_rows *s = row(w, CONTENT_SPECIAL_PIECE_SIDE);
    content_rows_text(s, 2, piece->id);
    content_rows_text(s, 3, special_side_names[side]);
    content_rows_text(s, 4, use->join);
    content_rows_text(s, 5, special_join_type_names[use->type]);
    put(w, s);
    for (size_t k = 0; k < use->alternatives.count; k++) {
        s = row(w, CONTENT_SPECIAL_PIECE_ALTERNATIVE);
        content_rows_text(s, 2, piece->id);
        content_rows_text(s, 3, special_side_names[side]);
        content_rows_int(s, 4, signed_of(k));
        content_rows_text(s, 5, use->alternatives.items[k]);
        put(w, s);
    }
}

static void put_pieces(writer *w)
{
    for (size_t i = 0; i < w->sp->piece_count; i++) {
        const special_piece *piece = &w->sp->pieces[i];
        content_rows *s = row(w, CONTENT_SPECIAL_PIECE);
        content_rows_text(s, 2, piece->id);
        content_rows_int(s, 3, signed_of(i));
        content_rows_text(s, 4, piece->oter);
        put(w, s);
        put_locations(w, CONTENT_SPECIAL_PIECE_LOCATION, piece->id, 0, &piece->locations);
        for (int side = 0; side < SPECIAL_SIDES; side++)
            put_side(w, piece, side);
    }
}

static void put_checks(writer *w)
{
    for (size_t i = 0; i < w->sp->check_count; i++) {
        const special_check *check = &w->sp->checks[i];
        content_rows *s = row(w, CONTENT_SPECIAL_CHECK);
        content_rows_int(s, 2, signed_of(i));
        bind_point(s, 3, check->from);
        bind_point(s, 6, check->to);
        put(w, s);
        put_locations(w, CONTENT_SPECIAL_CHECK_LOCATION, NULL, i, &check->locations);
    }
}

static void put_shared(writer *w)
{
    for (size_t i = 0; i < w->sp->shared_count; i++) {
        content_rows *s = row(w, CONTENT_SPECIAL_SHARED);
        content_rows_text(s, 2, w->sp->shared[i].id);
        content_rows_int(s, 3, signed_of(i));
        bind_amount(s, 4, 8, &w->sp->shared[i].amount);
        put(w, s);
    }
}

static void put_rule(writer *w, size_t phase, size_t position, const special_rule *rule)
{
    const special_height *z = &rule->height;
    content_rows *s = row(w, CONTENT_SPECIAL_PHASE_RULE);
    content_rows_int(s, 2, signed_of(phase));
    content_rows_int(s, 3, signed_of(position));
    content_rows_text(s, 4, rule->name);
    bind_optional(s, 5, rule->weight >= 0, rule->weight);
    bind_amount(s, 6, 20, &rule->max);
    content_rows_text(s, 10, rule->scale);
    content_rows_text(s, 11, rule->join);
    content_rows_text(s, 12, special_height_names[z->kind]);
    bind_optional(s, 13, z->kind == PTL_HEIGHT_RANGE, z->low);
    bind_optional(s, 14, z->kind == PTL_HEIGHT_RANGE, z->high);
    bind_optional(s, 15, z->has_top, z->top);
    bind_optional(s, 16, z->has_bottom, z->bottom);
    bind_optional(s, 17, rule->has_overmap_pos, rule->overmap_pos[0]);
    bind_optional(s, 18, rule->has_overmap_pos, rule->overmap_pos[1]);
    bind_optional(s, 19, rule->rotate >= 0, rule->rotate);
    put(w, s);
    for (size_t i = 0; i < rule->piece_count; i++) {
        s = row(w, CONTENT_SPECIAL_PHASE_RULE_PIECE);
        content_rows_int(s, 2, signed_of(phase));
        content_rows_int(s, 3, signed_of(position));
        content_rows_int(s, 4, signed_of(i));
        content_rows_text(s, 5, rule->pieces[i].piece->id);
        bind_point(s, 6, rule->pieces[i].pos);
        content_rows_int(s, 9, rule->pieces[i].rotation);
        put(w, s);
    }
}

static void put_phases(writer *w)
{
    for (size_t i = 0; i < w->sp->phase_count; i++)
        for (size_t k = 0; k < w->sp->phases[i].count; k++)
            put_rule(w, i, k, &w->sp->phases[i].rules[k]);
}

ptl_status special_write(import *im, ptl_store *store, int64_t content_id)
{
    const special_model *m = im->specials;
    writer w = {
        .err = im->err,
        .status = store_content_clear(store, CONTENT_SPECIAL_DEFINITIONS, content_id, im->err)};
    for (int t = 0; t < SPECIAL_PARTS && w.status == PTL_OK; t++)
        w.status = content_rows_open(&w.insert[t], store, (content_part)(CONTENT_SPECIALS + t),
                                     im->err);
    for (size_t i = 0; i < m->current_count && w.status == PTL_OK; i++) {
        w.sp = m->current[i];
        if (w.sp->left_out)
            continue;
        put_special(&w);
        put_common(&w);
        put_tiles(&w);
        put_joins(&w);
        put_shared(&w);
        put_pieces(&w);
        put_checks(&w);
        put_phases(&w);
    }
    for (int t = 0; t < SPECIAL_PARTS; t++)
        content_rows_close(w.insert[t]);
    return w.status;
}
