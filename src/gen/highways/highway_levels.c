/*
 * Levels of a path. What lies on water is raised to z = 1, and what is no segment with it where
 * its neighbour is; the last segment on the ground before, and the first one behind, is a ramp.
 * Where only one or two pieces on the ground lie between two that are raised, there is no room
 * for both ramps: they are raised, too.
 */
#include "gen/highways/highway.h"

static bool raise(highway_piece *piece)
{
    const bool change = !piece->raised;
    piece->raised = true;
    return change;
}

/* Bends and slants beside what is raised. */
static bool raise_beside(highway_piece *pieces, size_t count)
{
    bool change = false;
    for (size_t i = 0; i < count; i++)
        if (pieces[i].kind != HIGHWAY_SEGMENT &&
            ((i > 0 && pieces[i - 1].raised) || (i + 1 < count && pieces[i + 1].raised)))
            change = raise(&pieces[i]) || change;
    return change;
}

static bool raise_gaps(highway_piece *pieces, size_t count)
{
    enum { SHORTEST = 3 };
    bool change = false;
    for (size_t i = 0; i + 1 < count; i++) {
        size_t end = i + 1;
        while (pieces[i].raised && end < count && !pieces[end].raised)
            end++;
        for (size_t k = i + 1;
             pieces[i].raised && end < count && end - i <= SHORTEST && k < end; k++)
            change = raise(&pieces[k]) || change;
    }
    return change;
}

bool highway_level(generator *g, const highway_path *path, bool first_raised, bool last_raised,
                   bool ends_on_ground)
{
    highway_piece *pieces = g->highways->pieces + path->first;
    const size_t count = path->count;
    for (size_t i = 0; i < count; i++) {
        pieces[i].raised = pieces[i].water;
        pieces[i].ramp = HIGHWAY_LEVEL;
    }
    pieces[0].raised = pieces[0].raised || first_raised;
    pieces[count - 1].raised = pieces[count - 1].raised || last_raised;
    while (raise_beside(pieces, count) || raise_gaps(pieces, count))
        ;
    for (size_t i = 0; i + 1 < count; i++) {
        if (!pieces[i].raised && pieces[i + 1].raised)
            pieces[i].ramp = HIGHWAY_UP;
        if (pieces[i].raised && !pieces[i + 1].raised)
            pieces[i + 1].ramp = HIGHWAY_DOWN;
    }
    return !ends_on_ground || !pieces[count - 1].raised;
}
