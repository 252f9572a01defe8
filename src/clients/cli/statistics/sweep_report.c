/* Prints how precisely a sweep knows each special's rate. */
#include "clients/cli/statistics/sweep_report.h"

#include <math.h>

static bool go_on(void *payload, uint64_t done, uint64_t total)
{
    (void)payload;
    (void)done;
    (void)total;
    return !stop_wanted();
}

int sweep_state_read(sweep_state *out, session *s, const char *name,
                     const ptl_precision_options *wish)
{
    char full[128];
    memset(out, 0, sizeof *out);
    snprintf(full, sizeof full, "sweep:%s", name);
    ptl_sample_options options = PTL_SAMPLE_OPTIONS_INIT;
    ptl_tally *tally = ptl_tally_new();
    options.parts = PTL_COUNT_SPECIALS;
    options.on_progress = go_on;
    s->err = (ptl_error){0};
    if (!tally)
        return session_no_memory(s);
    ptl_status status = ptl_sample_open(&out->sample, s->store, full, &s->err);
    if (status == PTL_OK)
        status = ptl_tally_add(tally, out->sample, &options, &s->err);
    if (status == PTL_OK)
        status = ptl_precision_new(&out->precision, out->sample, tally, wish, &s->err);
    out->overmaps = tally->overmaps;
    ptl_tally_free(tally);
    return status == PTL_OK ? EXIT_DONE : session_failed(s);
}

void sweep_state_dispose(sweep_state *state)
{
    ptl_precision_free(state->precision);
    ptl_sample_close(state->sample);
    memset(state, 0, sizeof *state);
}

/* Writes a half width: in percent if it is relative to the mean, unchanged for a share. */
static void format_half_width(const ptl_precision_row *row, char out[32])
{
    if (!isfinite(row->half_width))
        snprintf(out, 32, "-");
    else if (row->is_share)
        snprintf(out, 32, "%.4f", row->half_width);
    else
        snprintf(out, 32, "%.2f %%", 100 * row->half_width);
}

/* Finds the widest interval among the shares and among the means. Specials that were never
 * placed have no relative width. */
void sweep_print_summary(const sweep_state *state, const ptl_precision_options *wish)
{
    const ptl_precision_row *worst[2] = {NULL, NULL};
    size_t unknown = 0;
    for (size_t i = 0; i < state->precision->count; i++) {
        const ptl_precision_row *row = state->precision->rows[i];
        const ptl_precision_row **w = &worst[row->is_share];
        unknown += isfinite(row->half_width) ? 0 : 1;
        if (isfinite(row->half_width) && (!*w || row->half_width > (*w)->half_width))
            *w = row;
    }
    out_prose_begin(0);
    out_printf("%ju overmaps; half widths of %g %% intervals:", state->overmaps,
               100 * wish->level);
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
    out_prose_end();
}

/* ---- rows ---- */

static void print_words(const sweep_state *state, const ptl_precision_options *wish)
{
    const ptl_precision_row *most = NULL;
    size_t reached = 0;
    out_printf(
        "\n%ju overmaps; %g %% intervals. share: of overmaps that have a UNIQUE special "
        "(Wilson); mean: number per overmap (Student's t), its half width relative to it.\n",
        state->overmaps, 100 * wish->level);
    if (!(wish->wanted > 0))
        return;
    for (size_t i = 0; i < state->precision->count; i++) {
        reached += state->precision->rows[i]->half_width <= wish->wanted ? 1 : 0;
        if (!most || state->precision->rows[i]->needed > most->needed)
            most = state->precision->rows[i];
    }
    const size_t unknown = state->precision->unknown;
    out_printf("Half widths of %g (shares) and %g %% (means): %zu of %zu specials have them.\n",
               wish->wanted, 100 * wish->wanted, reached, state->precision->count);
    if (most && most->needed > 0)
        out_printf("All of them: %ju overmaps, for %s.\n", most->needed, most->id);
    if (unknown > 0)
        out_printf("%zu were never placed: how many overmaps that takes can't be told.\n",
                   unknown);
}

static void json_number(const char *key, double value)
{
    char text[32];
    format_double(value, text);
    out_printf(", \"%s\": %s", key, isfinite(value) ? text : "null");
}

int sweep_print(const sweep_state *state, const char *name, const ptl_precision_options *wish,
                const rows_style *style)
{
    if (style->format == ROWS_JSON) {
        out_text("{\"sweep\": ");
        out_json_text(name);
        out_printf(", \"overmaps\": %ju", state->overmaps);
        json_number("level", wish->level);
        json_number("wanted", wish->wanted > 0 ? wish->wanted : INFINITY);
        out_text(",\n\"specials\": ");
    }
    static const report_column columns[] = {
        COLUMN(special),
        COLUMN(rate),
        COLUMN_AS(estimate, "estimate", 4, 0),
        COLUMN_AS(low, "low", 4, REPORT_RANK(1)),
        COLUMN_AS(high, "high", 4, REPORT_RANK(1)),
        COLUMN_DATA(half_width),
        COLUMN_AS(half_width_text, "half width", 0, REPORT_EYE_ONLY),
        COLUMN(needed),
        COLUMNS_END};
    row_printer *r = rows_new(style, columns, false);
    for (size_t i = 0; i < state->precision->count; i++) {
        const ptl_precision_row *row = state->precision->rows[i];
        char width[32];
        format_half_width(row, width);
        (void)rows_put(r, CELLS(cell_text(row->id), cell_text(row->is_share ? "share" : "mean"),
                                cell_real(row->estimate), cell_real(row->range.low),
                                cell_real(row->range.high), cell_real(row->half_width),
                                cell_text(width),
                                row->needed > 0 ? cell_uint(row->needed) : cell_none()));
    }
    const bool good = rows_finish(r);
    if (style->format == ROWS_JSON)
        out_text("}\n");
    if (style->format == ROWS_TABLE) {
        out_prose_begin(0);
        print_words(state, wish);
        out_prose_end();
    }
    if (!good)
        tell("portolan sweep: memory is out\n");
    return good ? EXIT_DONE : EXIT_FAILED;
}
