/*
 * Power failures (see disk_trace.h and disk_image.h) at points spread over every command that
 * writes (crash_scene.h), with all generation steps and full content, in both journal modes:
 * each time the file opens, verifies, holds what had been reported and what was there before;
 * files beside it are the older or the newer ones; and when the command goes on it ends as
 * undisturbed. Some points lie in the recovery from an earlier failure.
 *
 * What recovery leaves is often a state that was met already, page for page: verifying and
 * going on are done once for each different state.
 *
 * With the argument "files": the scenes of files beside the world and of the journal; without:
 * the others. PORTOLAN_SOAK_CRASHES: so many points of both together instead of 100, beside
 * those that are aimed at what was just reported and at names.
 * PORTOLAN_CRASH_POINT=SCENE/CONTENT/JOURNAL:OP:VARIANT:SEED, as a failure prints it: that one
 * alone.
 */
#include "support/content_catalogue.h"
#include "support/crash/crash_scene.h"
#include "support/crash/disk_image.h"
#include "support/seeds.h"
#include "support/suite.h"

#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS = 100, MUTANT_POINTS = 40, STATES_MAX = 4096 };

typedef struct point {
    size_t op;
    int variant;
    uint64_t seed;
    bool aimed; /* never followed by another failure */
} point;

typedef struct campaign {
    char name[80];
    crash_run run;
    crash_result wanted;
    uint64_t last; /* what has been reported at the end */
    disk_trace trace;
    crash_state *states; /* owned: seen, verified and gone on from */
    size_t state_count;
    bool mutant; /* findings are counted, not failures */
    unsigned found[CRASH_FINDINGS];
    unsigned points, aimed, again;
    char context[200];
} campaign;

static void campaign_begin(campaign *c, const crash_scene *scene, crash_content content,
                           ptl_journal journal)
{
    memset(c, 0, sizeof *c);
    snprintf(c->name, sizeof c->name, "%s/%s/%s", scene->name,
             content == CRASH_OWN ? "own" : "game",
             journal == PTL_JOURNAL_WAL ? "wal" : "truncate");
    crash_run_begin(&c->run, scene, content, journal);
    c->states = malloc(STATES_MAX * sizeof *c->states);
    ck_assert(c->states != NULL);
    disk_trace_begin(&c->trace, c->run.root);
    crash_run_act(&c->run, &c->trace, false, "undisturbed");
    disk_trace_end(&c->trace);
    crash_result_read(&c->wanted, &c->run);
    ck_assert(!scene->keeps_mode || c->wanted.mode == journal);
    for (size_t i = 0; i < c->trace.count; i++)
        c->last |= c->trace.ops[i].marks;
    ck_assert(c->last != 0);
}

static void campaign_end(campaign *c)
{
    disk_trace_dispose(&c->trace);
    crash_run_end(&c->run);
    free(c->states);
}

/* ---- one point ---- */

/* Verified, unless damage was there before; then the command is called again. */
static crash_finding go_on(campaign *c, const crash_state *state, char why[256])
{
    crash_result got;
    crash_state end;
    bool known;
    crash_finding finding = CRASH_FINE;
    if (!c->run.scene->damaged || (state->saved & CRASH_REPAIRED))
        finding = crash_state_verify(&c->run, why);
    if (finding != CRASH_FINE || c->mutant)
        return finding;
    crash_run_act(&c->run, NULL, false, c->context);
    finding = crash_state_verify(&c->run, why);
    if (finding == CRASH_FINE)
        finding =
            crash_state_read(&end, &known, &c->run, c->last, true, &(crash_known){0}, why);
    if (finding != CRASH_FINE)
        return finding;
    crash_result_read(&got, &c->run);
    const char *what = crash_result_difference(&got, &c->wanted);
    if (what)
        snprintf(why, 256, "gone on, %s is not that of an undisturbed run", what);
    return what ? CRASH_OTHER : CRASH_FINE;
}

static void examine(campaign *c, uint64_t reported, bool read_first)
{
    char why[256] = "";
    crash_state state;
    bool known = false;
    crash_finding finding = crash_state_read(&state, &known, &c->run, reported, read_first,
                                             &(crash_known){c->states, c->state_count}, why);
    if (finding == CRASH_FINE && !known) {
        finding = go_on(c, &state, why);
        if (finding == CRASH_FINE && c->state_count < STATES_MAX)
            c->states[c->state_count++] = state;
    }
    c->found[finding]++;
    ck_assert_msg(c->mutant || finding == CRASH_FINE, "%s: %s", c->context, why);
}

/* Goes on a little with what the image left; that is recorded, and fails in its turn. */
static uint64_t crash_again(campaign *c, rng *r)
{
    disk_trace trace;
    disk d;
    disk_image second;
    disk_trace_begin(&trace, c->run.root);
    crash_run_act(&c->run, &trace, true, c->context);
    disk_trace_end(&trace);
    /* What opening does to roll back comes first: half of the points lie there. */
    size_t span = trace.count + 1;
    if (rng_below(r, 2) && span > 24)
        span = 24;
    disk_init(&d, &trace);
    disk_walk(&d, rng_below(r, span));
    disk_image_left(&second, &d, (int)rng_below(r, DISK_VARIANTS), r);
    disk_image_put(&second, c->run.root);
    const uint64_t reported = d.marks;
    disk_image_dispose(&second);
    disk_dispose(&d);
    disk_trace_dispose(&trace);
    return reported;
}

static void crash_at(campaign *c, disk *d, const point *p)
{
    disk_image image;
    rng r = rng_from_key(p->seed);
    const bool again = rng_below(&r, 6) == 0 && !c->mutant && !p->aimed;
    const bool read_first = rng_below(&r, 2) == 0;
    disk_walk(d, p->op);
    disk_image_left(&image, d, p->variant, &r);
    snprintf(c->context, sizeof c->context,
             "PORTOLAN_CRASH_POINT=%s:%zu:%d:%" PRIu64 " (of %zu; %s%s)", c->name, p->op,
             p->variant, p->seed, c->trace.count, disk_variant_name(p->variant),
             again ? ", and again" : "");
    disk_image_put(&image, c->run.root);
    disk_image_dispose(&image);
    uint64_t reported = d->marks;
    if (again)
        reported |= crash_again(c, &r);
    c->points++;
    c->aimed += p->aimed;
    c->again += again;
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

static bool is_sync(const disk_op *op)
{
    return op->kind == DISK_SYNC || op->kind == DISK_SYNC_FOLDER;
}

/* Between which syncs, and where between them: imports write much between two syncs. */
static size_t op_between_syncs(const disk_trace *t, rng *r)
{
    size_t syncs = 0, from = 0;
    for (size_t i = 0; i < t->count; i++)
        syncs += is_sync(&t->ops[i]);
    size_t wanted = rng_below(r, syncs + 1);
    for (size_t i = 0; i < t->count; i++) {
        if (!is_sync(&t->ops[i]))
            continue;
        if (wanted-- == 0)
            return from + rng_below(r, i + 1 - from);
        from = i + 1;
    }
    return from + rng_below(r, t->count + 1 - from);
}

/* Half of the points are spread evenly over the operations, half over the syncs. */
static size_t spread(point *list, const disk_trace *t, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        rng r = rng_from_key(hash_add(0xc4a54, i));
        list[i] = (point){.op = i % 2 ? op_between_syncs(t, &r) : i * (t->count + 1) / count};
        list[i].variant = (int)rng_below(&r, DISK_VARIANTS);
        list[i].seed = rng_next(&r) >> 32;
    }
    return count;
}

/* Right behind each report, with all lost that was not synced; and behind each change of names,
 * with the names alone and with the contents alone. Of many, some, by turns of a stride; an
 * even one would take the one kind only. Behind the last report always, beyond the room. */
static size_t aim(point *list, const disk_trace *t, size_t room)
{
    size_t count = 0, all = 0;
    for (int pass = 0; pass < 2; pass++) {
        const size_t stride = pass == 0 || all <= room ? 1 : (all + room - 1) / room | 1;
        for (size_t i = 0, n = 0; i < t->count; i++) {
            const disk_kind kind = t->ops[i].kind;
            const bool named = kind == DISK_ENTER || kind == DISK_RENAME || kind == DISK_LEAVE;
            if (kind != DISK_MARK && !named)
                continue;
            for (int k = 0; k < (named ? 2 : 1); k++, n++) {
                if (pass == 0)
                    all++;
                else if (n % stride == 0 && count < room)
                    list[count++] = (point){i + 1,
                                            !named   ? DISK_ALL_LOST
                                            : k == 0 ? DISK_NAMES_KEPT
                                                     : DISK_CONTENT_KEPT,
                                            i, true};
            }
        }
    }
    list[count++] = (point){t->count, DISK_ALL_LOST, 0, true};
    return count;
}

static void run_points(campaign *c, const point *list, size_t count, unsigned deaf)
{
    disk d;
    disk_init(&d, &c->trace);
    d.deaf = deaf;
    for (size_t i = 0; i < count; i++)
        crash_at(c, &d, &list[i]);
    disk_dispose(&d);
}

/* So many spread and, at most, so many aimed. */
static void run_all(campaign *c, size_t count, size_t aimed, unsigned deaf)
{
    point *list = malloc((count + aimed + 1) * sizeof *list);
    ck_assert(list != NULL);
    size_t n = spread(list, &c->trace, count);
    n += aim(list + n, &c->trace, aimed);
    qsort(list, n, sizeof *list, by_op);
    run_points(c, list, n, deaf);
    free(list);
}

/* ---- the campaigns ---- */

enum { KINDS = 4 };

static const struct {
    crash_content content;
    ptl_journal journal;
    unsigned weight;
} kinds[KINDS] = {{CRASH_OWN, PTL_JOURNAL_TRUNCATE, 4},
                  {CRASH_OWN, PTL_JOURNAL_WAL, 3},
                  {CRASH_GAME, PTL_JOURNAL_TRUNCATE, 2},
                  {CRASH_GAME, PTL_JOURNAL_WAL, 1}};

static size_t wanted_points(void)
{
    const char *text = getenv("PORTOLAN_SOAK_CRASHES");
    const int wanted = text ? atoi(text) : 0;
    return wanted > 0 ? (size_t)wanted : POINTS / (size_t)test_part();
}

static size_t points_of(const crash_scene *scene, int kind)
{
    unsigned scenes = 0, all = 0;
    for (size_t i = 0; i < crash_scene_count(); i++)
        scenes += crash_scenes[i].weight;
    for (int i = 0; i < KINDS; i++)
        all += kinds[i].weight;
    const size_t parts = (size_t)scenes * all;
    return (wanted_points() * scene->weight * kinds[kind].weight + parts - 1) / parts;
}

/* Few points take turns: a game's content takes long to import; slow builds do without it. */
static bool has_turn(int kind, int turn)
{
    if (wanted_points() > 5 * POINTS)
        return true;
    if (getenv("PORTOLAN_QUICK"))
        return kinds[kind].content == CRASH_OWN && turn % 2 == 0;
    return kinds[kind].content == CRASH_OWN || turn % 4 == 0;
}

/* True if PORTOLAN_CRASH_POINT names a point; *mine: one of this campaign. */
static bool single_point(const char *name, point *out, bool *mine)
{
    const char *text = getenv("PORTOLAN_CRASH_POINT");
    *mine = true;
    if (!text)
        return false;
    size_t length = strlen(name);
    *mine = strncmp(text, name, length) == 0 && text[length] == ':' &&
            sscanf(text + length, ":%zu:%d:%" SCNu64, &out->op, &out->variant, &out->seed) == 3;
    return true;
}

static void print_result(const campaign *c)
{
    printf("%s: %u power failures (%u of them aimed, %u in the recovery from another) over %zu "
           "operations; all opened, verified and lost nothing that was reported or had been "
           "there; gone on from %zu different states, each to the undisturbed end\n",
           c->name, c->points, c->aimed, c->again, c->trace.count, c->state_count);
}

static bool files; /* which scenes */

START_TEST(power_failures_are_survived)
{
    const crash_scene *scene = &crash_scenes[_i / KINDS];
    const int kind = _i % KINDS;
    static campaign c;
    point one = {0};
    bool mine;
    if (scene->files != files || !has_turn(kind, _i / KINDS + kind))
        return;
    if (kinds[kind].content == CRASH_GAME && !content_present(CONTENT_GAME))
        return;
    campaign_begin(&c, scene, kinds[kind].content, kinds[kind].journal);
    const size_t count = points_of(scene, kind);
    if (!single_point(c.name, &one, &mine))
        run_all(&c, count, count + 6, 0);
    else if (mine)
        run_points(&c, &one, 1, 0);
    print_result(&c);
    campaign_end(&c);
}
END_TEST

/* ---- the harness finds what does not sync ---- */

static const struct {
    const char *scene, *what;
    ptl_journal journal;
    unsigned deaf;
} mutants[] = {{"generate", "no sync of files", PTL_JOURNAL_TRUNCATE, DISK_MAIN},
               {"generate", "no sync of the journal", PTL_JOURNAL_TRUNCATE, DISK_JOURNAL},
               {"generate", "no sync of the WAL", PTL_JOURNAL_WAL, DISK_WAL},
               {"backup", "no sync of files", PTL_JOURNAL_TRUNCATE, DISK_MAIN},
               {"backup", "no sync of folders", PTL_JOURNAL_WAL, DISK_FOLDER},
               {"export", "no sync of files", PTL_JOURNAL_TRUNCATE, DISK_MAIN},
               {"export", "no sync of folders", PTL_JOURNAL_TRUNCATE, DISK_FOLDER},
               {"into", "no sync of folders", PTL_JOURNAL_TRUNCATE, DISK_FOLDER},
               {"undo", "no sync of folders", PTL_JOURNAL_TRUNCATE, DISK_FOLDER}};

START_TEST(what_does_not_sync_is_found)
{
    static campaign c;
    const crash_scene *scene = crash_scenes;
    unsigned all = 0;
    while (strcmp(scene->name, mutants[_i].scene) != 0)
        scene++;
    if (scene->files != files || (getenv("PORTOLAN_QUICK") && _i % 3 != 0))
        return;
    campaign_begin(&c, scene, CRASH_OWN, mutants[_i].journal);
    c.mutant = true;
    run_all(&c, MUTANT_POINTS, MUTANT_POINTS, mutants[_i].deaf);
    for (int i = 0; i < CRASH_FINDINGS; i++)
        all += i != CRASH_FINE ? c.found[i] : 0;
    printf(
        "%s, %s: of %u points %u were refused, %u lost something, %u had problems, %u left a "
        "mixture\n",
        c.name, mutants[_i].what, c.points, c.found[CRASH_REFUSED], c.found[CRASH_LOST],
        c.found[CRASH_PROBLEMS], c.found[CRASH_MIXED]);
    ck_assert_uint_gt(all, 0);
    campaign_end(&c);
}
END_TEST

int main(int argc, char **argv)
{
    files = argc > 1 && strcmp(argv[1], "files") == 0;
    Suite *suite = suite_create("crash");
    TCase *tcase = tcase_create("crash");
    tcase_set_timeout(tcase, wanted_points() > 5 * POINTS ? 86400 : 600);
    tcase_add_loop_test(tcase, power_failures_are_survived, 0,
                        (int)crash_scene_count() * KINDS);
    tcase_add_loop_test(tcase, what_does_not_sync_is_found, 0,
                        (int)(sizeof mutants / sizeof mutants[0]));
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
