/*
 * Power failures (see crash_trace.h) at points spread over a whole life of a file: each time it
 * opens, verifies, holds what had been reported as saved, and ends with the world of an
 * undisturbed run when the work goes on. Some points lie in the recovery from an earlier one.
 *
 * What recovery leaves is nearly always a state that the file had after some commit, page for
 * page: verifying and going on are done once for each different state.
 *
 * PORTOLAN_SOAK_CRASHES: so many points instead of 500. PORTOLAN_CRASH_POINT=mode:op:seed, as a
 * failure prints it: that one alone.
 */
#include "crash_work.h"
#include "world_file.h"

#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS = 500, MUTANT_POINTS = 80, STATES_MAX = 4096, FINDINGS = CRASH_OTHER + 1 };

typedef struct point {
    size_t op;
    uint64_t seed;
} point;

typedef struct campaign {
    const char *name; /* of the journal mode */
    crash_work work;
    char path[WORLD_PATH_SIZE];
    char wanted[65];
    crash_trace trace;
    crash_state *states; /* owned: seen, verified and gone on from */
    size_t state_count;
    bool mutant; /* findings are counted, not failures */
    unsigned found[FINDINGS];
    unsigned points, again,
        recovered; /* again: compound; recovered: with a hot journal or WAL */
    char context[160];
} campaign;

static void campaign_begin(campaign *c, const char *name, ptl_journal journal,
                           ptl_journal chunks_journal)
{
    memset(c, 0, sizeof *c);
    c->name = name;
    world_file_path(c->path);
    c->work =
        (crash_work){.path = c->path, .journal = journal, .chunks_journal = chunks_journal};
    c->states = malloc(STATES_MAX * sizeof *c->states);
    ck_assert(c->states != NULL);
    c->work.trace = &c->trace;
    crash_trace_begin(&c->trace, NULL);
    crash_work_run(&c->work, "undisturbed", c->wanted);
    crash_trace_end(&c->trace);
    c->work.trace = NULL;
}

static void campaign_end(campaign *c)
{
    crash_trace_dispose(&c->trace);
    free(c->states);
    world_file_remove(c->path);
}

/* ---- one point ---- */

static crash_finding go_on(campaign *c, char why[256])
{
    char got[65];
    crash_finding finding = crash_state_verify(&c->work, why);
    if (finding != CRASH_FINE || c->mutant)
        return finding;
    crash_work_run(&c->work, c->context, got);
    if (strcmp(got, c->wanted) != 0) {
        snprintf(why, 256, "the world is %.64s, undisturbed %.64s", got, c->wanted);
        return CRASH_OTHER;
    }
    return crash_state_verify(&c->work, why);
}

static void examine(campaign *c, uint64_t reported, bool read_first)
{
    char why[256] = "";
    crash_state state;
    bool known = false;
    crash_finding finding = crash_state_read(&state, &known, &c->work, reported, read_first,
                                             &(crash_known){c->states, c->state_count}, why);
    if (finding == CRASH_FINE && !known) {
        finding = go_on(c, why);
        if (finding == CRASH_FINE && c->state_count < STATES_MAX)
            c->states[c->state_count++] = state;
    }
    c->found[finding]++;
    ck_assert_msg(c->mutant || finding == CRASH_FINE, "%s: %s", c->context, why);
}

/* Opens the image and goes on a little; that is recorded, and crashes in its turn. */
static uint64_t crash_again(campaign *c, const crash_image *image, rng *r)
{
    crash_trace trace;
    crash_disk disk;
    crash_image second;
    crash_work work = c->work;
    crash_image_put(image, c->path);
    work.trace = &trace;
    work.stop_early = true;
    crash_trace_begin(&trace, image);
    crash_work_run(&work, c->context, NULL);
    crash_trace_end(&trace);
    /* What opening does to roll back comes first: half of the points lie there. */
    size_t span = trace.count + 1;
    if (rng_below(r, 2) && span > 24)
        span = 24;
    crash_disk_init(&disk, &trace, image);
    crash_disk_walk(&disk, rng_below(r, span));
    crash_disk_image(&disk, (int)rng_below(r, CRASH_VARIANTS), r, &second);
    crash_image_put(&second, c->path);
    const uint64_t reported = disk.marks;
    crash_image_dispose(&second);
    crash_disk_dispose(&disk);
    crash_trace_dispose(&trace);
    return reported;
}

static void crash_at(campaign *c, crash_disk *disk, const point *p)
{
    crash_image image;
    rng r = rng_from_key(p->seed);
    const int variant = (int)rng_below(&r, CRASH_VARIANTS);
    const bool again = rng_below(&r, 6) == 0 && !c->mutant;
    const bool read_first = rng_below(&r, 2) == 0;
    crash_disk_walk(disk, p->op);
    crash_disk_image(disk, variant, &r, &image);
    snprintf(c->context, sizeof c->context,
             "PORTOLAN_CRASH_POINT=%s:%zu:%" PRIu64 " (of %zu; %s%s)", c->name, p->op, p->seed,
             c->trace.count, crash_variant_name(variant), again ? ", and again" : "");
    uint64_t reported = disk->marks;
    if (again)
        reported |= crash_again(c, &image, &r);
    else
        crash_image_put(&image, c->path);
    c->points++;
    c->again += again;
    c->recovered += image.content[CRASH_JOURNAL].size > 0 || image.content[CRASH_WAL].size > 0;
    crash_image_dispose(&image);
    examine(c, reported, read_first);
}

/* ---- all of them ---- */

static int by_op(const void *pa, const void *pb)
{
    const point *a = pa, *b = pb;
    if (a->op != b->op)
        return a->op < b->op ? -1 : 1;
    return a->seed < b->seed ? -1 : a->seed > b->seed;
}

/* Between which syncs, and where between them: imports write much between two syncs. */
static size_t op_between_syncs(const crash_trace *t, rng *r)
{
    size_t syncs = 0, from = 0;
    for (size_t i = 0; i < t->count; i++)
        syncs += t->ops[i].kind == CRASH_SYNC;
    size_t wanted = rng_below(r, syncs + 1);
    for (size_t i = 0; i < t->count; i++) {
        if (t->ops[i].kind != CRASH_SYNC)
            continue;
        if (wanted-- == 0)
            return from + rng_below(r, i + 1 - from);
        from = i + 1;
    }
    return from + rng_below(r, t->count + 1 - from);
}

/* Half of the points are spread evenly over the operations, half over the syncs. */
static point *spread(const crash_trace *t, size_t count)
{
    point *list = malloc(count * sizeof *list);
    ck_assert(list != NULL);
    for (size_t i = 0; i < count; i++) {
        rng r = rng_from_key(hash_add(0xc4a54, i));
        list[i].op = i % 2 ? op_between_syncs(t, &r) : i * (t->count + 1) / count;
        list[i].seed = rng_next(&r) >> 32;
    }
    qsort(list, count, sizeof *list, by_op);
    return list;
}

static void run_points(campaign *c, const point *list, size_t count, unsigned deaf)
{
    crash_disk disk;
    crash_disk_init(&disk, &c->trace, NULL);
    disk.deaf = deaf;
    for (size_t i = 0; i < count; i++)
        crash_at(c, &disk, &list[i]);
    crash_disk_dispose(&disk);
}

static size_t point_count(size_t percent)
{
    const char *text = getenv("PORTOLAN_SOAK_CRASHES");
    int wanted = text ? atoi(text) : 0;
    if (wanted <= 0)
        wanted = getenv("PORTOLAN_QUICK") ? POINTS / 5 : POINTS;
    return ((size_t)wanted * percent + 99) / 100;
}

/* True if PORTOLAN_CRASH_POINT names one of this campaign; *mine false if it names another's.
 */
static bool single_point(const campaign *c, point *out, bool *mine)
{
    const char *text = getenv("PORTOLAN_CRASH_POINT");
    *mine = true;
    if (!text)
        return false;
    size_t length = strlen(c->name);
    *mine = strncmp(text, c->name, length) == 0 && text[length] == ':' &&
            sscanf(text + length, ":%zu:%" SCNu64, &out->op, &out->seed) == 2;
    return *mine;
}

static void print_result(const campaign *c)
{
    printf(
        "%s: %u crash points over %zu operations, %u of them in the recovery from a crash, %u "
        "images with a journal; all opened, verified and lost nothing that was reported; %zu "
        "different states were gone on from\n",
        c->name, c->points, c->trace.count, c->again, c->recovered, c->state_count);
}

static const struct {
    const char *name;
    ptl_journal journal, chunks_journal;
    size_t percent; /* of the points */
} modes[] = {{"truncate", PTL_JOURNAL_TRUNCATE, PTL_JOURNAL_TRUNCATE, 50},
             {"wal", PTL_JOURNAL_WAL, PTL_JOURNAL_WAL, 30},
             {"changing", PTL_JOURNAL_TRUNCATE, PTL_JOURNAL_WAL, 20}};

START_TEST(power_failures_are_survived)
{
    campaign c;
    point one;
    bool mine;
    campaign_begin(&c, modes[_i].name, modes[_i].journal, modes[_i].chunks_journal);
    if (single_point(&c, &one, &mine)) {
        run_points(&c, &one, 1, 0);
    } else if (mine) {
        size_t count = point_count(modes[_i].percent);
        point *list = spread(&c.trace, count);
        run_points(&c, list, count, 0);
        free(list);
        print_result(&c);
        ck_assert_uint_gt(c.recovered, 0);
        ck_assert_uint_gt(c.again, 0);
    }
    campaign_end(&c);
}
END_TEST

/* ---- the harness finds a store that does not sync ---- */

static const struct {
    const char *name;
    ptl_journal journal;
    unsigned deaf;
} mutants[] = {{"no sync of the file", PTL_JOURNAL_TRUNCATE, 1U << CRASH_MAIN},
               {"no sync of the journal", PTL_JOURNAL_TRUNCATE, 1U << CRASH_JOURNAL},
               {"no sync of the WAL", PTL_JOURNAL_WAL, 1U << CRASH_WAL}};

START_TEST(a_store_that_does_not_sync_is_found)
{
    campaign c;
    campaign_begin(&c, mutants[_i].name, mutants[_i].journal, mutants[_i].journal);
    c.mutant = true;
    point *list = spread(&c.trace, MUTANT_POINTS);
    run_points(&c, list, MUTANT_POINTS, mutants[_i].deaf);
    free(list);
    printf("%s: of %u points %u were refused, %u lost chunks, %u had problems\n", c.name,
           c.points, c.found[CRASH_REFUSED], c.found[CRASH_LOST], c.found[CRASH_PROBLEMS]);
    ck_assert_uint_gt(c.found[CRASH_REFUSED] + c.found[CRASH_LOST] + c.found[CRASH_PROBLEMS],
                      0);
    campaign_end(&c);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("crash");
    TCase *tcase = tcase_create("crash");
    tcase_set_timeout(tcase, 600);
    tcase_add_loop_test(tcase, power_failures_are_survived, 0,
                        (int)(sizeof modes / sizeof modes[0]));
    tcase_add_loop_test(tcase, a_store_that_does_not_sync_is_found, 0,
                        (int)(sizeof mutants / sizeof mutants[0]));
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
