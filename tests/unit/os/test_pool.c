/* Worker threads and the thread that ticks: every task is run once and freed once, whenever its
 * pool ends. */
#include "core/error.h"
#include "os/clock.h"
#include "os/pool.h"
#include "support/suite.h"

#include <check.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

enum { TASKS = 500 };

/* What all workers of a pool share. */
typedef struct shop {
    atomic_int workers, made, runs, freed;
    int workers_max; /* 0: any number; the next one gets no memory */
    int pause_ms;    /* of each task */
} shop;

typedef struct job {
    pool_task task; /* first */
    shop *of;
    uint64_t square;
} job;

/* Of one thread: what two tasks of one worker at a time would break. */
typedef struct hand {
    shop *of;
    bool busy;
} hand;

static void *hand_new(void *context)
{
    shop *s = context;
    if (s->workers_max > 0 && atomic_load(&s->made) == s->workers_max)
        return NULL;
    hand *h = calloc(1, sizeof *h);
    ck_assert_ptr_nonnull(h);
    h->of = s;
    atomic_fetch_add(&s->made, 1);
    atomic_fetch_add(&s->workers, 1);
    return h;
}

static void hand_free(void *worker)
{
    hand *h = worker;
    atomic_fetch_sub(&h->of->workers, 1);
    free(h);
}

static void job_run(void *worker, pool_task *task)
{
    hand *h = worker;
    job *j = (job *)task;
    if (h->busy)
        abort();
    h->busy = true;
    if (h->of->pause_ms > 0)
        clock_sleep(h->of->pause_ms);
    j->square = task->number * task->number;
    task->status = task->number % 7 == 3
                       ? error_set(&task->err, PTL_ERR_LIMIT, "%d", (int)task->number)
                       : PTL_OK;
    atomic_fetch_add(&h->of->runs, 1);
    h->busy = false;
}

static void job_free(pool_task *task)
{
    job *j = (job *)task;
    atomic_fetch_add(&j->of->freed, 1);
    free(j);
}

static pool *open_pool(shop *s, int32_t jobs)
{
    const pool_kind kind = {hand_new, hand_free, job_run, job_free, s};
    pool *p = NULL;
    ck_assert_int_eq(pool_new(&p, &kind, jobs, NULL), PTL_OK);
    return p;
}

static void give(pool *p, shop *s, uint64_t number)
{
    job *j = calloc(1, sizeof *j);
    ck_assert_ptr_nonnull(j);
    j->task.number = number;
    j->of = s;
    pool_give(p, &j->task);
}

START_TEST(each_task_comes_back_once)
{
    shop s = {.pause_ms = 0};
    bool seen[TASKS] = {false};
    pool *p = open_pool(&s, _i);
    ck_assert_int_eq(atomic_load(&s.workers), _i);
    for (uint64_t i = 0; i < TASKS; i++)
        give(p, &s, i);
    for (size_t left = TASKS; left > 0; left--) {
        ck_assert_uint_eq(pool_pending(p), left);
        pool_task *task = pool_take(p, 60);
        ck_assert_ptr_nonnull(task);
        const uint64_t number = task->number;
        ck_assert_uint_lt(number, TASKS);
        ck_assert(!seen[number]);
        seen[number] = true;
        ck_assert_uint_eq(((job *)task)->square, number * number);
        ck_assert_int_eq(task->status, number % 7 == 3 ? PTL_ERR_LIMIT : PTL_OK);
        ck_assert_int_eq(task->err.status, task->status);
        job_free(task);
    }
    ck_assert_uint_eq(pool_pending(p), 0);
    ck_assert_ptr_null(pool_take(p, 0));
    pool_free(p);
    ck_assert_int_eq(atomic_load(&s.runs), TASKS);
    ck_assert_int_eq(atomic_load(&s.workers), 0);
}
END_TEST

/* Some have come back, some wait, some run: none is lost, none is freed twice. */
START_TEST(a_pool_that_ends_frees_its_tasks)
{
    shop s = {.pause_ms = 1};
    pool *p = open_pool(&s, _i);
    for (uint64_t i = 0; i < 40; i++)
        give(p, &s, i);
    pool_task *task = pool_take(p, 60);
    ck_assert_ptr_nonnull(task);
    job_free(task);
    pool_free(p);
    ck_assert_int_eq(atomic_load(&s.freed), 40);
    ck_assert_int_eq(atomic_load(&s.workers), 0);
    pool_free(NULL);
}
END_TEST

START_TEST(taking_waits_no_longer_than_said)
{
    shop s = {.pause_ms = 300};
    pool *p = open_pool(&s, 2);
    const double start = clock_seconds();
    ck_assert_ptr_null(pool_take(p, 0.02)); /* nothing is under way at all */
    ck_assert(clock_seconds() - start >= 0.02);
    give(p, &s, 1);
    ck_assert_ptr_null(pool_take(p, 0));
    pool_task *task = pool_take(p, 60);
    ck_assert_ptr_nonnull(task);
    ck_assert(clock_seconds() - start < 60);
    job_free(task);
    pool_free(p);
}
END_TEST

START_TEST(without_memory_for_a_worker)
{
    shop s = {.workers_max = 2};
    const pool_kind kind = {hand_new, hand_free, job_run, job_free, &s};
    pool *p = (pool *)&s;
    ptl_error err = {0};
    ck_assert_int_eq(pool_new(&p, &kind, 4, &err), PTL_ERR_NOMEM);
    ck_assert_ptr_null(p);
    ck_assert_int_eq(err.status, PTL_ERR_NOMEM);
    ck_assert_int_eq(atomic_load(&s.made), 2);
    ck_assert_int_eq(atomic_load(&s.workers), 0);
}
END_TEST

/* ---- ticker ---- */

static void tick(void *payload)
{
    atomic_fetch_add((atomic_int *)payload, 1);
}

START_TEST(a_ticker_ticks_until_it_ends)
{
    atomic_int ticks = 0;
    ticker *t = ticker_begin(2, tick, &ticks);
    ck_assert_ptr_nonnull(t);
    for (int i = 0; i < 1000 && atomic_load(&ticks) < 3; i++)
        clock_sleep(10);
    ck_assert_int_ge(atomic_load(&ticks), 3);
    ticker_end(t);
    const int seen = atomic_load(&ticks);
    clock_sleep(20);
    ck_assert_int_eq(atomic_load(&ticks), seen);
    ticker_end(NULL);
}
END_TEST

/* It waits for its first pause, however long that is, and its end does not wait for that. */
START_TEST(a_slow_ticker_ends_at_once)
{
    atomic_int ticks = 0;
    const double start = clock_seconds();
    ticker_end(ticker_begin(60500, tick, &ticks));
    ck_assert(clock_seconds() - start < 30);
    ck_assert_int_eq(atomic_load(&ticks), 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("pool");
    TCase *tc = tcase_create("pool");
    tcase_set_tags(tc, "threads"); /* what the thread sanitizer's stage runs */
    tcase_add_loop_test(tc, each_task_comes_back_once, 1, 5);
    tcase_add_loop_test(tc, a_pool_that_ends_frees_its_tasks, 1, 4);
    tcase_add_test(tc, taking_waits_no_longer_than_said);
    tcase_add_test(tc, without_memory_for_a_worker);
    tcase_add_test(tc, a_ticker_ticks_until_it_ends);
    tcase_add_test(tc, a_slow_ticker_ends_at_once);
    suite_add_tcase(suite, tc);
    return suite_run(suite);
}
