/* Chooses the kernel of connect_field_kernel.h for this processor. */
#include "gen/connect/connect_field.h"
#include "core/cpu.h"

#include <stdlib.h>

field_search *field_search_new(void)
{
    enum { LINE = 64 }; /* size of a cache line, in bytes */
    field_search *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->kernel = CPU_IF(CPU_AVX2, field_search_avx2, field_search_base);
    s->block = calloc(1, FIELD_CELLS * sizeof *s->block + LINE);
    if (!s->block) {
        free(s);
        return NULL;
    }
    s->cells = s->block + (LINE - (uintptr_t)s->block % LINE) / sizeof *s->block;
    return s;
}

void field_search_free(field_search *s)
{
    if (!s)
        return;
    free(s->block);
    free(s);
}

field_result connect_field(generator *g, const path_task *task)
{
    return g->connector->field->kernel(g, task);
}
