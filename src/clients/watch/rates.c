#include "clients/watch/rates.h"

#include "core/error.h"
#include "portolan/catalogue.h"
#include "portolan/stats.h"

/* The counted overmaps of one world. */
typedef struct side {
    ptl_sample *sample;
    ptl_tally *tally;
    ptl_comparison_input input;
} side;

static void side_dispose(side *s)
{
    ptl_tally_free(s->tally);
    ptl_sample_close(s->sample);
}

/* Counts a world's overmaps. Dispose *out in any case. */
static ptl_status side_count(side *out, rates_world world, ptl_error *err)
{
    ptl_sample_options o = PTL_SAMPLE_OPTIONS_INIT;
    bytes name = {.size = 0};
    /* "world:" makes it clear: a sweep may have the same name. */
    bytes_printf(&name, "world:%s", world.name);
    const char *full = bytes_text(&name);
    o.parts = PTL_COUNT_SPECIALS | PTL_COUNT_TERRAINS | PTL_COUNT_CITIES | PTL_COUNT_LINES;
    out->tally = ptl_tally_new();
    ptl_status status = full && out->tally
                            ? ptl_sample_open(&out->sample, world.store, full, err)
                            : error_nomem(err);
    THEN(status, ptl_tally_add(out->tally, out->sample, &o, err));
    if (status == PTL_OK) {
        out->input.tally = out->tally;
        out->input.specials = ptl_sample_specials(&out->input.special_count, out->sample);
    }
    bytes_dispose(&name);
    return status;
}

/* Do the definitions ask for another frequency? NULL: that content lacks the special. */
static bool is_redefined(const ptl_sample_special *a, const ptl_sample_special *b)
{
    if (!a || !b)
        return a != b;
    return a->occurrences_min != b->occurrences_min ||
           a->occurrences_max != b->occurrences_max || a->is_unique != b->is_unique ||
           a->is_globally_unique != b->is_globally_unique;
}

ptl_status rates_put(emitter *j, uint64_t *count, uint64_t *significant, rates_world before,
                     rates_world now, ptl_error *err)
{
    ptl_comparison_options o = PTL_COMPARISON_OPTIONS_INIT;
    ptl_comparison *c = NULL;
    side a = {.sample = NULL}, b = {.sample = NULL};
    *count = *significant = 0;
    o.terrains = true;
    ptl_status status = side_count(&a, before, err);
    THEN(status, side_count(&b, now, err));
    THEN(status, ptl_comparison_new(&c, &a.input, &b.input, &o, err));
    emit_put(j, "{");
    if (status == PTL_OK) {
        emit_put(j, "overmaps_before:%ju, overmaps_now:%ju, rows:[", a.tally->overmaps,
                 b.tally->overmaps);
        for (size_t i = 0; i < c->count; i++) {
            const ptl_comparison_row *r = c->rows[i];
            if (r->a.sum == r->b.sum && !r->significant &&
                !is_redefined(r->a.definition, r->b.definition))
                continue;
            *significant += r->significant;
            if ((*count)++ < RATES_LISTED_MAX) {
                emit_put(j,
                         "{kind:%s, id:%s, before:%ju, now:%ju, mean_before:%g, mean_now:%g, "
                         "change:%s, p:%g, adjusted:%g, significant:%i, redefined:%i}",
                         ptl_comparison_kind_name(r->kind), r->id, r->a.sum, r->b.sum,
                         r->a.each.mean, r->b.each.mean, ptl_comparison_change_name(r->change),
                         r->test.p, r->adjusted, r->significant,
                         is_redefined(r->a.definition, r->b.definition));
            }
        }
        emit_put(j, "], count:%ju, significant:%ju", *count, *significant);
    }
    emit_put(j, "}");
    ptl_comparison_free(c);
    side_dispose(&a);
    side_dispose(&b);
    return status;
}

static void put_look(emitter *j, const char *key, const ptl_terrain_type *t)
{
    emit_key(j, key);
    emit_put(j, "{name:%s, color:%s, symbol:%u}", t->name, t->color, t->symbol);
}

void looks_put(emitter *j, uint64_t *count, const ptl_world *before, const ptl_world *now)
{
    const ptl_catalogue *old = ptl_world_catalogue(before), *all = ptl_world_catalogue(now);
    const size_t terrains = ptl_catalogue_count(all, PTL_CONTENT_TERRAIN);
    *count = 0;
    emit_put(j, "looks:[");
    for (size_t i = 0; i < terrains; i++) {
        ptl_terrain_type t = PTL_TERRAIN_TYPE_INIT, was = PTL_TERRAIN_TYPE_INIT;
        size_t number;
        if (ptl_catalogue_terrain(&t, all, i) != PTL_OK ||
            ptl_catalogue_find(&number, old, PTL_CONTENT_TERRAIN, t.id) != PTL_OK ||
            ptl_catalogue_terrain(&was, old, number) != PTL_OK)
            continue; /* a new terrain has no earlier look */
        if ((was.symbol == t.symbol && strcmp(was.name, t.name) == 0 &&
             strcmp(was.color, t.color) == 0) ||
            ++*count > LOOKS_LISTED_MAX)
            continue;
        emit_put(j, "{id:%s", t.id);
        put_look(j, "before", &was);
        put_look(j, "now", &t);
        emit_put(j, "}");
    }
    emit_put(j, "], looks_count:%ju", *count);
}
