/*
 * Saves that one thread fills and another commits by a store of its own, in both journals; and
 * caches that learn what others have changed (ptl_cache_refresh).
 */
#include "store/sqlite/connection/store_impl.h"
#include "store/sqlite/verify/verify.h"
#include "support/suite.h"
#include "unit/save/saved_fixture.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static const ptl_omt at = {90, 90, 0};
static const ptl_fact_key state = {.space = "test", .name = "state"};

/* ---- two stores of one file ---- */

/* Opens the file for a game and for the thread that saves: both may write it, or, with WAL,
 * the saver alone. */
static void open_store(ptl_store **out, const place *p, int mode, bool saver)
{
    ptl_open_options o = {.size = sizeof o, .mode = PTL_OPEN_WRITE};
    o.writers = mode == WAL ? PTL_WRITERS_ONE : PTL_WRITERS_SHARED;
    if (mode == WAL && !saver)
        o.mode = PTL_OPEN_READ;
    OK(ptl_store_open(out, p->path, &o, &err));
}

typedef struct pair {
    place p;
    ptl_store *game_store, *saver_store;
    ptl_world *game, *saver;
} pair;

static void open_pair(pair *of, int mode)
{
    ptl_local_map *map = NULL;
    ptl_world *world = saved_begin(&of->p, mode);
    OK(ptl_local_get(&map, world, at, NULL, &err)); /* so that a game that only reads has it */
    ptl_local_free(map);
    ptl_world_close(world);
    ptl_store_close(of->p.store);
    of->p.store = NULL;
    open_store(&of->saver_store, &of->p, mode, true);
    open_store(&of->game_store, &of->p, mode, false);
    of->saver = saved_world(of->saver_store, false);
    of->game = saved_world(of->game_store, false);
}

static void close_pair(pair *of)
{
    ptl_world_close(of->game);
    ptl_world_close(of->saver);
    ptl_store_close(of->game_store);
    OK(verify_parts(of->saver_store, VERIFY_ALL, NULL, NULL, NULL, &err));
    ptl_store_close(of->saver_store);
    world_file_remove(of->p.path);
}

static void set_state(ptl_save *save, int value)
{
    OK(ptl_save_fact_set(save, &state, &value, sizeof value, &err));
}

static int state_of(ptl_world *world)
{
    ptl_fact_value value;
    int out = -1;
    const ptl_status status = ptl_fact_value_load(&value, world, &state, &err);
    ck_assert(status == PTL_OK || status == PTL_ERR_NOT_FOUND);
    if (status == PTL_OK)
        memcpy(&out, value.data, sizeof out);
    ptl_fact_value_dispose(&value);
    return out;
}

/* ---- a game that does not wait ---- */

enum { SAVES = 200 };

/* What the saver is to commit, in order. */
typedef struct queue {
    pthread_mutex_t lock;
    pthread_cond_t more;
    ptl_save *list[SAVES];
    int given, taken;
    pair *of;
    char failed[PTL_ERROR_MESSAGE_SIZE];
} queue;

static void *commit_all(void *payload)
{
    queue *q = payload;
    ptl_error e = {0};
    for (int i = 0; i < SAVES; i++) {
        pthread_mutex_lock(&q->lock);
        while (q->given == i)
            pthread_cond_wait(&q->more, &q->lock);
        ptl_save *save = q->list[i];
        pthread_mutex_unlock(&q->lock);
        if (ptl_save_attach(save, q->of->saver, &e) != PTL_OK ||
            ptl_save_commit(NULL, save, &e) != PTL_OK) {
            memcpy(q->failed, e.message, sizeof q->failed);
            ptl_save_abort(save);
        }
    }
    return NULL;
}

/* Each save writes the same fact, note and map, and sets an OMT; none sees that the ones before
 * are stored. */
static ptl_save *fill(ptl_world *game, ptl_local_map *map, int i)
{
    ptl_save *save = saved_save(game, 0);
    char text[20];
    const ptl_save_cell cell = {{7, 9, 0}, i % 2 ? "field" : "forest"};
    snprintf(text, sizeof text, "turn %d", i);
    set_state(save, i);
    OK(saved_note(save, "ann", at, text));
    OK(ptl_save_cells_set(save, &cell, 1, &err));
    OK(ptl_local_terrain_set(map, i % 24, i / 24, "t_pit"));
    OK(ptl_save_local_set(save, map, &err));
    return save;
}

START_TEST(a_game_does_not_wait_for_its_saves)
{
    pair of;
    pthread_t thread;
    ptl_local_map *map = NULL;
    queue q = {.lock = PTHREAD_MUTEX_INITIALIZER, .more = PTHREAD_COND_INITIALIZER, .of = &of};
    open_pair(&of, _i);
    OK(ptl_local_load(&map, of.game, at, &err));
    ck_assert_int_eq(pthread_create(&thread, NULL, commit_all, &q), 0);
    for (int i = 0; i < SAVES; i++) {
        ptl_save *save = fill(of.game, map, i);
        pthread_mutex_lock(&q.lock);
        q.list[q.given++] = save;
        pthread_cond_signal(&q.more);
        pthread_mutex_unlock(&q.lock);
    }
    pthread_join(thread, NULL);
    ck_assert_str_eq(q.failed, "");
    ptl_local_free(map);
    ck_assert_int_eq(state_of(of.game), SAVES - 1);
    OK(ptl_local_load(&map, of.game, at, &err));
    ck_assert_int_eq(ptl_local_revision(map), SAVES + 1);
    for (int i = 0; i < SAVES; i++)
        ck_assert_str_eq(ptl_local_terrain(map, i % 24, i / 24), "t_pit");
    ptl_local_free(map);
    close_pair(&of);
}
END_TEST

/* ---- who has seen what ---- */

START_TEST(saves_of_one_writer_follow_each_other)
{
    pair of;
    open_pair(&of, _i);
    ptl_save *saves[3];
    for (int i = 0; i < 3; i++) {
        saves[i] = saved_save(of.game, 0);
        set_state(saves[i], i);
        OK(ptl_save_attach(saves[i], of.saver, &err));
    }
    OK(ptl_save_commit(NULL, saves[0], &err));
    OK(ptl_save_commit(NULL, saves[1], &err));
    /* Somebody else writes the fact: what comes after it is refused, as it has not seen it. */
    ptl_save *other = saved_save(of.saver, 0);
    set_state(other, 77);
    OK(ptl_save_commit(NULL, other, &err));
    ck_assert_int_eq(ptl_save_commit(NULL, saves[2], &err), PTL_ERR_EXISTS);
    ptl_save_abort(saves[2]);
    ck_assert_int_eq(state_of(of.game), 77);
    /* Other rows that were written in between do no harm. */
    ptl_save *a = saved_save(of.game, 0), *b = saved_save(of.game, 0);
    set_state(a, 1);
    set_state(b, 2);
    OK(ptl_save_attach(a, of.saver, &err));
    OK(ptl_save_attach(b, of.saver, &err));
    OK(ptl_save_commit(NULL, a, &err));
    other = saved_save(of.saver, 0);
    OK(saved_note(other, "bob", at, "hi"));
    OK(ptl_save_commit(NULL, other, &err));
    OK(ptl_save_commit(NULL, b, &err));
    ck_assert_int_eq(state_of(of.game), 2);
    /* What somebody else wrote between two saves of the writer stays unseen. */
    a = saved_save(of.game, 0);
    b = saved_save(of.game, 0);
    OK(saved_note(a, "ann", at, "a"));
    set_state(b, 9);
    OK(ptl_save_attach(a, of.saver, &err));
    OK(ptl_save_attach(b, of.saver, &err));
    other = saved_save(of.saver, 0);
    set_state(other, 8);
    OK(ptl_save_commit(NULL, other, &err));
    OK(ptl_save_commit(NULL, a, &err));
    ck_assert_int_eq(ptl_save_commit(NULL, b, &err), PTL_ERR_EXISTS);
    ptl_save_abort(b);
    /* Saves that nobody has handed over see what was there when they were begun. */
    a = saved_save(of.saver, 0);
    b = saved_save(of.saver, 0);
    set_state(a, 3);
    set_state(b, 4);
    OK(ptl_save_commit(NULL, a, &err));
    ck_assert_int_eq(ptl_save_commit(NULL, b, &err), PTL_ERR_EXISTS);
    ptl_save_abort(b);
    close_pair(&of);
}
END_TEST

START_TEST(a_store_that_reads_begins_saves_and_commits_none)
{
    pair of;
    open_pair(&of, WAL);
    ptl_save *save = saved_save(of.game, 0);
    set_state(save, 5);
    ck_assert_int_eq(ptl_save_commit(NULL, save, &err), PTL_ERR_READONLY);
    const ptl_edit_reset_options all = {.size = sizeof all, .rect = {0, 0, 9, 9}};
    ck_assert_int_eq(ptl_edit_reset(NULL, of.game, &all, &err), PTL_ERR_READONLY);
    /* A map that nobody has visited is made in memory, and stored with its changes. */
    const ptl_omt unvisited = {60, 60, 0};
    ptl_local_map *map = NULL, *stored = NULL;
    OK(ptl_local_get(&map, of.game, unvisited, NULL, &err));
    ck_assert(!ptl_local_is_stored(map));
    OK(ptl_local_terrain_set(map, 2, 2, "t_pit"));
    OK(ptl_save_local_set(save, map, &err));
    OK(ptl_save_attach(save, of.saver, &err));
    OK(ptl_save_commit(NULL, save, &err));
    ck_assert_int_eq(state_of(of.game), 5);
    OK(ptl_local_load(&stored, of.game, unvisited, &err));
    ck_assert_int_eq(ptl_local_revision(stored), ptl_local_revision(map));
    ck_assert_str_eq(ptl_local_terrain(stored, 2, 2), "t_pit");
    ptl_local_free(stored);
    ptl_local_free(map);
    close_pair(&of);
}
END_TEST

START_TEST(a_save_stays_with_its_world)
{
    pair of;
    ptl_world *other = NULL, *base = NULL;
    const ptl_world_open_options without_edits = {.size = sizeof without_edits, .base = true};
    open_pair(&of, _i);
    other = create(of.saver_store, "other", 12);
    OK(ptl_world_open(&base, of.saver_store, "w", &without_edits, &err));
    ptl_save *save = saved_save(of.game, 0);
    set_state(save, 6);
    ck_assert_int_eq(ptl_save_attach(save, other, &err), PTL_ERR_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(err.message, "another world than 'other'"));
    ck_assert_int_eq(ptl_save_attach(save, base, &err), PTL_ERR_ARGUMENT);
    OK(ptl_save_attach(save, of.saver, &err));
    OK(ptl_save_commit(NULL, save, &err));
    ck_assert_int_eq(state_of(of.game), 6);
    ptl_world_close(base);
    ptl_world_close(other);
    close_pair(&of);
}
END_TEST

/* Two contents with equally many oters, of which "field" has another number in each. */
static const char first_content[] =
    "[{\"type\":\"overmap_terrain\",\"id\":\"a_hut\",\"name\":\"hut\",\"sym\":\"h\","
    "\"color\":\"red\"}]\n";
static const char second_content[] =
    "[{\"type\":\"overmap_terrain\",\"id\":\"z_hut\",\"name\":\"hut\",\"sym\":\"h\","
    "\"color\":\"red\"}]\n";

/* Makes a world of the first content in a file that then has the second. */
static void open_moved(place *p)
{
    *p = (place){.memory = NULL};
    world_file_path(p->path);
    saved_open_file(p, ROLLBACK);
    import_text(p->store, first_content, false);
    ptl_world *world = create(p->store, "w", 11);
    generate(world, &(ptl_chunk_pos){0, 0}, 1, NULL);
    ptl_world_close(world);
    import_text(p->store, second_content, false);
}

static ptl_save *save_of_a_field(ptl_world *world)
{
    const ptl_save_cell cells[2] = {{{7, 9, 0}, "field"}, {{8, 9, 0}, "forest"}};
    ptl_save *save = saved_save(world, 0);
    OK(ptl_save_cells_set(save, cells, 2, &err));
    return save;
}

/* A save has oters by their numbers, which mean others in another content. */
START_TEST(a_save_stays_with_its_content)
{
    const ptl_world_open_options accept = {.size = sizeof accept, .accept_content = true};
    place p;
    ptl_world *game = NULL;
    open_moved(&p);
    ptl_world *saver = saved_world(p.store, false);
    OK(ptl_world_open(&game, p.store, "w", &accept, &err));
    ptl_save *save = save_of_a_field(game);
    ck_assert_int_eq(ptl_save_attach(save, saver, &err), PTL_ERR_ARGUMENT);
    OK(ptl_save_commit(NULL, save, &err));
    save = save_of_a_field(saver);
    ck_assert_int_eq(ptl_save_attach(save, game, &err), PTL_ERR_ARGUMENT);
    /* The world itself can get the other content before the save is committed. */
    OK(ptl_regenerate(NULL, saver, NULL, &err));
    ck_assert_int_eq(ptl_save_commit(NULL, save, &err), PTL_ERR_MISMATCH);
    ptl_save_abort(save);
    ptl_world_close(game);
    ptl_world_close(saver);
    close_place(&p);
}
END_TEST

/* ---- caches ---- */

static void edit(ptl_world *world, ptl_omt where, const char *oter)
{
    ptl_save *save = saved_save(world, 0);
    const ptl_save_cell cell = {where, oter};
    OK(ptl_save_cells_set(save, &cell, 1, &err));
    OK(ptl_save_commit(NULL, save, &err));
}

static const char *shown(ptl_cache *cache, ptl_world *world, ptl_omt where)
{
    ptl_oter oter;
    OK(ptl_cache_oter_get(&oter, cache, where, &err));
    return ptl_world_oter_name(world, oter);
}

static uint64_t refresh(ptl_cache *cache)
{
    uint64_t dropped = 99;
    OK(ptl_cache_refresh(&dropped, cache, &err));
    return dropped;
}

/* Two worlds opened from one store, and in files from two stores. */
START_TEST(a_cache_learns_what_others_have_changed)
{
    enum { CHUNKS = 3 };
    static const ptl_chunk_pos around[CHUNKS] = {{0, 0}, {1, 0}, {-1, -1}};
    static const ptl_omt far = {200, 5, 0}, near = {5, 5, 0};
    place p;
    ptl_cache *cache = NULL;
    const ptl_chunk *chunk = NULL;
    ptl_world *world = saved_begin(&p, _i), *other = saved_world(p.store, false);
    generate(world, around, CHUNKS, NULL);
    edit(other, near, "field");
    OK(ptl_cache_new(&cache, world, NULL, &err));
    for (int i = 0; i < CHUNKS; i++)
        OK(ptl_cache_get(&chunk, cache, around[i], &err));
    ck_assert_uint_eq(refresh(cache), 0);
    ck_assert_str_eq(shown(cache, world, near), "field");
    edit(other, near, "forest");
    ck_assert_str_eq(shown(cache, world, near), "field");
    ck_assert_uint_eq(refresh(cache), 1); /* that chunk alone */
    ck_assert_str_eq(shown(cache, world, near), "forest");
    ck_assert_uint_eq(refresh(cache), 0);
    edit(other, far, "field");
    edit(other, near, "field");
    ck_assert_uint_eq(refresh(cache), 2);
    ck_assert_str_eq(shown(cache, world, far), "field");
    ck_assert_str_eq(shown(cache, world, near), "field");
    edit(world, near, "forest"); /* its own world: at once */
    ck_assert_str_eq(shown(cache, world, near), "forest");
    ck_assert_uint_eq(refresh(cache), 0);
    /* A chunk that the cache has made was not read, so that it is read once. */
    OK(ptl_cache_get(&chunk, cache, (ptl_chunk_pos){0, 1}, &err));
    ck_assert_uint_eq(refresh(cache), 1);
    OK(ptl_cache_get(&chunk, cache, (ptl_chunk_pos){0, 1}, &err));
    ck_assert_uint_eq(refresh(cache), 0);
    OK(ptl_cache_refresh(NULL, cache, &err));
    ptl_cache_free(cache);
    ptl_world_close(other);
    ptl_world_close(world);
    close_place(&p);
}
END_TEST

/* What another store commits, as of a game server beside this one. */
START_TEST(a_cache_learns_what_another_store_has_saved)
{
    pair of;
    ptl_cache *cache = NULL;
    open_pair(&of, _i);
    const ptl_omt where = {7, 9, 0};
    OK(ptl_cache_new(&cache, of.game, NULL, &err));
    (void)shown(cache, of.game, where);
    for (int i = 0; i < 4; i++) {
        const char *oter = i % 2 ? "field" : "forest";
        edit(of.saver, where, oter);
        ck_assert_uint_le(refresh(cache), 1);
        ck_assert_str_eq(shown(cache, of.game, where), oter);
    }
    ptl_cache_free(cache);
    close_pair(&of);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("save_threads");
    TCase *t = tcase_create("threads");
    tcase_set_tags(t, "threads"); /* what the thread sanitizer's stage runs */
    tcase_set_timeout(t, 300);
    tcase_add_loop_test(t, a_game_does_not_wait_for_its_saves, 0, MEMORY);
    tcase_add_loop_test(t, saves_of_one_writer_follow_each_other, 0, MEMORY);
    tcase_add_test(t, a_store_that_reads_begins_saves_and_commits_none);
    tcase_add_loop_test(t, a_save_stays_with_its_world, 0, MEMORY);
    tcase_add_test(t, a_save_stays_with_its_content);
    tcase_add_loop_test(t, a_cache_learns_what_others_have_changed, 0, MODES);
    tcase_add_loop_test(t, a_cache_learns_what_another_store_has_saved, 0, MEMORY);
    suite_add_tcase(suite, t);
    return suite_run(suite);
}
