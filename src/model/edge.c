#include "model/edge.h"

#include <stdlib.h>

void edge_dispose(edge *e)
{
    free(e->crossings);
    e->crossings = NULL;
    e->count = 0;
    for (int i = 0; i < 2; i++) {
        free(e->border[i]);
        e->border[i] = NULL;
    }
}

const char *edge_side_text(edge_side side)
{
    return side == EDGE_EAST ? "E" : "S";
}
