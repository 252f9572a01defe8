/* Which kernel of connect_field_kernel.h this processor is to run. */
#include "gen/connect_field.h"

#include <stdlib.h>

static field_kernel *best_kernel(void)
{
#if defined(__x86_64__) || defined(__i386__)
    if (__builtin_cpu_supports("avx2"))
        return field_search_avx2;
#endif
    return field_search_base;
}

field_search *field_search_new(void)
{
    field_search *s = calloc(1, sizeof *s);
    if (s)
        s->kernel = best_kernel();
    return s;
}

void field_search_free(field_search *s)
{
    free(s);
}

field_result connect_field(generator *g, const path_task *task, const ptl_oter *cells)
{
    return g->connector->field->kernel(g, task, cells);
}
