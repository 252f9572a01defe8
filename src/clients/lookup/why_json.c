/* Writes the explanation that ptl_why has as JSON. The tables of words have the order of the
 * enums' values in portolan/why.h. */
#include "clients/lookup/why_json.h"

const char *why_verdict(ptl_verdict verdict)
{
    static const char *const names[] = {"asked",    "no occurrences", "no OMTs", "no cities",
                                        "excluded", "no water",       "chance",  "not home",
                                        "amount 0", "condition",      "building"};
    return (size_t)verdict < sizeof names / sizeof names[0] ? names[verdict] : "?";
}

void why_put(emitter *j, const ptl_why *w, bool home)
{
    static const char *const rolls[] = {"none", "chance", "deck", "sure"};
    static const char *const drops[] = {"no", "rule", "no city", "city"};
    static const char *const tried[] = {"all", "ended", "no ground"};
    /* Names of the steps of generation, other than the rule of placement, that may place a
     * special, in the order of the bits PTL_WAY_.... */
    static const char *const ways[] = {
        "house",    "shop",         "park",         "finale",       "trailhead",
        "nested",   "highway road", "highway end",  "highway bend", "three way",
        "four way", "interchange",  "highways off", "limited"};
    emit_put(
        j,
        "verdict:%s, asked:%d, ground:%d, linked:%d, city:%d, room:%d, failed:%d, placed:%d, "
        "others:%d, roll:%s, dropped:%s, tried:%s",
        why_verdict(w->verdict), w->asked, w->ground, w->linked, w->city, w->room, w->failed,
        w->placed, w->others, rolls[w->roll], drops[w->dropped], tried[w->tried]);
    if (home)
        emit_put(j, "home:[%d, %d]", w->home.x, w->home.y);
    emit_put(j, "ways:[");
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        if (w->ways >> i & 1)
            emit_text(j, ways[i]);
    emit_put(j, "]");
    /* Writes which OMT of the special is the hardest to place: the one whose terrain suits the
     * fewest cells of the chunk, and how many. It is known only if there is no place in the
     * chunk whose terrain suits the whole special. */
    if (w->has_need)
        emit_put(j, "need:{x:%d, y:%d, z:%d, cells:%d}", w->need_x, w->need_y, w->need_z,
                 w->need_cells);
    /* The join that kept a mutable special from being completed. */
    if (w->join[0])
        emit_put(j, "join:{id:%s, x:%d, y:%d, z:%d, ground:%s, undone:%d}", w->join, w->join_x,
                 w->join_y, w->join_z, w->join_ground[0] ? w->join_ground : NULL,
                 w->join_undone);
}

void why_put_place(emitter *j, ptl_omt at, const ptl_why_place *p)
{
    static const char *const sides[] = {"north", "east", "south", "west"};
    emit_put(j, "at:[%jd, %jd], place:{passed:%d", at.x, at.y, p->passed);
    if (p->cells > 0)
        emit_put(j, "turned:%s, wrong:%d, cells:%d, x:%d, y:%d, z:%d, outside:%i, taken:%i",
                 sides[p->rotation & 3], p->wrong, p->cells, p->x, p->y, p->z, p->outside,
                 p->taken);
    if (p->cells > 0)
        emit_put(j, "ground:%s, wants:%s, want_count:%d", p->ground[0] ? p->ground : NULL,
                 p->wants, p->want_count);
    if (p->has_city)
        emit_put(j, "city:{distance:%d, size:%d}", p->city_distance, p->city_size);
    if (p->has_nearest)
        emit_put(j, "nearest:[%jd, %jd]", p->nearest_x, p->nearest_y);
    emit_put(j, "}");
}
