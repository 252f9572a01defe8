/* Writes a ptl_why as JSON. The words of each enum stand in the order of its values
 * in portolan/why.h. */
#include "clients/lookup/why_json.h"

#include <stddef.h>

const char *why_verdict(ptl_verdict verdict)
{
    static const char *const names[] = {"asked",    "no occurrences", "no OMTs", "no cities",
                                        "excluded", "no water",       "chance",  "not home",
                                        "amount 0", "condition",      "building"};
    return (size_t)verdict < sizeof names / sizeof names[0] ? names[verdict] : "?";
}

static void put_place(emitter *j, int32_t x, int32_t y, int32_t z)
{
    emit_key_int(j, "x", x);
    emit_key_int(j, "y", y);
    emit_key_int(j, "z", z);
}

/* The join that kept a mutable special from being completed. */
static void put_join(emitter *j, const ptl_why *w)
{
    if (!w->join[0])
        return;
    emit_key(j, "join");
    emit_open(j, '{');
    emit_key_text(j, "id", w->join);
    put_place(j, w->join_x, w->join_y, w->join_z);
    emit_key_text(j, "ground", w->join_ground[0] ? w->join_ground : NULL);
    emit_key_int(j, "undone", w->join_undone);
    emit_close(j, '}');
}

void why_put(emitter *j, const ptl_why *w, bool home)
{
    static const char *const rolls[] = {"none", "chance", "deck", "sure"};
    static const char *const drops[] = {"no", "rule", "no city", "city"};
    static const char *const tried[] = {"all", "ended", "no ground"};
    emit_key_text(j, "verdict", why_verdict(w->verdict));
    emit_key_int(j, "asked", w->asked);
    emit_key_int(j, "ground", w->ground);
    emit_key_int(j, "linked", w->linked);
    emit_key_int(j, "city", w->city);
    emit_key_int(j, "room", w->room);
    emit_key_int(j, "failed", w->failed);
    emit_key_int(j, "placed", w->placed);
    emit_key_int(j, "others", w->others);
    emit_key_text(j, "roll", rolls[w->roll]);
    emit_key_text(j, "dropped", drops[w->dropped]);
    emit_key_text(j, "tried", tried[w->tried]);
    if (home) {
        emit_key(j, "home");
        emit_open(j, '[');
        emit_int(j, w->home.x);
        emit_int(j, w->home.y);
        emit_close(j, ']');
    }
    /* Which other steps of generation may place the special. */
    static const char *const ways[] = {
        "house",    "shop",         "park",         "finale",       "trailhead",
        "nested",   "highway road", "highway end",  "highway bend", "three way",
        "four way", "interchange",  "highways off", "limited"}; /* in PTL_WAY_ order */
    emit_key(j, "ways");
    emit_open(j, '[');
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        if (w->ways >> i & 1)
            emit_text(j, ways[i]);
    emit_close(j, ']');
    /* The OMT of the special whose ground is the rarest in the chunk. Only present if no place
     * had all the ground that the special needs. */
    if (w->has_need) {
        emit_key(j, "need");
        emit_open(j, '{');
        put_place(j, w->need_x, w->need_y, w->need_z);
        emit_key_int(j, "cells", w->need_cells);
        emit_close(j, '}');
    }
    put_join(j, w);
}
