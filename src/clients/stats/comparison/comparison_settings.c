/* What two samples were made with, side by side. */
#include "portolan/stats.h"

#include <stdio.h>
#include <string.h>

typedef struct difference_list {
    ptl_comparison_difference *items;
    size_t count;
} difference_list;

static void note(difference_list *list, const char *what, const char *a, const char *b)
{
    if (strcmp(a, b) == 0 || list->count == PTL_COMPARISON_DIFFERENCES)
        return;
    ptl_comparison_difference *d = &list->items[list->count++];
    d->what = what;
    snprintf(d->a, sizeof d->a, "%s", a);
    snprintf(d->b, sizeof d->b, "%s", b);
}

static void note_number(difference_list *list, const char *what, double a, double b)
{
    char text[2][40];
    snprintf(text[0], sizeof text[0], "%.9g", a);
    snprintf(text[1], sizeof text[1], "%.9g", b);
    note(list, what, text[0], text[1]);
}

static void note_flag(difference_list *list, const char *what, bool a, bool b)
{
    note(list, what, a ? "yes" : "no", b ? "yes" : "no");
}

static const char *placement(const ptl_world_options *w)
{
    return w->placement == PTL_PLACEMENT_QUOTA ? "quota" : "sectors";
}

static const char *text(const char *t)
{
    return t ? t : "";
}

size_t ptl_comparison_differences(ptl_comparison_difference out[PTL_COMPARISON_DIFFERENCES],
                                  const ptl_sample *sample_a, const ptl_sample *sample_b)
{
    difference_list list = {out, 0};
    const ptl_sample_info *in_a = ptl_sample_about(sample_a),
                          *in_b = ptl_sample_about(sample_b);
    const ptl_world_options *a = in_a->settings, *b = in_b->settings;
    note(&list, "content", in_a->content, in_b->content);
    note_number(&list, "generator version", in_a->generator_version, in_b->generator_version);
    note(&list, "region", text(a->region), text(b->region));
    note(&list, "placement", placement(a), placement(b));
    note_number(&list, "specials density", a->specials_density, b->specials_density);
    note_number(&list, "specials spacing", a->specials_spacing, b->specials_spacing);
    note_number(&list, "city size", a->city_size, b->city_size);
    note_number(&list, "city spacing", a->city_spacing, b->city_spacing);
    note_flag(&list, "railroads", a->railroads, b->railroads);
    note_flag(&list, "subways", a->subways, b->subways);
    note_flag(&list, "compat", a->compat, b->compat);
    note_flag(&list, "scale unique", a->scale_unique, b->scale_unique);
    note_number(&list, "unique radius", a->unique_radius, b->unique_radius);
    return list.count;
}
