/*
 * A small user of the installed libportolan-stats: counts overmaps of a few seeds in a sweep,
 * asks for a place that a special has, and says how well the content's specials come out.
 * Usage: stats FILE (which must not exist yet).
 */
#include <portolan/portolan.h>
#include <portolan/stats.h>

#include <stdio.h>

enum { SEEDS = 6 };

static int failed(const char *what, const ptl_error *err)
{
    fprintf(stderr, "%s: %s: %s\n", what, ptl_status_name(err->status), err->message);
    return 1;
}

static int make_sweep(ptl_store *store, ptl_error *err)
{
    const ptl_chunk_pos origin = {0, 0};
    ptl_import_options import = PTL_IMPORT_OPTIONS_INIT;
    ptl_sweep_options options = PTL_SWEEP_OPTIONS_INIT;
    ptl_sweep_report report = PTL_SWEEP_REPORT_INIT;
    import.builtin = true;
    options.seed_first = 1;
    options.seed_last = SEEDS;
    options.positions = &origin;
    options.position_count = 1;
    if (ptl_import(NULL, store, &import, err) != PTL_OK)
        return failed("import", err);
    if (ptl_sweep_run(&report, store, "few", &options, err) != PTL_OK)
        return failed("sweep", err);
    return report.done == SEEDS ? 0 : 1;
}

static bool count_match(void *payload, const ptl_search_match *match)
{
    ++*(int *)payload;
    return match->has_place;
}

/* As many anthills as the facts have of them. */
static int look(ptl_store *store, const ptl_facts *facts, ptl_error *err)
{
    const ptl_special_facts *anthill = ptl_facts_find(facts, "anthill");
    ptl_search_options options = PTL_SEARCH_OPTIONS_INIT;
    ptl_search *search = NULL;
    int count = 0;
    options.where = "special anthill";
    options.on_match = count_match;
    options.payload = &count;
    options.seed_first = 1;
    options.seed_last = SEEDS;
    if (ptl_search_seeds_new(&search, NULL, store, &options, err) != PTL_OK ||
        ptl_search_run(NULL, search, err) != PTL_OK)
        failed("search", err);
    ptl_search_free(search);
    return err->status != PTL_OK || !anthill || !anthill->own ||
           anthill->own->placed + anthill->own->others != (uint64_t)count;
}

/* Of a sample beside itself nothing differs. */
static int compare(const ptl_sample *sample, const ptl_tally *tally, ptl_error *err)
{
    ptl_comparison_difference differences[PTL_COMPARISON_DIFFERENCES];
    ptl_comparison_input both;
    ptl_comparison *comparison = NULL;
    both.tally = tally;
    both.specials = ptl_sample_specials(&both.special_count, sample);
    if (ptl_comparison_new(&comparison, &both, &both, NULL, err) != PTL_OK)
        return failed("compare", err);
    const int result = comparison->count == 0 || comparison->specials.significant != 0 ||
                       ptl_comparison_differences(differences, sample, sample) != 0;
    ptl_comparison_free(comparison);
    return result;
}

static int count(ptl_store *store, ptl_error *err)
{
    ptl_sample *sample = NULL;
    ptl_tally *tally = ptl_tally_new();
    ptl_facts *facts = NULL;
    int result = 1;
    if (tally && (ptl_sample_open(&sample, store, "few", err) != PTL_OK ||
                  ptl_tally_add(tally, sample, NULL, err) != PTL_OK ||
                  ptl_facts_new(&facts, sample, tally, 0.95, err) != PTL_OK)) {
        failed("count", err);
    } else if (tally) {
        size_t lacking = 0;
        for (size_t i = 0; i < facts->count; i++)
            lacking += ptl_facts_is_lacking(facts->items[i]);
        printf("%zu specials in %d overmaps, %zu of them short\n", facts->count,
               (int)tally->overmaps, lacking);
        result =
            tally->overmaps != SEEDS || look(store, facts, err) || compare(sample, tally, err);
    }
    ptl_facts_free(facts);
    ptl_tally_free(tally);
    ptl_sample_close(sample);
    return result;
}

int main(int argc, char **argv)
{
    ptl_error err = {0};
    ptl_store *store = NULL;
    ptl_open_options create = PTL_OPEN_OPTIONS_INIT;
    int result = 1;
    create.mode = PTL_OPEN_CREATE;
    if (argc != 2 || ptl_store_open(&store, argv[1], &create, &err) != PTL_OK)
        failed("open", &err);
    else
        result = make_sweep(store, &err) || count(store, &err);
    ptl_store_close(store);
    return result;
}
