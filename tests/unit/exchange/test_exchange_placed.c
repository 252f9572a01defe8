/*
 * Placements that a file of version 36 or 29 tells apart by numbers: of chunks as they are
 * generated (fixed specials in each rotation, mutable ones, buildings of cities), each comes
 * back where it was, with its joins and, on each tile, a piece like the one that was there.
 */
#include "unit/exchange/test_exchange.h"

#include "exchange/exchange.h"
#include "support/world_file.h"
#include "world/world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CELLS = PTL_LEVELS * PTL_LEVEL_CELLS };

static char path[WORLD_PATH_SIZE];
static ptl_store *store;
static ptl_world *world;
static const catalogue *cat;
static ptl_oter defaults[PTL_LEVELS];
static ptl_error err;
static int version; /* of the texts that are written */

/* A chunk's text, and what is read of it. */
typedef struct trip {
    ptl_chunk *chunk;
    gen_features features;
    bytes text;
    save_overmap back;
} trip;

static void set_up(void)
{
    world_file_path(path);
    store = world_file_open(path, "w", 42);
    world = world_file_world(store, "w");
    cat = ptl_world_catalogue(world);
    version = SAVE_VERSION_0I;
    memset(&err, 0, sizeof err);
    for (int i = 0; i < PTL_LEVELS; i++)
        defaults[i] = catalogue_oter_or_first(cat, i < 10 ? "empty_rock" : "field");
}

static void tear_down(void)
{
    ptl_world_close(world);
    ptl_store_close(store);
    world_file_remove(path);
}

static ptl_status read_back(save_overmap *out, const char *text)
{
    const save_reader reader = {.cat = cat, .defaults = defaults, .path = "o.0.0"};
    memset(&err, 0, sizeof err);
    ptl_status status =
        save_read(out, &reader, (ptl_chunk_pos){0, 0}, text, strlen(text), &err);
    if (status == PTL_OK)
        status = save_place(out, cat, &err);
    return status == PTL_OK ? save_split(out, cat, &err) : status;
}

static void write_text(bytes *out, const ptl_chunk *chunk, const gen_features *features)
{
    const edge edges[4] = {{.count = 0}};
    const submap_groups groups = {NULL, 0, 0};
    const save_source source = {cat, chunk, features, edges, "default", &groups, version};
    bytes_init(out);
    save_write(out, &source);
}

static int32_t swapped(int32_t placement, int32_t first)
{
    return placement == first ? 0 : placement == 0 ? first : placement;
}

/* Gives the number 0 to a mutable special with joins, and its own number to what had 0. */
static void put_mutable_first(gen_features *f)
{
    const int32_t first = f->join_count > 0 ? (int32_t)f->joins[0].placement : 0;
    const gen_placement before = f->placements[0];
    f->placements[0] = f->placements[first];
    f->placements[first] = before;
    for (size_t i = 0; i < f->piece_count; i++)
        f->pieces[i].placement = swapped(f->pieces[i].placement, first);
    for (size_t i = 0; i < f->join_count; i++)
        f->joins[i].placement = swapped(f->joins[i].placement, first);
}

static trip make_trip(ptl_chunk_pos pos)
{
    trip t = {.chunk = NULL};
    bool found = false;
    ck_assert_msg(ptl_chunk_get(&t.chunk, world, pos, &err) == PTL_OK, "%s", err.message);
    ck_assert_int_eq(ops(store)->chunk->features_read_all(&t.features, &found, store,
                                                          world->row.id, pos, cat, &err),
                     PTL_OK);
    put_mutable_first(&t.features);
    write_text(&t.text, t.chunk, &t.features);
    const ptl_status status = read_back(&t.back, bytes_text(&t.text));
    ck_assert_msg(status == PTL_OK, "%s", err.message);
    return t;
}

static void end_trip(trip *t)
{
    ptl_chunk_free(t->chunk);
    features_dispose(&t->features);
    bytes_dispose(&t->text);
    save_overmap_dispose(&t->back);
}

/* The tiles of both say the same, in whatever rotation. What a blob has spread is no point. */
static void check_placement(const gen_placement *a, const gen_placement *b)
{
    const cat_special *special = &cat->specials[a->special];
    ck_assert_uint_eq(a->special, b->special);
    ck_assert(a->omts == b->omts || special->flags & PTL_SPECIAL_BLOB);
    ck_assert_msg(a->x == b->x && a->y == b->y && a->z == b->z,
                  "%s was at %d,%d,%d and is at %d,%d,%d", special->id, a->x, a->y, a->z, b->x,
                  b->y, b->z);
    for (size_t i = 0; i < special->omt_count; i++) {
        const cat_omt *t = &special->omts[i];
        int32_t ax, ay, bx, by;
        feature_rotate(t->x, t->y, a->rotation, &ax, &ay);
        feature_rotate(t->x, t->y, b->rotation, &bx, &by);
        ck_assert_msg(t->oters[a->rotation] == t->oters[b->rotation] && ax == bx && ay == by,
                      "%s was turned by %d, and is by %d", special->id, a->rotation,
                      b->rotation);
    }
}

static size_t cell_of(const gen_piece *p)
{
    return (size_t)((p->z - PTL_Z_MIN) * PTL_LEVEL_CELLS + p->y * PTL_CHUNK_SIZE + p->x);
}

/* The join that a piece has on a side of the world. */
static int join_on(const cat_mutable *layout, const gen_piece *p, int side)
{
    return layout->pieces[p->piece].sides[side < 4 ? (side - p->rotation) & 3 : side].join;
}

/* Where a side has met, the piece has the join there that the one of before had. */
static void check_sides(const gen_features *a, const gen_features *b, const gen_piece **was)
{
    const gen_piece **is = calloc(CELLS, sizeof *is);
    for (size_t i = 0; i < b->piece_count; i++)
        is[cell_of(&b->pieces[i])] = &b->pieces[i];
    for (size_t i = 0; i < a->join_count; i++) {
        const gen_join *j = &a->joins[i];
        const size_t cell = cell_of(&(gen_piece){.x = j->x, .y = j->y, .z = j->z});
        if (!is[cell] || was[cell]->placement != j->placement)
            continue;
        const cat_special *special = &cat->specials[a->placements[j->placement].special];
        ck_assert_msg(join_on(special->layout, is[cell], j->side) ==
                          join_on(special->layout, was[cell], j->side),
                      "%s: %s turned by %d was %s turned by %d", special->id,
                      special->layout->pieces[is[cell]->piece].id, is[cell]->rotation,
                      special->layout->pieces[was[cell]->piece].id, was[cell]->rotation);
    }
    free(is);
}

/* Of several pieces on a cell the last one stands there. */
static void check_pieces(const gen_features *a, const gen_features *b)
{
    const gen_piece **last = calloc(CELLS, sizeof *last);
    size_t cells = 0;
    for (size_t i = 0; i < a->piece_count; i++) {
        cells += last[cell_of(&a->pieces[i])] == NULL;
        last[cell_of(&a->pieces[i])] = &a->pieces[i];
    }
    ck_assert_uint_eq(b->piece_count, cells);
    for (size_t i = 0; i < b->piece_count; i++) {
        const gen_piece *is = &b->pieces[i], *was = last[cell_of(is)];
        ck_assert_ptr_nonnull(was);
        ck_assert_int_eq(is->placement, was->placement);
        const cat_mutable *layout = cat->specials[a->placements[was->placement].special].layout;
        ck_assert_msg(layout->pieces[is->piece].oters[is->rotation] ==
                          layout->pieces[was->piece].oters[was->rotation],
                      "%s turned by %d was %s turned by %d", layout->pieces[is->piece].id,
                      is->rotation, layout->pieces[was->piece].id, was->rotation);
    }
    check_sides(a, b, last);
    free(last);
}

static void check_joins(const gen_features *a, const gen_features *b)
{
    ck_assert_uint_eq(a->join_count, b->join_count);
    for (size_t i = 0; i < a->join_count; i++) {
        const gen_join *p = &a->joins[i], *q = &b->joins[i];
        ck_assert(p->placement == q->placement && p->x == q->x && p->y == q->y &&
                  p->z == q->z && p->side == q->side && p->join == q->join);
    }
}

START_TEST(each_placement_comes_back)
{
    size_t mutables = 0, buildings = 0, turned = 0, upright = 0;
    version = _i % 2 ? SAVE_VERSION_BN : SAVE_VERSION_0I;
    for (int32_t i = 0; i < 6; i++) {
        trip t = make_trip((ptl_chunk_pos){2 * _i + i % 2, i / 2 - 1});
        const gen_features *a = &t.features, *b = &t.back.features;
        ck_assert_uint_eq(a->placement_count, b->placement_count);
        ck_assert_uint_eq(t.back.counts.points_left_out, 0);
        ck_assert_uint_eq(t.back.counts.details_left_out, 0);
        for (size_t k = 0; k < a->placement_count; k++) {
            const cat_special *special = &cat->specials[a->placements[k].special];
            check_placement(&a->placements[k], &b->placements[k]);
            mutables += special->layout != NULL;
            buildings += special->building;
            turned += a->placements[k].rotation > 0;
        }
        check_pieces(a, b);
        check_joins(a, b);
        for (size_t k = 0; k < a->join_count; k++)
            upright += a->joins[k].side >= CAT_ABOVE;
        end_trip(&t);
    }
    ck_assert(mutables > 5 && buildings > 100 && turned > 100 && upright > 10);
}
END_TEST

/* A placement whose special the content has no more uses no content of the save's. */
START_TEST(only_specials_that_are_there_are_used)
{
    gen_placement placements[] = {{.special = CAT_NONE}, {.special = 3}};
    const gen_features features = {.placements = placements, .placement_count = 2};
    ptl_game_save_fit *fit = NULL;
    ptl_chunk *chunk = NULL;
    ck_assert_int_eq(ptl_chunk_get(&chunk, world, (ptl_chunk_pos){0, 0}, &err), PTL_OK);
    ck_assert_int_eq(save_fit_new(&fit, cat, &err), PTL_OK);
    save_fit_note(fit, chunk, &features);
    for (uint16_t i = 0; i <= cat->special_count; i++)
        ck_assert_int_eq(fit->has_special[i], i == 3);
    ptl_game_save_fit_free(fit);
    ptl_chunk_free(chunk);
}
END_TEST

/* ---- what a file may say ---- */

/* A text of uniform layers and one 1 x 1 special on two tiles. */
static char *text_with(const char *members)
{
    bytes b;
    bytes_init(&b);
    bytes_put_text(&b, "# version 36\n{\"layers\":[");
    for (int i = 0; i < PTL_LEVELS; i++)
        bytes_printf(&b, "%s[[\"field\",32400]]\n", i ? "," : "");
    bytes_printf(&b, "]%s}", members);
    return (char *)(uintptr_t)bytes_text(&b);
}

/* A special of one tile, by its id. */
static const char *lone_special(void)
{
    for (size_t i = 0; i < cat->special_count; i++)
        if (cat->specials[i].omt_count == 1 && cat->specials[i].omts[0].z == 0)
            return cat->specials[i].id;
    return NULL;
}

static char *two_points(const char *rest)
{
    char members[1000];
    snprintf(members, sizeof members,
             ",\"overmap_special_placements\":[{\"special\":\"%s\",\"placements\":[{\"points\":"
             "[{\"p\":[7,8,0]},{\"p\":[9,8,0]}]}]}]%s",
             lone_special(), rest);
    return text_with(members);
}

/* Arguments that are chosen already are left out; a number may have no points, and a point no
 * number: that one is told by its tiles, if at all. Of a point that stands twice the smaller
 * number counts. Points of nothing say nothing. */
START_TEST(numbers_that_say_less)
{
    static const struct {
        const char *rest;
        size_t placed, left, details;
    } cases[] = {
        {"", 0, 2, 0},
        {",\"mapgen_arg_storage\":[null,{\"a\":[\"b\",\"c\"]},null],"
         "\"mapgen_arg_index\":[[[7,8,0],0],[[9,8,0],1],[[100,8,0],2]]",
         2, 0, 1},
        {",\"mapgen_arg_storage\":[null],\"mapgen_arg_index\":[[[9,8,0],0]]", 1, 1, 0},
        {",\"mapgen_arg_storage\":[null,null],\"mapgen_arg_index\":[[[7,8,0],1],[[9,8,0],1],"
         "[[7,8,0],0],[[181,8,0],0],[[7,8,99],0]]",
         2, 0, 0},
        /* Two tiles for a special of one: nobody knows which. */
        {",\"mapgen_arg_storage\":[null],\"mapgen_arg_index\":[[[7,8,0],0],[[9,8,0],0]]", 0, 2,
         0},
        {",\"joins_used\":[[[[7,8,0],2],\"a_join\"],[[[7,8,50],2],\"a_join\"]]", 0, 2, 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *text = two_points(cases[i].rest);
        save_overmap o;
        ck_assert_msg(read_back(&o, text) == PTL_OK, "%s", err.message);
        ck_assert_msg(o.features.placement_count == cases[i].placed, "case %zu: %zu", i,
                      o.features.placement_count);
        ck_assert_uint_eq(o.counts.points_left_out, cases[i].left);
        ck_assert_uint_eq(o.counts.details_left_out, cases[i].details);
        save_overmap_dispose(&o);
        free(text);
    }
}
END_TEST

START_TEST(numbers_that_are_wrong)
{
    static const char *const cases[][2] = {
        {",\"mapgen_arg_storage\":{}", "mapgen_arg_storage must be an array"},
        {",\"mapgen_arg_index\":7", "mapgen_arg_index must be an array"},
        {",\"mapgen_arg_index\":[[[7,8,0],0]]", "has 0 entries, none of this number"},
        {",\"mapgen_arg_storage\":[null],\"mapgen_arg_index\":[[[7,8,0],1]]",
         "has 1 entries, none of this number"},
        {",\"mapgen_arg_storage\":[null],\"mapgen_arg_index\":[[[7,8,0],-1]]",
         "none of this number"},
        {",\"mapgen_arg_storage\":[null],\"mapgen_arg_index\":[[[7,8],0]]", "a place is [x, y"},
        {",\"mapgen_arg_storage\":[null],\"mapgen_arg_index\":[[[7,8,0]]]",
         "a point's arguments are [place, number]"},
        {",\"mapgen_arg_storage\":[null],\"mapgen_arg_index\":[[[7,8,0],0.5]]",
         "a point's arguments are [place, number]"},
        {",\"joins_used\":{}", "joins_used must be an array"},
        {",\"joins_used\":[[[[7,8,0],6],\"a\"]]", "a join is [[place, side], id], the side 0"},
        {",\"joins_used\":[[[[7,8,0],-1],\"a\"]]", "a join is"},
        {",\"joins_used\":[[[[7,8,0],1],7]]", "a join is"},
        {",\"joins_used\":[[[[7,8],1],\"a\"]]", "a place is"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *text = two_points(cases[i][0]);
        save_overmap o;
        ck_assert_int_eq(read_back(&o, text), PTL_ERR_CONTENT);
        ck_assert_msg(strstr(err.message, cases[i][1]) != NULL, "%s", err.message);
        save_overmap_dispose(&o);
        free(text);
    }
}
END_TEST

/* Before JSON there were lines; whatever such a file holds, its version says enough. */
START_TEST(versions_before_json)
{
    static const char *const old[] = {"# version 22\nL 0\nfield 32400\n", "# version 7\n{}",
                                      "# version 23\n{\"layers\":[]}"};
    save_overmap o;
    for (size_t i = 0; i < sizeof old / sizeof *old; i++) {
        ck_assert_int_eq(read_back(&o, old[i]), PTL_ERR_CONTENT);
        char says[60];
        snprintf(says, sizeof says, "o.0.0:1:1: save version %d is not read",
                 atoi(old[i] + 10));
        ck_assert_msg(strncmp(err.message, says, strlen(says)) == 0, "%s", err.message);
        save_overmap_dispose(&o);
    }
    ck_assert_int_eq(read_back(&o, "# version 24\n{}"), PTL_ERR_CONTENT);
    ck_assert_msg(strstr(err.message, "there are no layers") != NULL, "%s", err.message);
    save_overmap_dispose(&o);
}
END_TEST

/* What a tile was before, and the content lacks, is left out; so are joins of such. */
START_TEST(what_the_content_lacks_is_not_written)
{
    const ptl_oter field = catalogue_oter(cat, "field");
    gen_features f = {.cities = NULL};
    ptl_chunk *chunk = chunk_new((ptl_chunk_pos){0, 0});
    bytes text;
    for (int z = 0; z < PTL_LEVELS; z++)
        level_fill(&chunk->levels[z], defaults[z]);
    *features_add_predecessor(&f) = (gen_predecessor){CAT_NONE, 3, 4, 0, false, 2};
    *features_add_predecessor(&f) = (gen_predecessor){field, 4, 4, 0, true, 2};
    *features_add_placement(&f) = (gen_placement){.special = CAT_NONE, .x = 9, .y = 9};
    *features_add_piece(&f) = (gen_piece){.piece = CAT_NONE, .x = 9, .y = 9};
    *features_add_join(&f) = (gen_join){.join = CAT_NONE, .x = 9, .y = 9};
    write_text(&text, chunk, &f);
    static const char end[] = ",\"overmap_special_placements\":[]\n,\"mapgen_arg_storage\":[]"
                              "\n,\"mapgen_arg_index\":[]\n,\"omt_stack_arguments_map\":[]"
                              "\n,\"joins_used\":[]\n,\"predecessors\":[[[4,4,0],[\"field\"]],"
                              "[[4,5,0],[\"field\"]]]\n}\n";
    const char *said = bytes_text(&text);
    ck_assert_msg(strlen(said) > sizeof end &&
                      strcmp(said + strlen(said) - (sizeof end - 1), end) == 0,
                  "%s", strstr(said, ",\"overmap_special"));
    bytes_dispose(&text);
    features_dispose(&f);
    ptl_chunk_free(chunk);
}
END_TEST

/* The first tile of a special in the last column, where its second one would lie beyond the
 * border: without a number it is no placement of that special. */
START_TEST(nothing_reaches_beyond_the_border)
{
    int tried = 0;
    for (uint16_t id = 0; id < cat->special_count && tried < 8; id++) {
        const cat_special *special = &cat->specials[id];
        if (special->omt_count < 2 || special->omts[1].x <= special->omts[0].x)
            continue;
        tried++;
        const cat_omt *t = &special->omts[0];
        const int row = 90 * PTL_CHUNK_SIZE, last = PTL_CHUNK_SIZE - 1;
        bytes text;
        save_overmap o;
        bytes_init(&text);
        bytes_printf(&text, "# version 33\n{\"layers\":[");
        for (int z = PTL_Z_MIN; z <= PTL_Z_MAX; z++)
            if (z == t->z)
                bytes_printf(&text, "%s[[\"field\",%d],[\"%s\",1],[\"field\",%d]]\n",
                             z > PTL_Z_MIN ? "," : "", row + last, cat->oters[t->oters[0]].id,
                             PTL_LEVEL_CELLS - row - last - 1);
            else
                bytes_printf(&text, "%s[[\"field\",%d]]\n", z > PTL_Z_MIN ? "," : "",
                             PTL_LEVEL_CELLS);
        bytes_printf(&text,
                     "],\"overmap_special_placements\":[{\"special\":\"%s\",\"placements\":"
                     "[{\"points\":[{\"p\":[%d,90,%d]}]}]}]}",
                     special->id, last, t->z);
        ck_assert_msg(read_back(&o, bytes_text(&text)) == PTL_OK, "%s", err.message);
        ck_assert_msg(o.features.placement_count == 0, "%s", special->id);
        ck_assert_uint_eq(o.counts.points_left_out, 1);
        save_overmap_dispose(&o);
        bytes_dispose(&text);
    }
    ck_assert_int_gt(tried, 2);
}
END_TEST

/* A later placement takes cells of an earlier one: both come back, the earlier one by what is
 * left of it, unless nothing is. */
START_TEST(placements_over_others)
{
    size_t tried = 0;
    for (uint16_t id = 0; id < cat->special_count && tried < 8; id++) {
        const cat_special *special = &cat->specials[id];
        if (special->omt_count < 3)
            continue;
        tried++;
        trip t = {.chunk = chunk_new((ptl_chunk_pos){0, 0})};
        for (int z = 0; z < PTL_LEVELS; z++)
            level_fill(&t.chunk->levels[z], defaults[z]);
        for (int i = 0; i < 2; i++) {
            const gen_placement p = {
                .special = id,
                .x = (int16_t)(90 + i * (special->omts[1].x - special->omts[0].x)),
                .y = (int16_t)(90 + i * (special->omts[1].y - special->omts[0].y)),
                .city = FEATURE_NO_CITY,
                .omts = special->building ? 0 : (int32_t)special->omt_count};
            *features_add_placement(&t.features) = p;
            for (size_t k = 0; k < special->omt_count; k++) {
                const cat_omt *tile = &special->omts[k];
                level_cells(chunk_level(
                    t.chunk, tile->z))[(p.y + tile->y) * PTL_CHUNK_SIZE + p.x + tile->x] =
                    tile->oters[0];
            }
        }
        write_text(&t.text, t.chunk, &t.features);
        ck_assert_int_eq(read_back(&t.back, bytes_text(&t.text)), PTL_OK);
        const bool hidden = t.features.placements[0].x == t.features.placements[1].x &&
                            t.features.placements[0].y == t.features.placements[1].y;
        ck_assert_uint_eq(t.back.features.placement_count, hidden ? 1 : 2);
        /* The later one has all of its points. */
        ck_assert_uint_eq(t.back.placed[t.back.placed_count - 1].count, special->omt_count);
        for (size_t k = 0; k < t.back.features.placement_count; k++)
            check_placement(&t.features.placements[hidden ? 1 : k],
                            &t.back.features.placements[k]);
        end_trip(&t);
    }
    ck_assert_uint_eq(tried, 8);
}
END_TEST

TCase *exchange_placed_case(void)
{
    TCase *tc = tcase_create("placed");
    tcase_add_checked_fixture(tc, set_up, tear_down);
    tcase_set_timeout(tc, 60);
    tcase_add_loop_test(tc, each_placement_comes_back, 0, 3);
    tcase_add_test(tc, only_specials_that_are_there_are_used);
    tcase_add_test(tc, numbers_that_say_less);
    tcase_add_test(tc, numbers_that_are_wrong);
    tcase_add_test(tc, versions_before_json);
    tcase_add_test(tc, what_the_content_lacks_is_not_written);
    tcase_add_test(tc, nothing_reaches_beyond_the_border);
    tcase_add_test(tc, placements_over_others);
    return tc;
}
