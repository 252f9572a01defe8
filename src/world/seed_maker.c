#include "world/seed_maker.h"

#include <stdlib.h>

ptl_status seed_base_init(seed_base *out, ptl_store *store, const ptl_world_options *options,
                          ptl_error *err)
{
    memset(out, 0, sizeof *out);
    TRY(world_options_check(options, err));
    TRY(ops(store)->content->load(&out->cat, store, err));
    TRY(ops(store)->content->check_loaded(store, err));
    TRY(gen_config_new(&out->config, out->cat, options, err));
    out->config->stop = ops(store)->transaction->stop_hook(store);
    return PTL_OK;
}

void seed_base_dispose(seed_base *base)
{
    gen_config_free(base->config);
    catalogue_free(base->cat);
    memset(base, 0, sizeof *base);
}

seed_maker *seed_maker_new(const seed_base *base)
{
    seed_maker *m = calloc(1, sizeof *m);
    if (!m)
        return NULL;
    m->base = base->config;
    if (gen_config_for_seed(&m->config, m->base, m->base->seed, NULL) == PTL_OK)
        m->gen = generator_new(&m->config);
    if (m->gen)
        return m;
    seed_maker_free(m);
    return NULL;
}

void seed_maker_free(seed_maker *m)
{
    if (!m)
        return;
    generator_free(m->gen);
    gen_config_dispose_seed(&m->config);
    free(m);
}

ptl_status seed_maker_run(ptl_chunk **out, edge edges[4], seed_maker *m, uint64_t seed,
                          ptl_chunk_pos pos, ptl_error *err)
{
    edge *list[4] = {&edges[0], &edges[1], &edges[2], &edges[3]};
    ptl_status status = PTL_OK;
    *out = NULL;
    memset(edges, 0, 4 * sizeof *edges);
    if (m->config.seed != seed) {
        gen_config_dispose_seed(&m->config);
        status = gen_config_for_seed(&m->config, m->base, seed, err);
    }
    for (int direction = 0; direction < 4 && status == PTL_OK; direction++) {
        int32_t x, y;
        edge_side side;
        plan_edge_of_chunk(pos, direction, &x, &y, &side);
        status = plan_edge(&edges[direction], &m->config, x, y, side, err);
    }
    THEN(status, generator_run(out, m->gen, pos, list, ptl_step_count(), NULL, NULL, err));
    return status;
}
