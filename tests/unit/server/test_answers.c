/* What answers say when they can't be given: of the server that stops, of a count that takes
 * too long, of a body without memory. With a clock of the test's own. */
#include "clients/server/answer.h"
#include "os/clock.h"
#include "support/suite.h"
#include "support/world_file.h"

#include <check.h>
#include <string.h>

/* clock_seconds in this program (the linker's --wrap): the clock, and `pace` more at each look.
 */
double __wrap_clock_seconds(void);
double __real_clock_seconds(void);

static double pace, ahead;

double __wrap_clock_seconds(void)
{
    ahead += pace;
    return __real_clock_seconds() + ahead;
}

/* malloc as our own objects in this program call it: one call of an answer fails, if a test
 * says so. */
void *__wrap_malloc(size_t size);
void *__real_malloc(size_t size);

static unsigned fails;   /* the number of the call that fails in the next answer; 0: none */
static unsigned failing; /* calls until then; 0: none fails any more */
static unsigned left;    /* `failing` at the answer's end; 0: the call was met */

void *__wrap_malloc(size_t size)
{
    return failing > 0 && --failing == 0 ? NULL : __real_malloc(size);
}

/* The server that stops: its readers ask, and from one of their questions on it is yes (0:
 * never). */
static unsigned questions, yes_from;

static bool stops(void *payload)
{
    (void)payload;
    questions++;
    return yes_from > 0 && questions >= yes_from;
}

static char path[WORLD_PATH_SIZE];
static readers *all;
static ptl_error err;

static void set_up(void)
{
    const ptl_chunk_pos places[] = {{0, 0}, {1, 0}};
    world_file_path(path);
    ptl_store *store = world_file_open(path, "w", 42);
    ptl_world *world = world_file_world(store, "w");
    ptl_generate_options o = PTL_GENERATE_OPTIONS_INIT;
    o.positions = places;
    o.position_count = 2;
    ck_assert_msg(ptl_generate(NULL, world, &o, &err) == PTL_OK, "%s", err.message);
    ptl_world_close(world);
    ptl_store_close(store);
    const readers_options how = {
        .path = path, .write = true, .shared = true, .should_stop = stops};
    pace = ahead = 0;
    yes_from = 0;
    ck_assert_msg(readers_new(&all, &how, &err) == PTL_OK, "%s", err.message);
}

static void tear_down(void)
{
    readers_free(all);
    world_file_remove(path);
}

/* Answers a target as the server does. Questions of whether to stop count from the answer on:
 * they are not those of opening the world. */
static ptl_status answer(reply *out, const char *text)
{
    target values;
    reader *from;
    const unsigned wanted = yes_from;
    const char *reason = NULL;
    ck_assert_msg(target_parse(&values, text, &reason), "%s", reason);
    const answer_path *what = answer_find(values.path);
    ck_assert_ptr_nonnull(what);
    yes_from = 0;
    ck_assert_msg(reader_take(&from, all, what->use, -1, &err) == PTL_OK, "%s", err.message);
    asked q = {.values = &values, .from = from, .may_write = true};
    ck_assert_msg(asked_read(&q, what, &err) == PTL_OK, "%s", err.message);
    questions = 0;
    yes_from = wanted;
    memset(&err, 0x55, sizeof err); /* a call clears what it is given */
    failing = fails;
    const ptl_status status = what->answer(&q, out, &err);
    left = failing;
    failing = yes_from = 0;
    reader_give(from, status);
    target_dispose(&values);
    return status;
}

static ptl_status answer_anew(reply *out, const char *text)
{
    bytes_dispose(&out->body);
    reply_init(out);
    return answer(out, text);
}

static const char STATS[] = "/data/stats?world=w&west=0&north=0&east=1&south=0&z=0";

/* Whenever it stops, the answer is that, and not that there is too much to count. */
START_TEST(a_count_that_is_stopped)
{
    reply r = {.code = 0};
    ck_assert_msg(answer_anew(&r, STATS) == PTL_OK, "%s", err.message);
    ck_assert_ptr_nonnull(strstr(bytes_text(&r.body), "\"overmaps\":2,"));
    const unsigned most = questions;
    ck_assert_uint_gt(most, 1);
    unsigned stopped = 0;
    /* Most of them are of opening the sample: the count is at the end. */
    for (unsigned i = 1; i <= most; i += 1 + most / (i < most / 10 * 9 ? 20 : 1000)) {
        yes_from = i;
        const ptl_status status = answer_anew(&r, STATS);
        ck_assert_msg(status == PTL_OK || status == PTL_ERR_CANCELLED, "question %u: %d, %s", i,
                      (int)status, err.message);
        ck_assert_int_eq(err.status, status);
        stopped += status == PTL_ERR_CANCELLED;
    }
    ck_assert_uint_gt(stopped, 1);
    ck_assert_msg(answer_anew(&r, STATS) == PTL_OK, "%s", err.message);
    bytes_dispose(&r.body);
}
END_TEST

START_TEST(a_count_that_takes_too_long)
{
    reply r = {.code = 0};
    pace = 7; /* three looks at the clock, and the time is over */
    ck_assert_int_eq(answer_anew(&r, STATS), PTL_ERR_LIMIT);
    ck_assert_str_eq(err.message, "there is too much to count: zoom in");
    bytes_dispose(&r.body);
}
END_TEST

/* Memory runs out at each of its allocations: then that is said, and nothing is answered. */
START_TEST(a_map_without_memory)
{
    static const char made[] = "/data/make-local?world=w&x=90&y=90&z=0";
    reply r = {.code = 0}, again = {.code = 0};
    ck_assert_msg(answer_anew(&r, made) == PTL_OK, "%s", err.message);
    ck_assert_msg(answer_anew(&again, "/data/local?world=w&x=90&y=90&z=0") == PTL_OK, "%s",
                  err.message);
    const char *whole = bytes_text(&again.body);
    ck_assert_str_eq(bytes_text(&r.body), whole);
    ck_assert_ptr_nonnull(strstr(whole, "\"oter\""));
    unsigned failed = 0;
    do {
        fails = ++failed;
        const ptl_status status = answer_anew(&r, made);
        fails = 0;
        if (left > 0)
            break; /* there are not so many */
        ck_assert_msg(status == PTL_ERR_NOMEM && err.status == status, "allocation %u: %d",
                      failed, (int)status);
    } while (failed < 10000);
    ck_assert_uint_gt(failed, 3);
    ck_assert_msg(answer_anew(&r, made) == PTL_OK, "%s", err.message);
    ck_assert_str_eq(bytes_text(&r.body), whole);
    bytes_dispose(&r.body);
    bytes_dispose(&again.body);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("answers");
    TCase *t = tcase_create("answers");
    tcase_add_checked_fixture(t, set_up, tear_down);
    tcase_add_test(t, a_count_that_is_stopped);
    tcase_add_test(t, a_count_that_takes_too_long);
    tcase_add_test(t, a_map_without_memory);
    suite_add_tcase(suite, t);
    return suite_run(suite);
}
