/* The words for kinds, verdicts and reasons of coverage, and the sentences for reasons. */
#include "portolan/coverage.h"

static const char *const kinds[PTL_COVERAGE_KINDS] = {
    [PTL_COVERAGE_TERRAIN] = "terrain",   [PTL_COVERAGE_SPECIAL] = "special",
    [PTL_COVERAGE_BUILDING] = "building", [PTL_COVERAGE_MAPGEN] = "mapgen",
    [PTL_COVERAGE_EXTRA] = "extra",
};

static const char *const verdicts[PTL_COVERAGE_VERDICTS] = {
    [PTL_COVERAGE_COMES] = "comes",
    [PTL_COVERAGE_RARE] = "rare",
    [PTL_COVERAGE_NOT_SEEN] = "not-seen",
    [PTL_COVERAGE_NEVER] = "never",
};

static const struct {
    const char *name, *text;
} reasons[PTL_COVERAGE_REASONS] = {
    [PTL_COVERAGE_NO_REASON] = {"", ""},
    [PTL_COVERAGE_UNNAMED] = {"unnamed", "nothing places it: no special, building, list of a "
                                         "region, connection or step of generation names it"},
    [PTL_COVERAGE_PIECE] = {"piece", "it is in mutable specials only, in pieces that no rule "
                                     "places or to which no open join leads"},
    [PTL_COVERAGE_CONNECTION] = {"connection",
                                 "only a connection names it, but nothing draws this "
                                 "connection, or only on terrain that never comes"},
    [PTL_COVERAGE_STEP_OFF] =
        {"step", "only a step of generation makes it, and no region uses this step"},
    [PTL_COVERAGE_PLACER] = {"placer", "it is only in specials or buildings that never come"},
    [PTL_COVERAGE_REGION] =
        {"region", "no region places it: each excludes it, or has no specials or cities"},
    [PTL_COVERAGE_NO_BIN] =
        {"no-bin", "no region lists it among its houses, shops, parks, finales or trailheads"},
    [PTL_COVERAGE_ZERO] = {"zero", "its weight, chance or number is 0"},
    [PTL_COVERAGE_CONDITION] = {"condition", "its condition asks for a mod that is not loaded"},
    [PTL_COVERAGE_EMPTY] = {"empty", "it has no OMTs: a mod has switched it off"},
    [PTL_COVERAGE_GROUND] =
        {"ground", "one of its OMTs needs terrain that never comes on this OMT's level"},
    [PTL_COVERAGE_WAYS] = {"ways",
                           "it needs a road, trail or other connection that can't be there"},
    [PTL_COVERAGE_CITY] = {"city", "it asks for cities that no region has"},
    [PTL_COVERAGE_JOIN] =
        {"join", "a join of its first piece leads to a cell on which no piece may lie"},
    [PTL_COVERAGE_TERRAIN_NEVER] = {"terrain", "its overmap terrain never comes"},
    [PTL_COVERAGE_REPLACED] = {"replaced", "something else is made in its place"},
    [PTL_COVERAGE_CODE] = {"code", "the games place it by code, and Portolan does not"},
    [PTL_COVERAGE_FITS_NOWHERE] = {"fits-nowhere",
                                   "overmaps asked for it, but it fitted nowhere in them"},
    [PTL_COVERAGE_NOT_DRAWN] = {"not-drawn",
                                "chance did not choose it; overmaps that had to place it did"},
    [PTL_COVERAGE_TERRAIN_NOT_SEEN] = {"terrain-not-seen", "its overmap terrain did not come"},
    [PTL_COVERAGE_NOT_FOUND] = {"not-found", "it did not come, and no reason was found"},
};

/* Returns a text of a list, or "" beyond its end. */
#define WORD_OF(list, at) ((size_t)(at) < sizeof(list) / sizeof *(list) ? (list)[at] : "")

const char *ptl_coverage_kind_name(ptl_coverage_kind kind)
{
    return WORD_OF(kinds, kind);
}

const char *ptl_coverage_verdict_name(ptl_coverage_verdict verdict)
{
    return WORD_OF(verdicts, verdict);
}

const char *ptl_coverage_reason_name(ptl_coverage_reason reason)
{
    return (size_t)reason < PTL_COVERAGE_REASONS ? reasons[reason].name : "";
}

const char *ptl_coverage_reason_text(ptl_coverage_reason reason)
{
    return (size_t)reason < PTL_COVERAGE_REASONS ? reasons[reason].text : "";
}
