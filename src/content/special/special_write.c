/* Writes specials into their tables (content_tables.h). */
#include "content/import/record.h"
#include "content/special/special.h"

typedef struct amount_columns {
    content_number low, high, trials, least, most;
    content_mean mean;
} amount_columns;

static amount_columns columns_of(const special_amount *a)
{
    const bool counted = a->kind == PTL_AMOUNT_FIXED || a->kind == PTL_AMOUNT_RANGE,
               trials = a->kind == PTL_AMOUNT_BINOMIAL,
               bounded = a->kind == PTL_AMOUNT_POISSON || trials,
               mean = bounded || a->kind == PTL_AMOUNT_CHANCE;
    return (amount_columns){.low = number_if(counted, a->low),
                            .high = number_if(counted, a->high),
                            .mean = {mean, a->mean},
                            .trials = number_if(trials, a->trials),
                            .least = number_if(bounded && a->least >= 0, a->least),
                            .most = number_if(bounded && a->most >= 0, a->most)};
}

/* ---- both subtypes ---- */

static void put_common(content_writer *w, const special *sp)
{
    for (size_t i = 0; i < sp->flags.count; i++)
        content_put(w, CONTENT_SPECIAL_FLAG, &(special_flag_row){sp->id, sp->flags.items[i]});
    for (size_t i = 0; i < sp->locations.count; i++)
        content_put(w, CONTENT_SPECIAL_LOCATION,
                    &(special_location_row){sp->id, (int64_t)i, sp->locations.items[i]});
    for (size_t i = 0; i < sp->connection_count; i++) {
        const special_connection *c = &sp->connections[i];
        const special_connection_row row = {.special = sp->id,
                                            .position = (int64_t)i,
                                            .x = c->point[0],
                                            .y = c->point[1],
                                            .z = c->point[2],
                                            .connection = c->id,
                                            .guessed = c->guessed,
                                            .terrain = c->terrain,
                                            .existing = c->existing,
                                            .from_x = number_if(c->has_from, c->from[0]),
                                            .from_y = number_if(c->has_from, c->from[1]),
                                            .from_z = number_if(c->has_from, c->from[2]),
                                            .direction = number_if(c->has_from, c->direction)};
        content_put(w, CONTENT_SPECIAL_CONNECTION, &row);
    }
    for (size_t i = 0; i < sp->nested_count; i++) {
        const int32_t *at = sp->nested[i].point;
        content_put(
            w, CONTENT_SPECIAL_NESTED,
            &(special_nested_row){sp->id, (int64_t)i, at[0], at[1], at[2], sp->nested[i].id});
    }
}

/* ---- mutable ---- */

static void put_joins(content_writer *w, const special *sp)
{
    for (size_t i = 0; i < sp->join_count; i++) {
        const special_join *join = &sp->joins[i];
        content_put(w, CONTENT_SPECIAL_JOIN,
                    &(special_join_row){sp->id, (int64_t)i, join->id, join->opposite});
        for (size_t k = 0; k < join->into.count; k++)
            content_put(w, CONTENT_SPECIAL_JOIN_LOCATION,
                        &(special_join_location_row){sp->id, join->id, (int64_t)k,
                                                     join->into.items[k]});
    }
}

static void put_pieces(content_writer *w, const special *sp)
{
    for (size_t i = 0; i < sp->piece_count; i++) {
        const special_piece *piece = &sp->pieces[i];
        content_put(w, CONTENT_SPECIAL_PIECE,
                    &(special_piece_row){sp->id, piece->id, (int64_t)i, piece->oter});
        for (size_t k = 0; k < piece->locations.count; k++)
            content_put(w, CONTENT_SPECIAL_PIECE_LOCATION,
                        &(special_piece_location_row){sp->id, piece->id, (int64_t)k,
                                                      piece->locations.items[k]});
        for (int side = 0; side < SPECIAL_SIDES; side++) {
            const special_side *use = &piece->sides[side];
            const char *name = special_side_names[side];
            if (piece->connections[side])
                content_put(w, CONTENT_SPECIAL_PIECE_CONNECTION,
                            &(special_piece_connection_row){sp->id, piece->id, name,
                                                            piece->connections[side]});
            if (use->join) {
                content_put(w, CONTENT_SPECIAL_PIECE_SIDE,
                            &(special_piece_side_row){sp->id, piece->id, name, use->join,
                                                      special_join_type_names[use->type]});
                for (size_t k = 0; k < use->alternatives.count; k++)
                    content_put(w, CONTENT_SPECIAL_PIECE_ALTERNATIVE,
                                &(special_piece_alternative_row){sp->id, piece->id, name,
                                                                 (int64_t)k,
                                                                 use->alternatives.items[k]});
            }
        }
    }
}

static void put_checks(content_writer *w, const special *sp)
{
    for (size_t i = 0; i < sp->check_count; i++) {
        const special_check *c = &sp->checks[i];
        const int64_t number = (int64_t)i;
        content_put(w, CONTENT_SPECIAL_CHECK,
                    &(special_check_row){sp->id, number, c->from[0], c->from[1], c->from[2],
                                         c->to[0], c->to[1], c->to[2]});
        for (size_t k = 0; k < c->locations.count; k++)
            content_put(w, CONTENT_SPECIAL_CHECK_LOCATION,
                        &(special_check_location_row){sp->id, number, (int64_t)k,
                                                      c->locations.items[k]});
    }
}

static void put_shared(content_writer *w, const special *sp)
{
    for (size_t i = 0; i < sp->shared_count; i++) {
        const special_shared *shared = &sp->shared[i];
        const amount_columns c = columns_of(&shared->amount);
        content_put(w, CONTENT_SPECIAL_SHARED,
                    &(special_shared_row){sp->id, shared->id, (int64_t)i,
                                          special_amount_names[shared->amount.kind], c.low,
                                          c.high, c.mean, c.trials, c.least, c.most});
    }
}

/* Writes a rule and its pieces. */
static void put_rule(content_writer *w, const special *sp, int64_t phase, int64_t position)
{
    const special_rule *rule = &sp->phases[phase].rules[position];
    const special_height *z = &rule->height;
    const bool range = z->kind == PTL_HEIGHT_RANGE;
    const amount_columns max = columns_of(&rule->max);
    const special_phase_rule_row row = {
        .special = sp->id,
        .phase = phase,
        .position = position,
        .name = rule->name,
        .weight = number_if(rule->weight >= 0, rule->weight),
        .max_kind = special_amount_names[rule->max.kind],
        .max_low = max.low,
        .max_high = max.high,
        .max_mean = max.mean,
        .scale = rule->scale,
        .join = rule->join,
        .z_kind = special_height_names[z->kind],
        .z_low = number_if(range, z->low),
        .z_high = number_if(range, z->high),
        .z_top = number_if(z->has_top, z->top),
        .z_bottom = number_if(z->has_bottom, z->bottom),
        .om_x = number_if(rule->has_overmap_pos, rule->overmap_pos[0]),
        .om_y = number_if(rule->has_overmap_pos, rule->overmap_pos[1]),
        .rotate = number_if(rule->rotate >= 0, rule->rotate),
        .max_trials = max.trials,
        .max_least = max.least,
        .max_most = max.most};
    content_put(w, CONTENT_SPECIAL_PHASE_RULE, &row);
    for (size_t i = 0; i < rule->piece_count; i++) {
        const special_rule_piece *p = &rule->pieces[i];
        content_put(w, CONTENT_SPECIAL_PHASE_RULE_PIECE,
                    &(special_phase_rule_piece_row){sp->id, phase, position, (int64_t)i,
                                                    p->piece->id, p->pos[0], p->pos[1],
                                                    p->pos[2], p->rotation});
    }
}

void special_write(import *im, content_writer *w)
{
    const special_model *m = im->specials;
    for (size_t i = 0; i < m->current_count; i++) {
        const special *sp = m->current[i];
        if (sp->left_out)
            continue;
        overmap_special_row row = sp->row;
        record_place(CONTENT_SPECIALS, &row, sp->id, sp->obj);
        row.kind = sp->building ? "city_building" : "special";
        row.subtype = sp->is_mutable ? "mutable" : "fixed";
        row.root = sp->root ? sp->root->id : NULL;
        content_put(w, CONTENT_SPECIALS, &row);
        put_common(w, sp);
        for (size_t j = 0; j < sp->omt_count; j++) {
            const special_omt *tile = &sp->tiles[j];
            const int64_t number = (int64_t)j;
            content_put(w, CONTENT_SPECIAL_OMT,
                        &(special_omt_row){sp->id, number, tile->point[0], tile->point[1],
                                           tile->point[2], tile->oter, tile->camp,
                                           tile->camp_name});
            for (size_t k = 0; k < tile->locations.count; k++)
                content_put(w, CONTENT_SPECIAL_OMT_LOCATION,
                            &(special_omt_location_row){sp->id, number, (int64_t)k,
                                                        tile->locations.items[k]});
            for (size_t k = 0; k < tile->flags.count; k++)
                content_put(w, CONTENT_SPECIAL_OMT_FLAG,
                            &(special_omt_flag_row){sp->id, number, tile->flags.items[k]});
        }
        put_joins(w, sp);
        put_shared(w, sp);
        put_pieces(w, sp);
        put_checks(w, sp);
        for (size_t p = 0; p < sp->phase_count; p++)
            for (size_t k = 0; k < sp->phases[p].count; k++)
                put_rule(w, sp, (int64_t)p, (int64_t)k);
    }
}
