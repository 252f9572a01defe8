#include "gen/edge.h"

#include <stdlib.h>

void edge_dispose(edge *e)
{
    free(e->crossings);
    e->crossings = NULL;
    e->count = 0;
}
