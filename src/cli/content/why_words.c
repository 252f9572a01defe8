#include "cli/content/why_words.h"

#include "cli/session/session.h"
#include "core/visible.h"

static void put_range(bytes *out, const char *what, ptl_range range)
{
    if (range.min <= 0 && range.max == PTL_UNBOUNDED)
        return;
    if (range.max == PTL_UNBOUNDED)
        bytes_printf(out, ", %s %d or more", what, range.min);
    else
        bytes_printf(out, ", %s %d to %d", what, range.min, range.max);
}

void why_wish(bytes *out, const ptl_special *s)
{
    const bool unique = (s->flags & (PTL_SPECIAL_UNIQUE | PTL_SPECIAL_GLOBALLY_UNIQUE)) != 0;
    visible_put(out, s->id, strlen(s->id));
    bytes_printf(out, ": %s",
                 s->kind == PTL_SPECIAL_BUILDING  ? "a city building"
                 : s->kind == PTL_SPECIAL_MUTABLE ? "a mutable special"
                                                  : "a fixed special");
    if (s->kind == PTL_SPECIAL_MUTABLE)
        bytes_printf(out, " of %zu kinds of pieces", s->piece_count);
    else
        bytes_printf(out, " of %zu tile%s", s->tile_count, s->tile_count == 1 ? "" : "s");
    if (s->flags & PTL_SPECIAL_GLOBALLY_UNIQUE)
        bytes_printf(out, ", at most one in a world");
    if (unique)
        bytes_printf(out, ", in %d of %d overmaps", s->occurrences.min, s->occurrences.max);
    else if (s->kind != PTL_SPECIAL_BUILDING)
        bytes_printf(out, ", %d to %d in an overmap", s->occurrences.min, s->occurrences.max);
    put_range(out, "city distance", s->city_distance);
    put_range(out, "city size", s->city_sizes);
    bytes_put_text(out, ".\n");
}

static void put_verdict(bytes *out, const ptl_special *s, ptl_placement rule, const ptl_why *w)
{
    switch (w->verdict) {
    case PTL_VERDICT_ASKED:
        bytes_printf(out, "The rule (%s) asked for %d.\n", placement_name(rule), w->asked);
        break;
    case PTL_VERDICT_NO_OCCURRENCES:
        bytes_printf(
            out,
            "Its occurrences [%d, %d] mean that no rule asks for it: only other specials "
            "or steps place it.\n",
            s->occurrences.min, s->occurrences.max);
        break;
    case PTL_VERDICT_NO_TILES:
        bytes_put_text(out, "It has no tiles: a mod has switched it off.\n");
        break;
    case PTL_VERDICT_NO_CITIES:
        bytes_put_text(out, "It wants a city, and the world has none (city size 0).\n");
        break;
    case PTL_VERDICT_EXCLUDED:
        bytes_put_text(out, "The region's feature flags keep it out.\n");
        break;
    case PTL_VERDICT_NO_WATER:
        bytes_put_text(
            out, "It belongs to a lake, river or ocean, and the chunk has no such water.\n");
        break;
    case PTL_VERDICT_CHANCE:
        bytes_printf(out, "Its chance of %d in %d did not come up in this chunk.\n",
                     s->occurrences.min, s->occurrences.max);
        break;
    case PTL_VERDICT_NOT_HOME:
        bytes_printf(
            out, "A world has at most one, and in this world only chunk %d,%d may have it.\n",
            w->home.x, w->home.y);
        break;
    case PTL_VERDICT_AMOUNT:
        bytes_printf(out,
                     "The number drawn from its occurrences [%d, %d] is 0 in this chunk.\n",
                     s->occurrences.min, s->occurrences.max);
        break;
    case PTL_VERDICT_CONDITION:
        bytes_put_text(
            out, "An effect_on_condition decides about it, which only the game can judge.\n");
        break;
    case PTL_VERDICT_BUILDING:
        bytes_put_text(out,
                       "It is a city building: cities take it from the bins of the region.\n");
        break;
    }
}

/* The first test that nothing passed, or what else was in the way. */
static void put_obstacle(bytes *out, ptl_placement rule, const ptl_why *w)
{
    const bool sectors = rule == PTL_PLACEMENT_SECTORS;
    if (w->ground == 0) {
        bytes_put_text(out, "Nowhere in the chunk do all its tiles lie on their locations.\n");
        if (w->has_need)
            bytes_printf(
                out,
                "Rarest: what it asks for at %d,%d,%d from its origin is met by %d of the "
                "32,400 cells of that level.\n",
                w->need_x, w->need_y, w->need_z, w->need_cells);
    } else if (w->linked == 0) {
        bytes_put_text(out, "Nowhere are the points of its connections as they must be.\n");
    } else if (w->city == 0) {
        bytes_put_text(out,
                       "Nowhere is the nearest city as far away and as large as it must be.\n");
    } else if (w->room == 0) {
        bytes_put_text(out, "Specials before it left no room.\n");
    } else if (w->placed < w->asked && w->failed > 0) {
        bytes_printf(out, "It could not be closed: %d growths were undone.\n", w->failed);
    } else if (w->placed < w->asked) {
        bytes_put_text(
            out, sectors ? "Other specials were drawn in the sectors that it could have had.\n"
                         : "Its own instances left no room for more.\n");
    }
}

void why_words(bytes *out, const ptl_special *s, ptl_placement rule, ptl_chunk_pos pos,
               const ptl_why *w)
{
    const bool sectors = rule == PTL_PLACEMENT_SECTORS;
    why_wish(out, s);
    bytes_printf(out, "Chunk %d,%d: ", pos.x, pos.y);
    put_verdict(out, s, rule, w);
    if (w->verdict == PTL_VERDICT_ASKED) {
        bytes_printf(
            out,
            "Origins, after each test: %d with all tiles on their locations, %d of them "
            "with their connections' points as they must be, %d of them with the city as "
            "it must be; %d %s.\n",
            w->ground, w->linked, w->city, w->room,
            sectors ? "sectors had one" : "left by the specials before it");
        put_obstacle(out, rule, w);
    }
    bytes_printf(out, "Placed: %d", w->placed);
    if (w->others > 0)
        bytes_printf(out, ", and %d by other specials or steps", w->others);
    bytes_put_text(out, ".\n");
}
