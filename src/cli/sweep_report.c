#include "cli/sweep_report.h"

#include "cli/output.h"
#include "cli/progress.h"
#include "cli/table.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool go_on(void *payload, uint64_t done, uint64_t total)
{
    (void)payload;
    (void)done;
    (void)total;
    return !stop_wanted();
}

int sweep_state_read(sweep_state *out, session *s, const char *name, const precision_wish *wish)
{
    char full[128];
    memset(out, 0, sizeof *out);
    snprintf(full, sizeof full, "sweep:%s", name);
    const sample_options options = {.parts = SUMMARY_SPECIALS, .on_progress = go_on};
    s->err = (ptl_error){0};
    ptl_status status = sample_open(&out->sample, s->store, full, &s->err);
    if (status == PTL_OK && !tally_init(&out->tally)) {
        s->err = (ptl_error){PTL_ERR_NOMEM, 0, "memory is out"};
        status = PTL_ERR_NOMEM;
    }
    if (status == PTL_OK)
        status = sample_tally(&out->tally, &out->sample, &options, &s->err);
    if (status == PTL_OK)
        status =
            precision_rows(&out->rows, &out->count, &out->sample, &out->tally, wish, &s->err);
    out->overmaps = out->tally.overmaps;
    return status == PTL_OK ? EXIT_DONE : session_failed(s);
}

void sweep_state_dispose(sweep_state *state)
{
    free(state->rows);
    tally_dispose(&state->tally);
    sample_dispose(&state->sample);
    memset(state, 0, sizeof *state);
}

/* Relative half widths are printed in percent, shares as they are. */
static void format_half_width(const precision_row *row, char out[32])
{
    if (!isfinite(row->half_width))
        snprintf(out, 32, "-");
    else if (row->is_share)
        snprintf(out, 32, "%.4f", row->half_width);
    else
        snprintf(out, 32, "%.2f %%", 100 * row->half_width);
}

void sweep_print_summary(const sweep_state *state, const precision_wish *wish)
{
    const precision_row *worst[2] = {NULL, NULL};
    size_t unknown = 0;
    for (size_t i = 0; i < state->count; i++) {
        const precision_row *row = &state->rows[i];
        const precision_row **w = &worst[row->is_share];
        unknown += isfinite(row->half_width) ? 0 : 1;
        if (isfinite(row->half_width) && (!*w || row->half_width > (*w)->half_width))
            *w = row;
    }
    out_printf("%" PRIu64 " overmaps; half widths of %g %% intervals:", state->overmaps,
               100 * wish->confidence);
    char text[32];
    const char *const kinds[2] = {"means", "shares of UNIQUE specials"};
    for (int share = 0; share < 2; share++)
        if (worst[share]) {
            format_half_width(worst[share], text);
            out_printf("%s %s at most %s (%s)", share && worst[0] ? ";" : "", kinds[share],
                       text, worst[share]->id);
        }
    if (unknown > 0)
        out_printf("%s %zu specials were never placed", worst[0] || worst[1] ? ";" : "",
                   unknown);
    out_text("\n");
}

static bool number(table *t, double value, int digits)
{
    char text[48];
    const int size = snprintf(text, sizeof text, "%.*f", digits, value);
    return table_cell(t, text, (size_t)size, true);
}

static bool needed(table *t, const precision_row *row)
{
    char text[32];
    if (row->needed == 0)
        snprintf(text, sizeof text, "-");
    else
        snprintf(text, sizeof text, "%" PRIu64, row->needed);
    return table_cell(t, text, strlen(text), true);
}

static bool table_row(table *t, const precision_row *row, bool wanted)
{
    char width[32];
    format_half_width(row, width);
    return table_text(t, row->id) && table_text(t, row->is_share ? "share" : "mean") &&
           number(t, row->estimate, 4) && number(t, row->range.low, 4) &&
           number(t, row->range.high, 4) && table_cell(t, width, strlen(width), true) &&
           (!wanted || needed(t, row));
}

int sweep_print_table(const sweep_state *state, const precision_wish *wish)
{
    static const char *const heads[] = {"special", "rate",       "estimate", "low",
                                        "high",    "half width", "needed"};
    const bool wanted = wish->wanted > 0;
    size_t unknown;
    table *t = table_new(wanted ? 7 : 6, heads);
    bool good = t != NULL;
    for (size_t i = 0; good && i < state->count; i++)
        good = table_row(t, &state->rows[i], wanted);
    table_finish(t);
    if (!good) {
        tell("portolan sweep: memory is out\n");
        return EXIT_FAILED;
    }
    out_printf("\n%" PRIu64 " overmaps; %g %% intervals. share: of overmaps that have a UNIQUE "
               "special (Wilson);\nmean: number per overmap (Student's t), its half width "
               "relative to it.\n",
               state->overmaps, 100 * wish->confidence);
    if (!wanted)
        return EXIT_DONE;
    const precision_row *most = NULL;
    size_t reached = 0;
    for (size_t i = 0; i < state->count; i++) {
        reached += state->rows[i].half_width <= wish->wanted ? 1 : 0;
        if (!most || state->rows[i].needed > most->needed)
            most = &state->rows[i];
    }
    (void)precision_needed(state->rows, state->count, &unknown);
    out_printf("Half widths of %g (shares) and %g %% (means): %zu of %zu specials have them.\n",
               wish->wanted, 100 * wish->wanted, reached, state->count);
    if (most && most->needed > 0)
        out_printf("All of them: %" PRIu64 " overmaps, for %s.\n", most->needed, most->id);
    if (unknown > 0)
        out_printf("%zu were never placed: how many overmaps that takes can't be told.\n",
                   unknown);
    return EXIT_DONE;
}

static void json_number(const char *key, double value)
{
    char text[32];
    format_double(value, text);
    out_printf(", \"%s\": %s", key, isfinite(value) ? text : "null");
}

void sweep_print_json(const sweep_state *state, const char *name, const precision_wish *wish)
{
    out_text("{\"sweep\": ");
    out_json_text(name);
    out_printf(", \"overmaps\": %" PRIu64, state->overmaps);
    json_number("level", wish->confidence);
    json_number("wanted", wish->wanted > 0 ? wish->wanted : INFINITY);
    out_text(",\n\"specials\": [");
    for (size_t i = 0; i < state->count; i++) {
        const precision_row *row = &state->rows[i];
        out_text(i ? ",\n{\"special\": " : "\n{\"special\": ");
        out_json_text(row->id);
        out_printf(", \"rate\": \"%s\"", row->is_share ? "share" : "mean");
        json_number("estimate", row->estimate);
        json_number("low", row->range.low);
        json_number("high", row->range.high);
        json_number("half_width", row->half_width);
        if (row->needed > 0)
            out_printf(", \"needed\": %" PRIu64 "}", row->needed);
        else
            out_text(", \"needed\": null}");
    }
    out_text("\n]}\n");
}
