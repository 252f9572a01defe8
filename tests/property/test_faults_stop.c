/*
 * Stops, at every question of every public call: it ends with PTL_ERR_CANCELLED or is done, the
 * file is whole, and the same call then does the rest. See test_faults.c.
 */
#include "support/fault/fault_loop.h"
#include "support/fault/fault_stop.h"
#include "support/seeds.h"
#include "support/suite.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static fault_place place;

static void make_place(void)
{
    fault_place_make(&place);
}

static void remove_place(void)
{
    fault_place_remove(&place);
}

static uint64_t questions; /* of the scene, without a stop */

static void arm(const fault_source *source, uint64_t nth, bool all_later)
{
    (void)source;
    (void)all_later; /* what was stopped stays so */
    fault_stop_arm(nth);
}

static uint64_t disarm(uint64_t *failed)
{
    const uint64_t count = fault_stop_disarm(failed);
    if (*failed == 0 && count > questions)
        questions = count;
    return count;
}

/* Of these there is nothing to stop: a new file is one in a moment, and what a save's files
 * tell is read for no store. */
static bool is_short(const fault_scene *scene)
{
    static const char *const names[] = {"constants", "create", "journal", "is_ready",
                                        "host",      "seen",   "shoals",  "map_looks"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(scene->name, names[i]) == 0)
            return true;
    return false;
}

/* Every call that works for a store asks. */
START_TEST(stops)
{
    static const fault_source source = {
        .name = "stop", .arm = arm, .disarm = disarm, .expected = {PTL_ERR_CANCELLED}};
    if (!test_takes(_i))
        return;
    const fault_scene *scene = fault_scene_at(_i);
    const int samples = getenv("PORTOLAN_SOAK_FAULTS") ? fault_samples(scene) : 1;
    questions = 0;
    ck_assert_int_eq(fault_run(&place, scene, &source, 1, samples), 0);
    if (!is_short(scene) && !getenv("PORTOLAN_FAULT"))
        ck_assert_msg(questions > 0, "%s never asks whether to stop", scene->name);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("faults");
    TCase *tc = tcase_create("stops");
    tcase_add_unchecked_fixture(tc, make_place, remove_place);
    tcase_add_loop_test(tc, stops, 0, fault_scene_count());
    suite_add_tcase(suite, tc);
    return suite_run(suite);
}
