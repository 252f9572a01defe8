#include "support/fault/fault_loop.h"

#include "core/hash.h"
#include "support/fault/fault_alloc.h"
#include "support/seeds.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PRINTED_MAX = 20 };

typedef struct run {
    fault_place *p;
    const fault_scene *scene;
    const fault_source *source;
    bool all_later;
    uint64_t nth;
    ptl_status dry_status; /* without faults */
    uint64_t dry_result, dry_state;
    uint64_t total; /* operations without faults */
    int failures;
    uint64_t injected, errors, fine; /* faults met; calls that failed; that did without */
} run;

/* Where the test is: for a crash. */
static char position[200];

/* The process is lost anyhow: what may not be called here is called for its words. */
static void on_crash(int number)
{
    (void)!write(STDERR_FILENO, position, strlen(position));
    /* NOLINTNEXTLINE(bugprone-signal-handler,cert-sig30-c) */
    fault_alloc_print_place();
    signal(number, SIG_DFL);
    raise(number);
}

static void complain(run *r, const char *what, const ptl_error *err)
{
    if (r->failures++ < PRINTED_MAX) {
        fprintf(stderr, "%s %s: %s\n", position, what, err ? err->message : "");
        fault_alloc_print_place();
    }
}

const fault_scene *fault_scene_at(int number)
{
    const fault_scene *const lists[] = {
        fault_scenes,         fault_scenes_care,   fault_scenes_past,  fault_scenes_tiles,
        fault_scenes_content, fault_scenes_count,  fault_scenes_lists, fault_scenes_pictures,
        fault_scenes_sea,     fault_scenes_columns};
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
        for (const fault_scene *s = lists[i]; s->name; s++)
            if (number-- == 0)
                return s;
    return NULL;
}

int fault_scene_count(void)
{
    int count = 0;
    while (fault_scene_at(count))
        count++;
    return count;
}

int fault_samples(const fault_scene *scene)
{
    const char *soak = getenv("PORTOLAN_SOAK_FAULTS");
    if (soak && strcmp(soak, "paths") == 0)
        return FAULT_PATHS;
    if (soak)
        return strcmp(soak, "all") == 0 ? FAULT_EVERY : atoi(soak);
    return test_part() > 1 ? scene->samples / test_part() + 1 : scene->samples;
}

static ptl_status play(const run *r, ptl_error *err)
{
    r->p->result = 0;
    memset(err, 0x55, sizeof *err); /* a call clears what it is given */
    return r->scene->call(r->p, err);
}

static void look(const run *r, ptl_status status)
{
    if (status == PTL_OK && r->scene->look)
        r->scene->look(r->p);
}

/* Once without faults; counts what there is to fail, of all sources. */
static void play_dry(run *r, const fault_source *sources, size_t count, bool traced,
                     uint64_t *totals)
{
    ptl_error err = {0};
    uint64_t failed;
    fault_place_restore(r->p, r->scene->file);
    if (fault_place_open(r->p, r->scene->opening, &err) != PTL_OK)
        complain(r, "can't be opened", &err);
    for (size_t i = 0; i < count; i++) {
        if (traced && sources[i].trace)
            sources[i].trace(true);
        sources[i].arm(&sources[i], 0, false);
    }
    r->dry_status = play(r, &err);
    for (size_t i = 0; i < count; i++)
        if (traced && sources[i].trace)
            sources[i].trace(false);
    for (size_t i = 0; i < count; i++)
        totals[i] = sources[i].count ? sources[i].count(&sources[i]) : 0;
    for (size_t i = 0; i < count; i++) {
        const uint64_t seen = sources[i].disarm(&failed);
        totals[i] = sources[i].count ? totals[i] : seen;
    }
    look(r, r->dry_status);
    r->dry_result = r->p->result;
    fault_place_close(r->p);
    if (r->scene->writes)
        r->dry_state = fault_place_state(r->p, &err);
    if (r->scene->writes && r->dry_state == 0)
        complain(r, "the file is wrong without any fault", &err);
}

static bool expected(const run *r, ptl_status status)
{
    for (size_t i = 0; i < 4 && r->source->expected[i] != PTL_OK; i++)
        if (r->source->expected[i] == status)
            return true;
    return false;
}

/*
 * Did the call without faults do what it does ordinarily? A write whose last sync failed may be
 * there all the same, as after a commit whose answer was lost: then it is found done.
 */
static void check_outcome(run *r, ptl_status status, const ptl_error *err, const char *when)
{
    char text[80];
    ptl_error ignored = {0};
    if (status == PTL_ERR_EXISTS && r->scene->writes &&
        fault_place_state(r->p, &ignored) == r->dry_state)
        return;
    if (status != r->dry_status) {
        snprintf(text, sizeof text, "%s: status %d", when, (int)status);
        complain(r, text, err);
    } else if (r->p->result != r->dry_result) {
        snprintf(text, sizeof text, "%s: another result", when);
        complain(r, text, NULL);
    }
}

static void check_error(run *r, ptl_status status, const ptl_error *err)
{
    char text[80];
    if (err->status != status || !err->message[0] ||
        !memchr(err->message, 0, sizeof err->message)) {
        complain(r, "no message", err);
        return;
    }
    if (!expected(r, status)) {
        snprintf(text, sizeof text, "unexpected status %d", (int)status);
        complain(r, text, err);
    }
}

/* One fault; false if there is none so late. Alone, what is open goes on being used; with all
 * later ones failing it is closed in the middle of them, and opened anew. */
static bool play_fault(run *r, bool check_file)
{
    ptl_error err = {0};
    uint64_t failed = 0;
    if (r->scene->writes || r->scene->opening == FAULT_OPEN_NOTHING)
        fault_place_restore(r->p, r->scene->file);
    const int64_t live = fault_alloc_live();
    if (fault_place_open(r->p, r->scene->opening, &err) != PTL_OK)
        complain(r, "can't be opened", &err);
    r->source->arm(r->source, r->nth, r->all_later);
    ptl_status status = play(r, &err);
    if (r->all_later)
        fault_place_close(r->p);
    r->source->disarm(&failed);
    if (!r->all_later && fault_place_unfinished(r->p) > 0 &&
        !(r->source->leaves && r->source->leaves()))
        complain(r, "leaves an unfinished file", &err);
    look(r, status);
    r->injected += failed;
    if (status == r->dry_status && r->p->result == r->dry_result) {
        r->fine += failed > 0;
    } else if (status == PTL_OK) {
        complain(r, "another result, and no error", NULL);
    } else {
        r->errors++;
        check_error(r, status, &err);
        if (r->all_later && fault_place_open(r->p, r->scene->opening, &err) != PTL_OK)
            complain(r, "can't be opened again", &err);
        status = play(r, &err);
        look(r, status);
        check_outcome(r, status, &err, "again, without the fault");
    }
    fault_place_close(r->p);
    if (fault_alloc_live() != live)
        complain(r, "leaks", NULL);
    if (check_file && r->scene->writes && fault_place_state(r->p, &err) != r->dry_state)
        complain(r, "the file is not what it is without faults", &err);
    return failed > 0;
}

static void play_nth(run *r, bool all_later, uint64_t nth, bool check_file)
{
    r->all_later = all_later;
    r->nth = nth;
    snprintf(position, sizeof position, "fault %s:%s:%s:%llu", r->scene->name, r->source->name,
             all_later ? "on" : "one", (unsigned long long)nth);
    play_fault(r, check_file);
}

static void play_paths(run *r)
{
    uint64_t *list;
    const size_t count = r->source->paths(&list);
    if (!list) {
        complain(r, "no memory", NULL);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        play_nth(r, false, list[i], i % 4 == 0);
        play_nth(r, true, list[i], i % 4 == 0);
    }
    printf("%-16s %-12s %8zu ways of calls, first and last\n", r->scene->name, r->source->name,
           count);
    free(list);
}

static void play_mode(run *r, bool all_later, int samples)
{
    const bool every = samples <= FAULT_EVERY || (uint64_t)samples >= r->total;
    const uint64_t count = every ? r->total + 1 : (uint64_t)samples;
    const uint64_t step = r->total / count;
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t spread = i * r->total / count + 1 + hash_mix(i) % (step ? step : 1);
        play_nth(r, all_later, every ? i + 1 : spread, samples <= 0 ? i % 3 == 0 : i % 4 == 0);
    }
    if (!every) /* what comes last is a way of its own more often than others */
        play_nth(r, all_later, r->total, true);
}

/* One fault of one mode, with half of the sources: which ones, differs from scene to scene. Of
 * syncs, which are few, each alone: a commit whose last one failed has taken effect. */
static void play_one(run *r)
{
    if (strcmp(r->source->name, "sync") == 0) {
        for (uint64_t i = 1; i <= r->total; i++)
            play_nth(r, false, i, true);
        return;
    }
    const uint64_t key = hash_add(hash_string(r->scene->name), hash_string(r->source->name));
    if ((key >> 32) % (2 * (uint64_t)test_part()) == 0)
        play_nth(r, key & 1, 1 + (key >> 8) % r->total, (key >> 1) % 4 == 0);
}

/* PORTOLAN_FAULT=SCENE:SOURCE:one|on:N plays that one alone, as complaints name it;
 * PORTOLAN_FAULT=SCENE all of a scene. */
static bool single(run *r)
{
    const char *only = getenv("PORTOLAN_FAULT");
    char scene[80], source[80], mode[8];
    unsigned long long nth;
    if (!only || sscanf(only, "%79[^:]:%79[^:]:%7[^:]:%llu", scene, source, mode, &nth) != 4 ||
        strcmp(scene, r->scene->name) != 0 || strcmp(source, r->source->name) != 0)
        return false;
    r->nth = nth;
    r->all_later = strcmp(mode, "on") == 0;
    return true;
}

static int run_source(run *r, int samples)
{
    const int before = r->failures;
    const bool alone = single(r);
    const char *only = getenv("PORTOLAN_FAULT");
    r->injected = r->errors = r->fine = 0;
    if (alone)
        play_nth(r, r->all_later, r->nth, true);
    else if (only && strcmp(only, r->scene->name) != 0)
        return 0;
    else if (samples == FAULT_ONE)
        play_one(r);
    else if (samples == FAULT_PATHS && r->source->paths)
        play_paths(r);
    else {
        play_mode(r, false, samples);
        play_mode(r, true, samples);
    }
    printf("%-16s %-12s %8llu of them, %8llu failed, %7llu errors, %6llu did without, %d "
           "failures\n",
           r->scene->name, r->source->name, (unsigned long long)r->total,
           (unsigned long long)r->injected, (unsigned long long)r->errors,
           (unsigned long long)r->fine, r->failures - before);
    return r->failures - before;
}

int fault_run(fault_place *p, const fault_scene *scene, const fault_source *sources,
              size_t count, int samples)
{
    uint64_t totals[FAULT_SOURCES_MAX] = {0};
    run r = {.p = p, .scene = scene};
    const char *only = getenv("PORTOLAN_FAULT");
    if (count > FAULT_SOURCES_MAX ||
        (only && strncmp(only, scene->name, strlen(scene->name)) != 0))
        return count > FAULT_SOURCES_MAX;
    signal(SIGSEGV, on_crash);
    signal(SIGABRT, on_crash);
    snprintf(position, sizeof position, "fault %s: none", scene->name);
    play_dry(&r, sources, count, samples == FAULT_PATHS, totals);
    for (size_t i = 0; i < count && r.failures < PRINTED_MAX; i++) {
        r.source = &sources[i];
        r.total = totals[i];
        if (r.total > 0)
            run_source(&r, samples);
    }
    fflush(stdout);
    return r.failures;
}
