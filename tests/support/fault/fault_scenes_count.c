/* Fault scenes of sweeps, searches, samples, and what counts tell. */
#include "portolan/coverage.h"
#include "portolan/stats.h"
#include "support/fault/fault_loop.h"

#include <string.h>

static const char SPECIAL[] = "anthill";
static const char OFTEN[] = "bee_garden"; /* stands twice in an overmap of the world */

/* ---- sweeps ---- */

static ptl_status sweep(fault_place *p, ptl_error *err)
{
    ptl_chunk_pos list[2];
    ptl_sweep_options options = PTL_SWEEP_OPTIONS_INIT;
    ptl_sweep_report report = PTL_SWEEP_REPORT_INIT;
    ptl_sweep_spiral(list, 2);
    options.seed_first = options.seed_last = 7;
    options.positions = list;
    options.position_count = 2;
    ptl_status status = ptl_sweep_run(&report, p->store, "s", &options, err);
    if (status == PTL_OK)
        fault_mix_number(p, (int64_t)(report.done + report.skipped));
    return status;
}

static ptl_status sweep_and_remove(fault_place *p, ptl_error *err)
{
    ptl_status status = sweep(p, err);
    return status == PTL_OK ? ptl_sweep_remove(p->store, "s", err) : status;
}

/* ---- coverage ---- */

static bool is_special(void *payload, ptl_coverage_kind kind, const char *id, const char *pack)
{
    (void)payload;
    (void)pack;
    return kind == PTL_COVERAGE_SPECIAL && strcmp(id, SPECIAL) == 0;
}

static ptl_status cover(fault_place *p, ptl_error *err)
{
    ptl_coverage_options options = PTL_COVERAGE_OPTIONS_INIT;
    ptl_coverage *coverage = NULL;
    options.overmaps = options.until = 1;
    options.wanted = is_special;
    const ptl_status status = ptl_coverage_run(&coverage, p->store, &options, err);
    for (size_t i = 0; coverage && i < ptl_coverage_count(coverage); i++) {
        const ptl_coverage_entry *e = ptl_coverage_entry_at(coverage, i);
        fault_mix_text(p, e->id);
        fault_mix_text(p, ptl_coverage_kind_name(e->kind));
        fault_mix_text(p, ptl_coverage_verdict_name(e->verdict));
        fault_mix_text(p, ptl_coverage_reason_name(e->reason));
        fault_mix_text(p, ptl_coverage_reason_text(e->reason));
    }
    if (coverage)
        fault_mix_number(p, (int64_t)ptl_coverage_overmap_count(coverage));
    ptl_coverage_free(coverage);
    return status;
}

/* ---- searches ---- */

static bool mix_match(void *payload, const ptl_search_match *match)
{
    fault_mix_number(payload, (int64_t)match->seed);
    fault_mix_number(payload, match->x);
    fault_mix_number(payload, match->y);
    fault_mix_number(payload, match->z);
    fault_mix_text(payload, match->what);
    return true;
}

static ptl_status run_search(fault_place *p, ptl_search *search, ptl_error *err)
{
    ptl_search_report report = PTL_SEARCH_REPORT_INIT;
    ptl_status status = ptl_search_run(&report, search, err);
    if (status == PTL_OK)
        fault_mix_number(p, (int64_t)report.matches);
    ptl_search_free(search);
    return status;
}

static ptl_search_options search_options(fault_place *p)
{
    ptl_search_options options = PTL_SEARCH_OPTIONS_INIT;
    options.where = "special anthill";
    options.on_match = mix_match;
    options.payload = p;
    options.seed_first = options.seed_last = 7;
    return options;
}

static ptl_status search_seeds(fault_place *p, ptl_error *err)
{
    const ptl_search_options options = search_options(p);
    ptl_search *search = NULL;
    fault_mix_text(p, ptl_search_grammar());
    ptl_status status = ptl_search_seeds_new(&search, NULL, p->store, &options, err);
    return status == PTL_OK ? run_search(p, search, err) : status;
}

static ptl_status search_world(fault_place *p, ptl_error *err)
{
    const ptl_search_options options = search_options(p);
    ptl_search *search = NULL;
    ptl_status status = ptl_search_world_new(&search, NULL, p->world, &options, err);
    return status == PTL_OK ? run_search(p, search, err) : status;
}

/* ---- samples ---- */

static void mix_double(fault_place *p, double value)
{
    fault_mix(p, &value, sizeof value);
}

static void mix_hist(fault_place *p, const ptl_hist *h)
{
    fault_mix_number(p, (int64_t)ptl_hist_total(h));
    fault_mix_number(p, ptl_hist_quantile(h, 0.5));
    mix_double(p, ptl_hist_mean(h));
    mix_double(p, ptl_hist_variance(h));
}

/* Both are to be freed, also after an error. */
static ptl_status count(fault_place *p, ptl_sample **sample, ptl_tally **tally, ptl_error *err)
{
    const char *const ids[] = {SPECIAL, OFTEN};
    ptl_sample_options options = PTL_SAMPLE_OPTIONS_INIT;
    options.neighbours = options.ripley = ids;
    options.neighbour_count = options.ripley_count = 2;
    *tally = NULL;
    ptl_status status = ptl_sample_open(sample, p->store, "w", err);
    if (status != PTL_OK)
        return status;
    *tally = ptl_tally_new();
    if (!*tally) {
        err->status = PTL_ERR_NOMEM;
        return PTL_ERR_NOMEM;
    }
    return ptl_tally_add(*tally, *sample, &options, err);
}

static void uncount(ptl_sample *sample, ptl_tally *tally)
{
    ptl_tally_free(tally);
    ptl_sample_close(sample);
}

static ptl_status sample(fault_place *p, ptl_error *err)
{
    ptl_sample *s = NULL;
    ptl_tally *t;
    ptl_hist random = {NULL, 0, 0};
    ptl_status status = count(p, &s, &t, err);
    if (status == PTL_OK) {
        size_t definitions = 0;
        const ptl_tally_special *own = ptl_tally_find(t, SPECIAL);
        const ptl_sample_special *definition = ptl_sample_find(s, SPECIAL);
        fault_mix_text(p, ptl_sample_about(s)->content);
        ptl_sample_specials(&definitions, s);
        fault_mix_number(p, (int64_t)(definitions + t->overmaps + t->terrain_count));
        fault_mix_number(p, own ? (int64_t)own->asked : -1);
        fault_mix_number(p, definition ? definition->occurrences_max : -1);
        mix_hist(p, &t->cities_per_overmap);
        status = ptl_random_points(&random, &t->cities_per_overmap, err);
    }
    if (status == PTL_OK)
        mix_hist(p, &random);
    ptl_hist_dispose(&random);
    uncount(s, t);
    return status;
}

/* ---- what counts tell ---- */

static ptl_status mix_facts(fault_place *p, const ptl_sample *s, const ptl_tally *t,
                            ptl_error *err)
{
    ptl_facts *facts = NULL;
    ptl_status status = ptl_facts_new(&facts, s, t, 0.95, err);
    if (status != PTL_OK)
        return status;
    ptl_facts_sort(facts, PTL_FACTS_BY_RATIO);
    for (size_t i = 0; i < facts->count; i++) {
        const ptl_special_facts *f = facts->items[i];
        fault_mix_text(p, f->id);
        fault_mix_text(p, ptl_rate_verdict_text(f->verdict));
        fault_mix_text(p, ptl_rate_reason_key(f->reason));
        fault_mix_text(p, ptl_rate_reason_text(f->reason));
        fault_mix_number(p, ptl_facts_is_lacking(f));
        if (!f->own)
            continue;
        fault_mix_number(
            p, (int64_t)ptl_rate_reason_overmaps(&f->own->failures, PTL_REASON_GROUND));
        mix_double(p, ptl_facts_rate(f, t, PTL_OVERMAP_NO_LAKE, 0.95).mean);
    }
    fault_mix_number(p, ptl_facts_find(facts, SPECIAL) != NULL);
    ptl_facts_free(facts);
    return PTL_OK;
}

static ptl_status mix_precision(fault_place *p, const ptl_sample *s, const ptl_tally *t,
                                ptl_error *err)
{
    const ptl_precision_options options = {.size = sizeof options, .wanted = 0.1};
    ptl_precision *precision = NULL;
    ptl_status status = ptl_precision_new(&precision, s, t, &options, err);
    if (status == PTL_OK)
        fault_mix_number(p, (int64_t)(precision->needed + precision->unknown));
    ptl_precision_free(precision);
    return status;
}

static ptl_status mix_comparison(fault_place *p, const ptl_sample *s, const ptl_tally *t,
                                 ptl_error *err)
{
    const ptl_comparison_options options = {.size = sizeof options, .terrains = true};
    ptl_comparison_difference differences[PTL_COMPARISON_DIFFERENCES];
    ptl_comparison_input side = {.tally = t};
    ptl_comparison *comparison = NULL;
    side.specials = ptl_sample_specials(&side.special_count, s);
    fault_mix_number(p, (int64_t)ptl_comparison_differences(differences, s, s));
    ptl_status status = ptl_comparison_new(&comparison, &side, &side, &options, err);
    for (size_t i = 0; status == PTL_OK && i < comparison->count; i++) {
        fault_mix_text(p, comparison->rows[i]->id);
        fault_mix_text(p, ptl_comparison_kind_name(comparison->rows[i]->kind));
        fault_mix_text(p, ptl_comparison_change_name(comparison->rows[i]->change));
    }
    ptl_comparison_free(comparison);
    return status;
}

static ptl_status mix_tests(fault_place *p, const ptl_tally *t, ptl_error *err)
{
    ptl_test_outcome outcome;
    const ptl_interval share = ptl_wilson_interval(3, 7, 0.95),
                       mean = ptl_mean_interval(&t->cities_per_overmap, 0.95),
                       few = ptl_poisson_interval(1, 7, 0.95);
    ptl_status status = ptl_counts_test(&outcome, &t->cities_per_overmap, &t->lake_share, err);
    mix_double(p, share.low + share.high);
    mix_double(p, mean.low + mean.high + few.high);
    if (status == PTL_OK)
        fault_mix_text(p, ptl_test_kind_name(outcome.kind));
    return status;
}

static void mix_pairs(fault_place *p, const ptl_tally *t)
{
    fault_mix_number(p, (int64_t)t->pair_count);
    for (size_t i = 0; i < t->ripley_count; i++)
        if (t->ripleys[i]->pairs > 0)
            mix_double(p, ptl_ripley_at(t->ripleys[i], 0, 0.95).high);
}

static ptl_status statistics(fault_place *p, ptl_error *err)
{
    ptl_sample *s = NULL;
    ptl_tally *t;
    ptl_status status = count(p, &s, &t, err);
    if (status == PTL_OK)
        status = mix_facts(p, s, t, err);
    if (status == PTL_OK)
        status = mix_precision(p, s, t, err);
    if (status == PTL_OK)
        status = mix_comparison(p, s, t, err);
    if (status == PTL_OK)
        status = mix_tests(p, t, err);
    if (status == PTL_OK)
        mix_pairs(p, t);
    uncount(s, t);
    return status;
}

const fault_scene fault_scenes_count[] = {
    {"sweep", FAULT_FILE_CONTENT, FAULT_OPEN_WRITE, true, 1, sweep, NULL},
    {"sweep_remove", FAULT_FILE_CONTENT, FAULT_OPEN_WRITE, true, 1, sweep_and_remove, NULL},
    {"coverage", FAULT_FILE_CONTENT, FAULT_OPEN_WRITE, false, 1, cover, NULL},
    {"search_seeds", FAULT_FILE_CONTENT, FAULT_OPEN_READ, false, 1, search_seeds, NULL},
    {"search_world", FAULT_FILE_WORLD, FAULT_OPEN_WORLD, false, 2, search_world, NULL},
    {"sample", FAULT_FILE_WORLD, FAULT_OPEN_READ, false, 2, sample, NULL},
    {"statistics", FAULT_FILE_WORLD, FAULT_OPEN_READ, false, 2, statistics, NULL},
    {NULL, FAULT_FILE_NONE, FAULT_OPEN_NOTHING, false, 1, NULL, NULL}};
