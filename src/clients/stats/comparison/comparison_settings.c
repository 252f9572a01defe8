/* What two samples were made with, side by side. */
#include "core/settings.h"
#include "portolan/stats.h"

#include <assert.h>
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

static_assert(PTL_COMPARISON_DIFFERENCES >= SETTINGS_OF_SWEEPS + 2, "each may differ");

size_t ptl_comparison_differences(ptl_comparison_difference out[PTL_COMPARISON_DIFFERENCES],
                                  const ptl_sample *sample_a, const ptl_sample *sample_b)
{
    difference_list list = {out, 0};
    const ptl_sample_info *in_a = ptl_sample_about(sample_a),
                          *in_b = ptl_sample_about(sample_b);
    const ptl_world_options *a = in_a->settings, *b = in_b->settings;
    note(&list, "content", in_a->content, in_b->content);
    note_number(&list, "generator version", in_a->generator_version, in_b->generator_version);
    for (size_t i = 0; i < SETTINGS_OF_SWEEPS; i++) {
        char text[2][SETTING_TEXT_SIZE];
        if (!setting_is_same(a, b, &setting_rows[i]))
            note(&list, setting_rows[i].option, setting_text(text[0], a, &setting_rows[i]),
                 setting_text(text[1], b, &setting_rows[i]));
    }
    return list.count;
}
