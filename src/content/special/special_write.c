/*
 * Specials into their tables (schema/0004_specials.sql), one prepared statement per table.
 */
#include "content/special/special.h"

#include "store/sqlite/connection/stmt.h"

typedef enum table {
    TABLE_SPECIAL,
    TABLE_FLAG,
    TABLE_LOCATION,
    TABLE_CONNECTION,
    TABLE_NESTED,
    TABLE_TILE,
    TABLE_TILE_LOCATION,
    TABLE_TILE_FLAG,
    TABLE_JOIN,
    TABLE_JOIN_LOCATION,
    TABLE_PIECE,
    TABLE_PIECE_LOCATION,
    TABLE_SIDE,
    TABLE_ALTERNATIVE,
    TABLE_PIECE_CONNECTION,
    TABLE_CHECK,
    TABLE_CHECK_LOCATION,
    TABLE_SHARED,
    TABLE_RULE,
    TABLE_RULE_PIECE,
    TABLE_COUNT
} table;

/* In the order of the enum; parents come before what refers to them. */
static const char *const inserts[TABLE_COUNT] = {
    "INSERT INTO overmap_special VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13,?14,?15,"
    "?16,?17,?18,?19,?20,?21)",
    "INSERT INTO special_flag VALUES (?1,?2)",
    "INSERT INTO special_location VALUES (?1,?2,?3)",
    "INSERT INTO special_connection VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13)",
    "INSERT INTO special_nested VALUES (?1,?2,?3,?4,?5,?6)",
    "INSERT INTO special_tile VALUES (?1,?2,?3,?4,?5,?6,?7,?8)",
    "INSERT INTO special_tile_location VALUES (?1,?2,?3,?4)",
    "INSERT INTO special_tile_flag VALUES (?1,?2,?3)",
    "INSERT INTO special_join VALUES (?1,?2,?3,?4)",
    "INSERT INTO special_join_location VALUES (?1,?2,?3,?4)",
    "INSERT INTO special_piece VALUES (?1,?2,?3,?4)",
    "INSERT INTO special_piece_location VALUES (?1,?2,?3,?4)",
    "INSERT INTO special_piece_side VALUES (?1,?2,?3,?4,?5)",
    "INSERT INTO special_piece_alternative VALUES (?1,?2,?3,?4,?5)",
    "INSERT INTO special_piece_connection VALUES (?1,?2,?3,?4)",
    "INSERT INTO special_check VALUES (?1,?2,?3,?4,?5,?6,?7,?8)",
    "INSERT INTO special_check_location VALUES (?1,?2,?3,?4)",
    "INSERT INTO special_shared VALUES (?1,?2,?3,?4,?5,?6,?7)",
    "INSERT INTO special_phase_rule VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13,?14,"
    "?15,?16,?17,?18,?19)",
    "INSERT INTO special_phase_rule_piece VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9)"};

/* Children first. */
static const char clear_tables[] =
    "DELETE FROM special_phase_rule_piece; DELETE FROM special_phase_rule;"
    "DELETE FROM special_shared; DELETE FROM special_check_location; DELETE FROM special_check;"
    "DELETE FROM special_piece_connection; DELETE FROM special_piece_alternative;"
    "DELETE FROM special_piece_side; DELETE FROM special_piece_location;"
    "DELETE FROM special_piece; DELETE FROM special_join_location; DELETE FROM special_join;"
    "DELETE FROM special_tile_flag; DELETE FROM special_tile_location;"
    "DELETE FROM special_tile; DELETE FROM special_nested; DELETE FROM special_connection;"
    "DELETE FROM special_location; DELETE FROM special_flag; DELETE FROM overmap_special;";

typedef struct writer {
    stmt *insert[TABLE_COUNT];
    const special *sp;
    ptl_error *err;
    ptl_status status; /* after a failure nothing more is written */
} writer;

/* The table's statement with the special bound, to be completed and given to put(). */
static stmt *row(writer *w, table t)
{
    stmt_bind_text(w->insert[t], 1, w->sp->id);
    return w->insert[t];
}

static void put(writer *w, stmt *s)
{
    if (w->status == PTL_OK)
        w->status = stmt_run(s, w->err);
    else
        stmt_reset(s);
}

static int64_t signed_of(size_t n)
{
    return (int64_t)n;
}

static void bind_point(stmt *s, int at, const int32_t point[3])
{
    for (int i = 0; i < 3; i++)
        stmt_bind_int(s, at + i, point[i]);
}

static void bind_optional(stmt *s, int at, bool present, int64_t value)
{
    if (present)
        stmt_bind_int(s, at, value);
    else
        stmt_bind_null(s, at);
}

static void bind_amount(stmt *s, int at, const special_amount *a)
{
    bool counted = a->kind == AMOUNT_FIXED || a->kind == AMOUNT_RANGE;
    stmt_bind_text(s, at, special_amount_names[a->kind]);
    bind_optional(s, at + 1, counted, a->low);
    bind_optional(s, at + 2, counted, a->high);
    if (a->kind == AMOUNT_POISSON || a->kind == AMOUNT_CHANCE)
        stmt_bind_double(s, at + 3, a->mean);
    else
        stmt_bind_null(s, at + 3);
}

/* ---- both subtypes ---- */

static void put_special(writer *w)
{
    const special *sp = w->sp;
    const special_spawns *spawns = &sp->spawns;
    stmt *s = row(w, TABLE_SPECIAL);
    stmt_bind_text(s, 2, sp->building ? "city_building" : "special");
    stmt_bind_text(s, 3, sp->is_mutable ? "mutable" : "fixed");
    stmt_bind_int(s, 4, sp->occurrences.min);
    stmt_bind_int(s, 5, sp->occurrences.max);
    stmt_bind_int(s, 6, sp->city_distance.min);
    bind_optional(s, 7, sp->city_distance.bounded, sp->city_distance.max);
    stmt_bind_int(s, 8, sp->city_sizes.min);
    bind_optional(s, 9, sp->city_sizes.bounded, sp->city_sizes.max);
    stmt_bind_int(s, 10, sp->rotate);
    stmt_bind_int(s, 11, sp->priority);
    stmt_bind_text(s, 12, sp->eoc);
    stmt_bind_text(s, 13, spawns->group);
    bind_optional(s, 14, spawns->group, spawns->population[0]);
    bind_optional(s, 15, spawns->group, spawns->population[1]);
    bind_optional(s, 16, spawns->group, spawns->radius[0]);
    bind_optional(s, 17, spawns->group, spawns->radius[1]);
    stmt_bind_text(s, 18, sp->root ? sp->root->id : NULL);
    stmt_bind_int(s, 19, sp->obj->file->pack);
    stmt_bind_text(s, 20, sp->obj->file->path);
    stmt_bind_int(s, 21, sp->line);
    put(w, s);
}

static void put_connections(writer *w)
{
    for (size_t i = 0; i < w->sp->connection_count; i++) {
        const special_connection *c = &w->sp->connections[i];
        stmt *s = row(w, TABLE_CONNECTION);
        stmt_bind_int(s, 2, signed_of(i));
        bind_point(s, 3, c->point);
        stmt_bind_text(s, 6, c->id);
        stmt_bind_int(s, 7, c->guessed);
        stmt_bind_text(s, 8, c->terrain);
        stmt_bind_int(s, 9, c->existing);
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
        stmt *s = row(w, TABLE_FLAG);
        stmt_bind_text(s, 2, sp->flags.items[i]);
        put(w, s);
    }
    for (size_t i = 0; i < sp->locations.count; i++) {
        stmt *s = row(w, TABLE_LOCATION);
        stmt_bind_int(s, 2, signed_of(i));
        stmt_bind_text(s, 3, sp->locations.items[i]);
        put(w, s);
    }
    put_connections(w);
    for (size_t i = 0; i < sp->nested_count; i++) {
        stmt *s = row(w, TABLE_NESTED);
        stmt_bind_int(s, 2, signed_of(i));
        bind_point(s, 3, sp->nested[i].point);
        stmt_bind_text(s, 6, sp->nested[i].id);
        put(w, s);
    }
}

/* Locations of a part: of a tile or check by its number, of a piece or join by its name. */
static void put_locations(writer *w, table t, const char *name, size_t number,
                          const special_list *locations)
{
    for (size_t i = 0; i < locations->count; i++) {
        stmt *s = row(w, t);
        if (name)
            stmt_bind_text(s, 2, name);
        else
            stmt_bind_int(s, 2, signed_of(number));
        stmt_bind_int(s, 3, signed_of(i));
        stmt_bind_text(s, 4, locations->items[i]);
        put(w, s);
    }
}

static void put_tiles(writer *w)
{
    for (size_t i = 0; i < w->sp->tile_count; i++) {
        const special_tile *tile = &w->sp->tiles[i];
        stmt *s = row(w, TABLE_TILE);
        stmt_bind_int(s, 2, signed_of(i));
        bind_point(s, 3, tile->point);
        stmt_bind_text(s, 6, tile->oter);
        stmt_bind_text(s, 7, tile->camp);
        stmt_bind_text(s, 8, tile->camp_name);
        put(w, s);
        put_locations(w, TABLE_TILE_LOCATION, NULL, i, &tile->locations);
        for (size_t k = 0; k < tile->flags.count; k++) {
            s = row(w, TABLE_TILE_FLAG);
            stmt_bind_int(s, 2, signed_of(i));
            stmt_bind_text(s, 3, tile->flags.items[k]);
            put(w, s);
        }
    }
}

/* ---- mutable ---- */

static void put_joins(writer *w)
{
    for (size_t i = 0; i < w->sp->join_count; i++) {
        const special_join *join = &w->sp->joins[i];
        stmt *s = row(w, TABLE_JOIN);
        stmt_bind_int(s, 2, signed_of(i));
        stmt_bind_text(s, 3, join->id);
        stmt_bind_text(s, 4, join->opposite);
        put(w, s);
        put_locations(w, TABLE_JOIN_LOCATION, join->id, 0, &join->into);
    }
}

static void put_side(writer *w, const special_piece *piece, int side)
{
    const special_side *use = &piece->sides[side];
    if (piece->connections[side]) {
        stmt *s = row(w, TABLE_PIECE_CONNECTION);
        stmt_bind_text(s, 2, piece->id);
        stmt_bind_text(s, 3, special_side_names[side]);
        stmt_bind_text(s, 4, piece->connections[side]);
        put(w, s);
    }
    if (!use->join)
        return;
    stmt *s = row(w, TABLE_SIDE);
    stmt_bind_text(s, 2, piece->id);
    stmt_bind_text(s, 3, special_side_names[side]);
    stmt_bind_text(s, 4, use->join);
    stmt_bind_text(s, 5, special_join_type_names[use->type]);
    put(w, s);
    for (size_t k = 0; k < use->alternatives.count; k++) {
        s = row(w, TABLE_ALTERNATIVE);
        stmt_bind_text(s, 2, piece->id);
        stmt_bind_text(s, 3, special_side_names[side]);
        stmt_bind_int(s, 4, signed_of(k));
        stmt_bind_text(s, 5, use->alternatives.items[k]);
        put(w, s);
    }
}

static void put_pieces(writer *w)
{
    for (size_t i = 0; i < w->sp->piece_count; i++) {
        const special_piece *piece = &w->sp->pieces[i];
        stmt *s = row(w, TABLE_PIECE);
        stmt_bind_text(s, 2, piece->id);
        stmt_bind_int(s, 3, signed_of(i));
        stmt_bind_text(s, 4, piece->oter);
        put(w, s);
        put_locations(w, TABLE_PIECE_LOCATION, piece->id, 0, &piece->locations);
        for (int side = 0; side < SPECIAL_SIDES; side++)
            put_side(w, piece, side);
    }
}

static void put_checks(writer *w)
{
    for (size_t i = 0; i < w->sp->check_count; i++) {
        const special_check *check = &w->sp->checks[i];
        stmt *s = row(w, TABLE_CHECK);
        stmt_bind_int(s, 2, signed_of(i));
        bind_point(s, 3, check->from);
        bind_point(s, 6, check->to);
        put(w, s);
        put_locations(w, TABLE_CHECK_LOCATION, NULL, i, &check->locations);
    }
}

static void put_shared(writer *w)
{
    for (size_t i = 0; i < w->sp->shared_count; i++) {
        stmt *s = row(w, TABLE_SHARED);
        stmt_bind_text(s, 2, w->sp->shared[i].id);
        stmt_bind_int(s, 3, signed_of(i));
        bind_amount(s, 4, &w->sp->shared[i].amount);
        put(w, s);
    }
}

static void put_rule(writer *w, size_t phase, size_t position, const special_rule *rule)
{
    const special_height *z = &rule->height;
    stmt *s = row(w, TABLE_RULE);
    stmt_bind_int(s, 2, signed_of(phase));
    stmt_bind_int(s, 3, signed_of(position));
    stmt_bind_text(s, 4, rule->name);
    bind_optional(s, 5, rule->weight >= 0, rule->weight);
    bind_amount(s, 6, &rule->max);
    stmt_bind_text(s, 10, rule->scale);
    stmt_bind_text(s, 11, rule->join);
    stmt_bind_text(s, 12, special_height_names[z->kind]);
    bind_optional(s, 13, z->kind == HEIGHT_RANGE, z->low);
    bind_optional(s, 14, z->kind == HEIGHT_RANGE, z->high);
    bind_optional(s, 15, z->has_top, z->top);
    bind_optional(s, 16, z->has_bottom, z->bottom);
    bind_optional(s, 17, rule->has_overmap_pos, rule->overmap_pos[0]);
    bind_optional(s, 18, rule->has_overmap_pos, rule->overmap_pos[1]);
    bind_optional(s, 19, rule->rotate >= 0, rule->rotate);
    put(w, s);
    for (size_t i = 0; i < rule->piece_count; i++) {
        s = row(w, TABLE_RULE_PIECE);
        stmt_bind_int(s, 2, signed_of(phase));
        stmt_bind_int(s, 3, signed_of(position));
        stmt_bind_int(s, 4, signed_of(i));
        stmt_bind_text(s, 5, rule->pieces[i].piece->id);
        bind_point(s, 6, rule->pieces[i].pos);
        stmt_bind_int(s, 9, rule->pieces[i].rotation);
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
    writer w = {.err = im->err, .status = store_exec(store, clear_tables, im->err)};
    (void)content_id; /* these tables hold the current content alone */
    for (int t = 0; t < TABLE_COUNT && w.status == PTL_OK; t++)
        w.status = stmt_prepare(&w.insert[t], store, inserts[t], im->err);
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
    for (int t = 0; t < TABLE_COUNT; t++)
        stmt_free(w.insert[t]);
    return w.status;
}
