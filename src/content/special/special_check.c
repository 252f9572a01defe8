/*
 * The static check of specials: what can never be placed, whatever the ground and the draws,
 * is reported at its place with the reason. It runs when everything has been read, on specials
 * without errors. This file drives it, and checks numbers and flags.
 */
#include "content/special/special_check.h"

#include <inttypes.h>
#include <string.h>

enum {
    SECTORS = 144,          /* in an overmap; rule `sectors` places one special in each */
    CITY_NEEDED_BELOW = 180 /* with a larger maximal distance no city is needed */
};

static bool unique(const special *sp)
{
    return special_list_has(&sp->flags, "UNIQUE") ||
           special_list_has(&sp->flags, "OVERMAP_UNIQUE") ||
           special_list_has(&sp->flags, "GLOBALLY_UNIQUE");
}

static void check_flags(static_check *c, special *sp)
{
    field f = special_field(c->im, sp, "flags");
    /* Not an error, as Bright Nights' own specials have both UNIQUE and GLOBALLY_UNIQUE. */
    if (special_list_has(&sp->flags, "OVERMAP_UNIQUE") &&
        special_list_has(&sp->flags, "GLOBALLY_UNIQUE"))
        field_warning(f, "GLOBALLY_UNIQUE and OVERMAP_UNIQUE exclude each other: the first "
                         "counts");
    if (special_list_has(&sp->flags, "UNIQUE") && c->im->game &&
        strcmp(c->im->game, "dda") == 0)
        field_warning(f, "in DDA UNIQUE has no effect since 0.H: OVERMAP_UNIQUE is what it "
                         "means, and what is done");
    if (special_list_has(&sp->flags, "LAKE") && !c->has_lake)
        field_warning(f, "LAKE: no terrain has that flag, so it is never asked for");
    if (special_list_has(&sp->flags, "RIVER") && !c->has_river)
        field_warning(f, "RIVER: no terrain has that flag, so it is never asked for");
}

static void check_city(import *im, special *sp)
{
    const overmap_special_row *row = &sp->row;
    const content_number farthest = row->city_distance_max, largest = row->city_sizes_max;
    field distance = special_field(im, sp, "city_distance");
    if (farthest.given && farthest.value < 0)
        field_warning(distance,
                      "the distance from a city's edge is never below 0: the special can never "
                      "be placed");
    else if (farthest.given && row->city_distance_min > CITY_NEEDED_BELOW)
        field_warning(distance,
                      "cities farther away than %d are not known, so that the maximum is never "
                      "met: the special can never be placed",
                      CITY_NEEDED_BELOW);
    const bool wanted =
        row->city_sizes_min > 0 || (farthest.given && farthest.value < CITY_NEEDED_BELOW);
    if (largest.given && largest.value < 1 && wanted)
        field_warning(special_field(im, sp, "city_sizes"),
                      "no city is smaller than 1, and the special must be near one: it "
                      "can never be placed");
}

/* Counts specials with an OMT off the ground that has no locations of its own, where the
 * special's locations (meant for the ground) leave out the level's default terrain. */
static void count_relying(static_check *c, special *sp)
{
    for (size_t i = 0; i < sp->omt_count; i++) {
        const special_omt *t = &sp->omts[i];
        const int below = t->point[2] < 0;
        if (t->point[2] == 0 || t->locations.count > 0 || !c->levels[below])
            continue;
        memset(c->scratch[0], 0, c->words * sizeof *c->scratch[0]);
        check_add_list(c, &sp->locations, c->scratch[0]);
        if (bits_meet(c, c->scratch[0], c->levels[below]))
            continue;
        if (c->relying++ == 0) {
            c->first_relying = sp;
            c->first_omt = t;
        }
        return;
    }
}

static void check_one(static_check *c, special *sp)
{
    const int64_t min = sp->row.occurrences_min, max = sp->row.occurrences_max;
    const field f = special_field(c->im, sp, "occurrences");
    if (!sp->building && min > max && max != 0) /* a maximum of 0 switches it off */
        field_warning(f, "the minimum is above the maximum: the special is never asked for");
    if (!sp->building && max > 0) {
        if (unique(sp) && min <= 0)
            field_warning(f,
                          "for a unique special this is a chance of %" PRId64 " in %" PRId64
                          ": it is never asked for",
                          min, max);
        else if (min <= max && !unique(sp) && min > SECTORS)
            field_warning(f,
                          "rule 'sectors' places at most %d specials in an overmap: %" PRId64
                          " are never reached",
                          SECTORS, min);
        check_flags(c, sp);
        check_city(c->im, sp);
        if (sp->eoc_in_play)
            field_warning(special_field(c->im, sp, "eoc"),
                          "only play can tell whether this effect_on_condition's condition is "
                          "met: here it is");
    }
    if (!sp->is_mutable && sp->omt_count == 0 && sp->check_count > 0)
        field_warning(special_field(c->im, sp, "overmaps"),
                      "its points are checks alone, none has an 'overmap': it is never %s",
                      sp->building ? "built" : "asked for");
    if (sp->is_mutable) {
        check_mutable_ground(c, sp);
        check_growth(c, sp);
    } else if (!sp->building) {
        check_fixed_ground(c, sp);
        count_relying(c, sp);
    }
}

void special_check_all(import *im)
{
    static_check c;
    const special_model *m = im->specials;
    if (m->current_count == 0 || import_ended(im) || !check_prepare(&c, im))
        return;
    for (size_t i = 0; i < m->current_count && !import_ended(im) && !import_stopped(im); i++) {
        special *sp = m->current[i];
        if (!sp->wrong && !sp->orphan && !sp->left_out)
            check_one(&c, sp);
    }
    if (c.relying == 0)
        return;
    special *sp = c.first_relying;
    field f = field_at(special_field(c.im, sp, "overmaps"), (size_t)(c.first_omt - sp->omts));
    import_note(c.im, f.obj, sp->id, field_pointer(f),
                "%zu special%s on the level's own terrain off the ground ('%s' above, '%s' "
                "below), which %s locations do not name; this is the first",
                c.relying, c.relying == 1 ? " relies" : "s rely",
                c.level_names[0] ? c.level_names[0] : "open_air",
                c.level_names[1] ? c.level_names[1] : "empty_rock",
                c.relying == 1 ? "its" : "their");
}
