#include "support/chunk_maker.h"
#include "gen/pipeline.h"

#include <check.h>

maker maker_new(const catalogue *cat, const ptl_world_options *options)
{
    maker m = {NULL, NULL};
    ck_assert_int_eq(gen_config_new(&m.config, cat, options, NULL), PTL_OK);
    m.gen = generator_new(m.config);
    ck_assert_ptr_nonnull(m.gen);
    return m;
}

void maker_free(maker *m)
{
    generator_free(m->gen);
    gen_config_free(m->config);
}

ptl_chunk *make(maker *m, int32_t x, int32_t y, size_t steps)
{
    edge edges[4], *list[4];
    for (int d = 0; d < 4; d++) {
        int32_t ex, ey;
        edge_side side;
        plan_edge_of_chunk((ptl_chunk_pos){x, y}, d, &ex, &ey, &side);
        ck_assert_int_eq(plan_edge(&edges[d], m->config, ex, ey, side, NULL), PTL_OK);
        list[d] = &edges[d];
    }
    ptl_chunk *chunk = NULL;
    ck_assert_int_eq(
        generator_run(&chunk, m->gen, (ptl_chunk_pos){x, y}, list, steps, NULL, NULL, NULL),
        PTL_OK);
    for (int d = 0; d < 4; d++)
        edge_dispose(&edges[d]);
    return chunk;
}
