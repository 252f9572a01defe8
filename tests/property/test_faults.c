/*
 * Memory that runs out, at every allocation of every public call. PORTOLAN_SOAK_FAULTS=all for
 * all of them, =paths for the first and last of each way of calls;
 * PORTOLAN_FAULT=SCENE:SOURCE:one|on:N for one alone.
 */
#include "support/fault/fault_alloc.h"
#include "support/fault/fault_loop.h"
#include "support/seeds.h"
#include "support/suite.h"

#include <check.h>
#include <stdio.h>

static fault_place place;

static void make_place(void)
{
    fault_place_make(&place);
}

static void remove_place(void)
{
    fault_place_remove(&place);
}

static void arm(const fault_source *source, uint64_t nth, bool all_later)
{
    (void)source;
    fault_alloc_arm(nth, all_later);
}

START_TEST(allocations)
{
    static const fault_source source = {.name = "memory",
                                        .arm = arm,
                                        .trace = fault_alloc_trace,
                                        .paths = fault_alloc_paths,
                                        .disarm = fault_alloc_disarm,
                                        .expected = {PTL_ERR_NOMEM}};
    if (!test_takes(_i))
        return;
    const fault_scene *scene = fault_scene_at(_i);
    ck_assert_int_eq(fault_run(&place, scene, &source, 1, fault_samples(scene)), 0);
}
END_TEST

int main(void)
{
    if (!fault_alloc_sees_libraries())
        printf("LEFT OUT: allocations inside libraries can't fail under a sanitizer\n");
    Suite *suite = suite_create("faults");
    TCase *tc = tcase_create("memory");
    tcase_add_unchecked_fixture(tc, make_place, remove_place);
    tcase_add_loop_test(tc, allocations, 0, fault_scene_count());
    suite_add_tcase(suite, tc);
    return suite_run(suite);
}
