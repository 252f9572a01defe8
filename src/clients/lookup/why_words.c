/* Puts the answer of `portolan why` (ptl_why) into sentences: why a special is or is not in a
 * chunk. */
#include "clients/lookup/why_words.h"

#include "core/suggest.h"
#include "core/visible.h"

static void into_bytes(void *payload, const char *text, size_t size)
{
    bytes_put(payload, text, size);
}

void words_put(bytes *out, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    visible_vprintf(into_bytes, out, format, list);
    va_end(list);
}

/* Appends `before`, then what a range allows, unless it allows all. Returns whether it did. */
static bool put_range(bytes *out, const char *before, ptl_range range)
{
    if (range.min <= 0 && range.max == PTL_UNBOUNDED)
        return false;
    if (range.max == PTL_UNBOUNDED)
        words_put(out, "%s %d or more", before, range.min);
    else
        words_put(out, "%s %d to %d", before, range.min, range.max);
    return true;
}

/* `s->occurrences` has a minimum and a maximum. A unique special comes into an overmap with the
 * probability minimum / maximum; of any other special an overmap gets at least the minimum and
 * at most the maximum. */
void why_wish(bytes *out, const ptl_special *s)
{
    const bool unique = (s->flags & (PTL_SPECIAL_UNIQUE | PTL_SPECIAL_GLOBALLY_UNIQUE)) != 0;
    words_put(out, "%s: %s", s->id,
              s->kind == PTL_SPECIAL_BUILDING  ? "a city building"
              : s->kind == PTL_SPECIAL_MUTABLE ? "a mutable special"
                                               : "a fixed special");
    if (s->kind == PTL_SPECIAL_MUTABLE)
        words_put(out, " of %zu kinds of pieces", s->piece_count);
    else
        words_put(out, " of %zu OMT%s", s->omt_count, plural(s->omt_count));
    if (s->flags & PTL_SPECIAL_GLOBALLY_UNIQUE)
        words_put(out, ", at most one in a world");
    if (unique && s->kind != PTL_SPECIAL_BUILDING)
        words_put(out, ", in %d of %d overmaps", s->occurrences.min, s->occurrences.max);
    else if (s->kind != PTL_SPECIAL_BUILDING)
        words_put(out, ", %d to %d in an overmap", s->occurrences.min, s->occurrences.max);
    (void)put_range(out, ", city distance", s->city_distance);
    (void)put_range(out, ", city size", s->city_sizes);
    words_put(out, ".\n");
}

/* For a special that a city, an overmap or the world has at most once: says in which chunk it
 * is due and why, and whether it was placed there. */
static void put_unique(bytes *out, const ptl_special *s, ptl_chunk_pos pos, const ptl_why *w)
{
    const bool building = s->kind == PTL_SPECIAL_BUILDING;
    const bool once = (s->flags & PTL_SPECIAL_GLOBALLY_UNIQUE) != 0;
    const bool at_home = w->home.x == pos.x && w->home.y == pos.y;
    if (w->ways & PTL_WAY_LIMITED)
        words_put(out, "%s has at most one.\n",
                  s->flags & PTL_SPECIAL_CITY_UNIQUE ? "A city" : "An overmap");
    if (once && building && w->roll == PTL_ROLL_NONE)
        words_put(out, "A world has at most one, so cities of this region skip it.\n");
    else if (once && building)
        words_put(out,
                  "A world has at most one: the largest city of a size for it in chunk %d,%d, "
                  "its home, is to have it, without a roll.\n",
                  w->home.x, w->home.y);
    else if (once && at_home)
        words_put(out, "A world has at most one, and this chunk is its home.\n");
    if (w->roll == PTL_ROLL_SURE && !building && at_home)
        words_put(out, "It is due there without a roll, since its deck has a success.\n");
    if (w->roll == PTL_ROLL_CHANCE && w->verdict == PTL_VERDICT_ASKED)
        words_put(out, "Its chance of %d in %d came up.\n", s->occurrences.min,
                  s->occurrences.max);
    if (w->roll == PTL_ROLL_DECK && w->verdict == PTL_VERDICT_ASKED)
        words_put(out, "Its deck, %d of %d overmaps, has one for this chunk.\n",
                  s->occurrences.min, s->occurrences.max);
    if (w->dropped == PTL_DROPPED_NO_CITY)
        words_put(out, "It is due here, and of the chunk's %d cities none has a size for it.\n",
                  w->cities);
    else if (w->dropped == PTL_DROPPED_CITY)
        words_put(out, "It is due here, and the city at %d,%d had no place for it.\n",
                  w->dropped_x, w->dropped_y);
    else if (w->dropped == PTL_DROPPED_RULE)
        words_put(out, "It is due here, and the world has none.\n");
}

/* Says whether the rule of placement asked for the special, and if not, why. */
static void put_verdict(bytes *out, const ptl_special *s, ptl_placement rule, const ptl_why *w)
{
    static const char *const plain[] = {
        [PTL_VERDICT_NO_OMTS] = "It has no OMTs: a mod has switched it off.",
        [PTL_VERDICT_NO_CITIES] = "It wants a city, and the world has none (city size 0).",
        [PTL_VERDICT_EXCLUDED] = "The region's feature flags keep it out.",
        [PTL_VERDICT_NO_WATER] =
            "It belongs to a lake, river or ocean, and the chunk has no such water.",
        [PTL_VERDICT_CONDITION] =
            "Its effect_on_condition asks for other mods than this content has."};
    const int32_t least = s->occurrences.min, most = s->occurrences.max;
    switch (w->verdict) {
    case PTL_VERDICT_ASKED:
        words_put(out, "The rule (%s) asked for %d.\n",
                  rule == PTL_PLACEMENT_SECTORS ? "sectors" : "quota", w->asked);
        break;
    case PTL_VERDICT_NO_OCCURRENCES:
        words_put(out,
                  "Its occurrences [%d, %d] mean that no rule asks for it: only other specials "
                  "or steps place it.\n",
                  least, most);
        break;
    case PTL_VERDICT_CHANCE:
        if (w->roll == PTL_ROLL_DECK)
            words_put(out, "Its deck, %d of %d overmaps, has none for this chunk.\n", least,
                      most);
        else if (w->roll == PTL_ROLL_SURE)
            words_put(out, "It is at home here, and its deck never has a success.\n");
        else
            words_put(out, "Its chance of %d in %d did not come up in this chunk.\n", least,
                      most);
        break;
    case PTL_VERDICT_NOT_HOME:
        words_put(out,
                  "A world has at most one, and in this world only chunk %d,%d may have it.\n",
                  w->home.x, w->home.y);
        break;
    case PTL_VERDICT_AMOUNT:
        words_put(out, "The number drawn from its occurrences [%d, %d] is 0 in this chunk.\n",
                  least, most);
        break;
    case PTL_VERDICT_BUILDING:
        words_put(out, w->ways & PTL_WAYS_CITY
                           ? "It is a city building: no rule asks for it, cities do.\n"
                           : "It is a city building that is in no bin of the region.\n");
        break;
    default:
        words_put(out, "%s\n", plain[w->verdict]);
    }
}

void why_join(bytes *out, const ptl_why *w)
{
    const int32_t up = w->join_z < 0 ? -w->join_z : w->join_z;
    words_put(out, "join '%s' at %d,%d,%d from the root", w->join, w->join_x, w->join_y,
              w->join_z);
    if (up > 0)
        words_put(out, ", %d level%s %s it", up, plural((uint64_t)up),
                  w->join_z < 0 ? "below" : "above");
    if (w->join_ground[0])
        words_put(out, ", where the ground is '%s'.\n", w->join_ground);
    else
        words_put(out, ", at the border or where another special stands.\n");
}

/* Says which join stopped the growths of a mutable special. If its root could not be placed,
 * says which join of the root was the reason. */
static void put_growth(bytes *out, const ptl_why *w)
{
    if (!w->join[0])
        return;
    if (w->join_undone == 0)
        words_put(out, "It is the root's ");
    else
        words_put(out, "%d of them left open ", w->join_undone);
    why_join(out, w);
    if (w->join_undone > 0 && w->tried == PTL_TRIED_GROUND)
        words_put(out, "No growth can come out on the ground of this chunk, so no more were "
                       "tried.\n");
    if (w->join_undone > 0 && w->tried == PTL_TRIED_ENDED)
        words_put(out, "So much was undone that not all origins were tried.\n");
}

/* Says which test of placement was the first that no origin passed. If each test was passed,
 * says which other obstacle there was. */
static void put_obstacle(bytes *out, ptl_placement rule, const ptl_why *w)
{
    const bool sectors = rule == PTL_PLACEMENT_SECTORS;
    if (w->ground == 0) {
        words_put(out, "Nowhere in the chunk do all its OMTs lie on their locations.\n");
        if (w->has_need)
            words_put(
                out,
                "Rarest: what it asks for at %d,%d,%d from its origin is met by %d of the "
                "32,400 cells of that level.\n",
                w->need_x, w->need_y, w->need_z, w->need_cells);
        put_growth(out, w);
    } else if (w->linked == 0) {
        words_put(out, "Nowhere are the points of its connections as they must be.\n");
    } else if (w->city == 0) {
        words_put(out, "Nowhere is the nearest city as far away and as large as it must be.\n");
    } else if (w->room == 0) {
        words_put(out, "Specials before it left no room.\n");
    } else if (w->placed < w->asked && w->failed > 0) {
        words_put(out, "It could not be closed: %d growth%s undone.\n", w->failed,
                  w->failed == 1 ? " was" : "s were");
        put_growth(out, w);
    } else if (w->placed < w->asked) {
        words_put(out,
                  sectors ? "Other specials were drawn in the sectors that it could have had.\n"
                          : "Its own instances left no room for more.\n");
    }
}

void why_chunk(bytes *out, const ptl_special *s, ptl_placement rule, ptl_chunk_pos pos,
               const ptl_why *w)
{
    const bool sectors = rule == PTL_PLACEMENT_SECTORS;
    words_put(out, "Chunk %d,%d: ", pos.x, pos.y);
    put_verdict(out, s, rule, w);
    put_unique(out, s, pos, w);
    if (w->verdict == PTL_VERDICT_ASKED) {
        words_put(out,
                  "Origins, after each test: %d with all OMTs on their locations, %d of them "
                  "with their connections' points as they must be, %d of them with the city as "
                  "it must be; %d %s.\n",
                  w->ground, w->linked, w->city, w->room,
                  sectors ? "sectors had one" : "left by the specials before it");
        put_obstacle(out, rule, w);
    }
    words_put(out, "Placed: %d", w->placed);
    if (w->others > 0)
        words_put(out, ", and %d by other specials or steps", w->others);
    words_put(out, ".\n");
}

void why_words(bytes *out, const ptl_special *s, ptl_placement rule, ptl_chunk_pos pos,
               const ptl_why *w)
{
    why_wish(out, s);
    /* Names the ways, besides the rule of placement, by which the special is placed: the bits
     * of w->ways. */
    static const struct {
        uint32_t way;
        const char *name;
    } names[] = {{PTL_WAY_HOUSE, "cities, from the region's houses"},
                 {PTL_WAY_SHOP, "cities, from its shops"},
                 {PTL_WAY_PARK, "cities, from its parks"},
                 {PTL_WAY_FINALE, "large cities, as a finale"},
                 {PTL_WAY_TRAILHEAD, "trails, at their ends"},
                 {PTL_WAY_NESTED, "other specials, which bring it along"},
                 {PTL_WAY_HIGHWAY_ROAD, "highways, as a part of their road"},
                 {PTL_WAY_HIGHWAY_END, "highways, where one ends"},
                 {PTL_WAY_HIGHWAY_BEND, "highways, as a bend"},
                 {PTL_WAY_HIGHWAY_THREE, "highways, where three meet"},
                 {PTL_WAY_HIGHWAY_FOUR, "highways, where four meet"},
                 {PTL_WAY_INTERCHANGE, "highways, as an interchange along them"}};
    const char *before = "It is placed by ";
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (w->ways & names[i].way) {
            words_put(out, "%s%s", before, names[i].name);
            before = "; by ";
        }
    if (before[0] == ';')
        words_put(out, ".\n");
    if (w->ways & PTL_WAYS_HIGHWAY && w->ways & PTL_WAY_HIGHWAYS_OFF)
        words_put(out, "This world has no highways ('new --highways on' makes them).\n");
    why_chunk(out, s, rule, pos, w);
}

/* Says which OMTs keep the special from standing at the place. */
static void put_wrong(bytes *out, const ptl_why_place *p)
{
    static const char *const sides[] = {"north", "east", "south", "west"};
    const bool links = p->passed == PTL_WHY_LINKED;
    words_put(out, "Turned to the %s, which suits best, %d of the %d %s it needs %s must be. ",
              sides[p->rotation & 3], p->wrong, p->cells,
              links ? "points of connections" : "OMTs",
              p->wrong == 1 ? "is not as it" : "are not as they");
    words_put(out, "At %d,%d,%d from there ", p->x, p->y, p->z);
    if (p->outside)
        words_put(out, "the chunk ends");
    else if (p->taken)
        words_put(out, "another special stands, on '%s'", p->ground);
    else
        words_put(out, "lies '%s'", p->ground);
    if (p->want_count == 0)
        words_put(out, "; nothing in this region may lie there.\n");
    else if (p->want_count <= 3)
        words_put(out, "; it needs %s.\n", p->wants);
    else
        words_put(out, "; it needs one of %d terrains: %s, and so on.\n", p->want_count,
                  p->wants);
}

void why_place(bytes *out, const ptl_special *s, ptl_omt at, const ptl_why *w,
               const ptl_why_place *p)
{
    words_put(out, "At %jd,%jd, as its origin: ", (intmax_t)at.x, (intmax_t)at.y);
    if (w->verdict != PTL_VERDICT_ASKED) {
        words_put(out, "no rule asks for it in this chunk, so no place is tested.\n");
        return;
    }
    if (p->passed <= PTL_WHY_LINKED && p->cells == 0) {
        words_put(out, "it can't stand there.\n");
    } else if (p->passed == PTL_WHY_GROUND) {
        words_put(out, "not all its OMTs would lie on their locations. ");
        put_wrong(out, p);
    } else if (p->passed == PTL_WHY_LINKED) {
        words_put(out, "the ground is right, but its connections are not. ");
        put_wrong(out, p);
    } else if (p->passed == PTL_WHY_CITY) {
        words_put(out, "ground and connections are right, but the city is not. ");
        if (p->has_city)
            words_put(out, "The nearest is %d OMT%s away and has the size %d", p->city_distance,
                      plural((uint64_t)p->city_distance), p->city_size);
        else
            words_put(out, "None is near");
        const bool far = put_range(out, "; it asks for a distance of", s->city_distance);
        (void)put_range(out, far ? " and a size of" : "; it asks for a size of", s->city_sizes);
        words_put(out, ".\n");
    } else if (p->passed == PTL_WHY_ROOM) {
        words_put(out, "ground, connections and city are right, but specials before it had "
                       "taken the room.\n");
    } else {
        words_put(out, "it passes all tests; chance chose among %d such origins.\n", w->room);
    }
    if (p->passed < PTL_WHY_TESTS && p->has_nearest)
        words_put(out, "The nearest origin that passes all tests is %jd,%jd.\n",
                  (intmax_t)p->nearest_x, (intmax_t)p->nearest_y);
}
