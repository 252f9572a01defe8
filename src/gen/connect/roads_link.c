/*
 * Linking the ends of one track: first as the games do, each end to the nearest later one; then
 * whatever that left apart is linked to the rest, for as long as the ground allows. An exit
 * that got nothing is drawn as a stub, so that its neighbour's arm is answered all the same.
 */
#include "gen/connect/ends.h"

enum {
    HUB_FIRST = 45, /* a lone exit leads to somewhere in HUB_FIRST..HUB_LAST, if it can */
    HUB_LAST = 135,
    HUB_TRIES = 8
};

static int32_t cell_of(connect_end end)
{
    return end.y * SIZE + end.x;
}

/* Is the arm of the exit there that leads out of the chunk? */
static bool leads_out(const generator *g, track l, connect_end end)
{
    const cat_oter *oter =
        &g->config->cat->oters[chunk_level(g->chunk, l.z)->cells[cell_of(end)]];
    int outward = opposite(end.heading);
    if (!connect_has(g, l.connection, (ptl_oter)(oter - g->config->cat->oters)))
        return false;
    switch (g->config->cat->terrains[oter->terrain].count) {
    case 16:
        return oter->line >> outward & 1;
    case 4:
        return oter->rotation % 2 == outward % 2;
    default:
        return true;
    }
}

/* ---- a lone exit ---- */

static bool is_hub(const generator *g, track l, const ptl_oter *cells, int32_t at, bool middle)
{
    int32_t x = at % SIZE, y = at / SIZE;
    int32_t first = middle ? HUB_FIRST : REACH, last = middle ? HUB_LAST : SIZE - 1 - REACH;
    return x >= first && x <= last && y >= first && y <= last &&
           connect_turns(g, l.connection, cells[at]);
}

/* Keeps the cells of the walk that may be hubs; returns their number. */
static int32_t keep_hubs(const generator *g, ground_walk *w, track l, const ptl_oter *cells,
                         int32_t count)
{
    for (int pass = 0; pass < 2; pass++) {
        /* The list stays whole for the second pass where the first one keeps nothing. */
        int32_t left = 0;
        for (int32_t i = 0; i < count; i++)
            if (is_hub(g, l, cells, w->cells[i], pass == 0))
                w->cells[left++] = w->cells[i];
        if (left > 0)
            return left;
    }
    return 0;
}

/* A road should lead somewhere: to a random point inside, which becomes the second end. */
static void add_hub(generator *g, ground_walk *w, track l, end_list *list)
{
    const ptl_oter *cells = cells_at(g, l.z);
    if (!cells)
        return;
    rng r = rng_from_key(hash_add(hash_string("hub"), step_stream(g, l.kind).state));
    for (int i = 0; i < HUB_TRIES; i++) {
        int32_t count = walk_ground(g, w, l, list->ends[0]);
        count = keep_hubs(g, w, l, cells, count);
        if (count == 0)
            return;
        int32_t at = w->cells[rng_below(&r, (uint64_t)count)];
        connect_end hub = {.x = (int16_t)(at % SIZE), .y = (int16_t)(at / SIZE), CONNECT_ANY};
        if (connect_ends(g, l.connection, l.z, list->ends[0], hub) == CONNECT_DRAWN) {
            list->ends[list->count++] = hub;
            return;
        }
    }
}

/* ---- linking what is apart ---- */

/* The part that holds most ends, the first one of equals; 0 if no end is drawn at all. */
static int32_t main_part(const end_list *list, const int32_t *labels, int32_t *tally,
                         int32_t part_count)
{
    int32_t best = 0;
    part_count = part_count < SIZE * SIZE ? part_count : SIZE * SIZE - 1;
    memset(tally, 0, (size_t)(part_count + 1) * sizeof *tally);
    for (size_t i = 0; i < list->count; i++)
        tally[labels[cell_of(list->ends[i])]]++;
    for (int32_t part = 1; part <= part_count; part++)
        if (tally[part] > 0 && (best == 0 || tally[part] > tally[best]))
            best = part;
    return best;
}

/*
 * Links ends to the nearest tiles of other parts until all are in one, or nothing is left to
 * try. Each round links two parts or gives an end up, and linking never makes more parts: the
 * bound is for an engine that breaks this. Labels are left as they ended; the main part comes
 * back.
 */
static int32_t link_parts(generator *g, ground_walk *w, track l, end_list *list)
{
    int32_t *labels = w->labels;
    if (connect_links_all(g, l.connection, l.z, list->ends, list->count, labels))
        return 1; /* as nearly always */
    memset(list->given_up, 0, list->count * sizeof *list->given_up);
    int32_t parts = connect_parts(g, l.connection, l.z, labels);
    size_t bound = 2 * list->count + (size_t)parts + 8;
    for (size_t round = 0;; round++) {
        int32_t main = main_part(list, labels, w->cells, parts);
        /* The first end that is apart and might still be linked; list->count if there is none.
         */
        size_t i = 0;
        while (i < list->count &&
               (list->given_up[i] || (main && labels[cell_of(list->ends[i])] == main)))
            i++;

        if (i == list->count || g->failed)
            return main;
        if (round == bound) {
            add_event(g, "joining_stopped", list->ends[i].x, list->ends[i].y, l.z, l.kind);
            return main;
        }
        connect_result result = connect_to_any(g, l.connection, l.z, list->ends[i]);
        if (result == CONNECT_DRAWN)
            parts = connect_parts(g, l.connection, l.z, labels);
        else {
            /* Gives the end up; and if it found no way, all that are in its part: they can go
             * where it can.
             */
            const bool searched = result == CONNECT_NO_PATH;
            int32_t part = searched ? labels[cell_of(list->ends[i])] : 0;
            list->given_up[i] = true;
            for (size_t k = i + 1; part && k < list->count; k++)
                if (labels[cell_of(list->ends[k])] == part)
                    list->given_up[k] = true;
        }
    }
}

/* ---- what remains ---- */

void link_ends(generator *g, ground_walk *w, track l, end_list *list)
{
    if (list->count == 0 || !cells_at(g, l.z))
        return;
    if (list->count == 1 && list->exit_count == 1)
        add_hub(g, w, l, list);
    else
        connect_points(g, l.connection, l.z, list->ends, list->count, list->results);
    if (g->failed)
        return;
    const int32_t main = link_parts(g, w, l, list);
    for (size_t i = 0; i < list->count; i++)
        if (!main || w->labels[cell_of(list->ends[i])] != main)
            unreached_event(g, w, l, list->ends[i], main);
    for (size_t i = 0; i < list->exit_count; i++)
        if (!leads_out(g, l, list->ends[i]))
            connect_stub(g, l.connection, l.z, list->ends[i]);
}
