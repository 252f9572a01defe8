#include "model/edge.h"

#include <stdlib.h>
#include <string.h>

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

bool crossing_is_highway(const crossing *c)
{
    return c->width > 0 && strcmp(c->kind, CROSSING_HIGHWAY) == 0;
}

const char *edge_side_text(edge_side side)
{
    return side == EDGE_EAST ? "E" : "S";
}
