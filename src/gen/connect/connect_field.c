/* Chooses the version of connect_field_kernel.h that this processor can run. */
#include "gen/connect/connect_field.h"
#include "core/cpu.h"

field_search *field_search_new(generator *g)
{
    enum { LINE = 64 }; /* size of a cache line, in bytes */
    field_search *s = generator_memory(g, 1, sizeof *s);
    uint16_t *block = generator_memory(g, FIELD_CELLS * sizeof *block + LINE, 1);
    if (!s || !block)
        return NULL;
    s->kernel = CPU_IF(CPU_AVX2, field_search_avx2, field_search_base);
    s->cells = block + (LINE - (uintptr_t)block % LINE) / sizeof *block;
    return s;
}

field_result connect_field(generator *g, const path_task *task)
{
    return g->connector->field->kernel(g, task);
}
