/* One terrain throughout. */
#include "mapgen/ground/ground_impl.h"

void make_rock(ground *g)
{
    ground_fill(g, "t_rock");
}

void make_air(ground *g)
{
    ground_fill(g, "t_open_air");
}

void make_border(ground *g)
{
    ground_fill(g, "t_pd_border");
}
