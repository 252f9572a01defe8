/*
 * Power failures (see crash_trace.h) while a damaged file is being repaired: whatever is left,
 * repairing it again ends with a file that verifies and holds the world as it was before the
 * damage. PORTOLAN_SOAK_CRASHES raises the number of points.
 */
#include "crash_work.h"
#include "store/store_impl.h"
#include "world_file.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS = 40 };

/* Damage that repair can undo: a bit of a number, a blob overwritten, a row gone. */
static const char DAMAGE[] =
    "UPDATE chunk SET level_mask = (level_mask | 4) - (level_mask & 4) WHERE id = (SELECT "
    "min(id) FROM chunk);"
    "UPDATE level SET tiles = zeroblob(length(tiles)) WHERE id = (SELECT min(id) FROM level);"
    "DELETE FROM level WHERE id = (SELECT max(id) FROM level);";

typedef struct scene {
    char path[WORLD_PATH_SIZE], wanted[65], context[96];
    crash_work work;
    crash_image damaged;
    crash_trace trace;
} scene;

static ptl_store *open_store(const scene *s, ptl_open_mode mode)
{
    ptl_store *store = NULL;
    ptl_error err = {0};
    ptl_open_options options = PTL_OPEN_OPTIONS_INIT;
    options.mode = mode;
    ck_assert_msg(ptl_store_open(&store, s->path, &options, &err) == PTL_OK, "%s: %s",
                  s->context, err.message);
    return store;
}

static void repair(const scene *s)
{
    ptl_error err = {0};
    ptl_repair_report report;
    ptl_store *store = open_store(s, PTL_OPEN_WRITE);
    ck_assert_msg(ptl_repair(store, NULL, &report, &err) == PTL_OK, "%s: %s", s->context,
                  err.message);
    ck_assert_msg(report.set_aside == 0 && report.unrepaired == 0,
                  "%s: %d set aside, %d not repaired", s->context, (int)report.set_aside,
                  (int)report.unrepaired);
    ptl_store_close(store);
}

static void digest_of(const scene *s, char hex[65])
{
    ptl_store *store = open_store(s, PTL_OPEN_READ);
    ptl_world *world = world_file_world(store, "w");
    world_file_digest(world, hex);
    ptl_world_close(world);
    ptl_store_close(store);
}

static void begin(scene *s)
{
    char why[256] = "";
    ptl_error err = {0};
    memset(s, 0, sizeof *s);
    snprintf(s->context, sizeof s->context, "undisturbed");
    world_file_path(s->path);
    s->work = (crash_work){.path = s->path};
    crash_work_run(&s->work, s->context, s->wanted);
    ck_assert_int_eq(crash_state_verify(&s->work, why), CRASH_FINE);
    ptl_store *store = open_store(s, PTL_OPEN_WRITE);
    ck_assert_msg(store_exec(store, DAMAGE, &err) == PTL_OK, "%s", err.message);
    ptl_store_close(store);
    ck_assert_int_eq(crash_state_verify(&s->work, why), CRASH_PROBLEMS);
    crash_image_take(&s->damaged, s->path);
    crash_trace_begin(&s->trace, &s->damaged);
    repair(s);
    crash_trace_end(&s->trace);
}

static void end(scene *s)
{
    crash_trace_dispose(&s->trace);
    crash_image_dispose(&s->damaged);
    world_file_remove(s->path);
}

static void crash_at(scene *s, crash_disk *disk, size_t op, rng *r)
{
    char got[65], why[256] = "";
    crash_image image;
    const int variant = (int)rng_below(r, CRASH_VARIANTS);
    snprintf(s->context, sizeof s->context, "at %zu of %zu (%s)", op, s->trace.count,
             crash_variant_name(variant));
    crash_disk_walk(disk, op);
    crash_disk_image(disk, variant, r, &image);
    crash_image_put(&image, s->path);
    crash_image_dispose(&image);
    repair(s);
    crash_finding finding = crash_state_verify(&s->work, why);
    ck_assert_msg(finding == CRASH_FINE, "%s: %s", s->context, why);
    digest_of(s, got);
    ck_assert_msg(strcmp(got, s->wanted) == 0, "%s: another world", s->context);
}

static size_t point_count(void)
{
    const char *text = getenv("PORTOLAN_SOAK_CRASHES");
    int wanted = text ? atoi(text) / 20 : 0;
    if (wanted > 0)
        return (size_t)wanted;
    return getenv("PORTOLAN_QUICK") ? POINTS / 5 : POINTS;
}

START_TEST(an_interrupted_repair_goes_on)
{
    scene s;
    crash_disk disk;
    begin(&s);
    crash_disk_init(&disk, &s.trace, &s.damaged);
    const size_t count = point_count();
    for (size_t i = 0; i < count; i++) {
        rng r = rng_from_key(hash_add(0x4e9, i));
        crash_at(&s, &disk, i * (s.trace.count + 1) / count, &r);
    }
    printf("repair: %zu crash points over %zu operations; repaired again, each file verified "
           "and held the same world\n",
           count, s.trace.count);
    crash_disk_dispose(&disk);
    end(&s);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("crash_repair");
    TCase *tcase = tcase_create("crash_repair");
    tcase_set_timeout(tcase, 600);
    tcase_add_test(tcase, an_interrupted_repair_goes_on);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
