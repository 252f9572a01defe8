/*
 * Overmaps as text and back: what is written is read, what is wrong is told with its place,
 * points of specials become placements, tiles at borders become crossings. With our content.
 */
#include "unit/exchange/test_exchange.h"

#include "core/hash.h"
#include "exchange/exchange.h"
#include "support/suite.h"
#include "support/world_file.h"
#include "world/world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE = PTL_CHUNK_SIZE, LOOPS = 5 };

static char path[WORLD_PATH_SIZE];
static ptl_store *store;
static ptl_world *world;
static const catalogue *cat;
static ptl_oter defaults[PTL_LEVELS];
static ptl_error err;

static void set_up(void)
{
    world_file_path(path);
    store = world_file_open(path, "w", 42);
    world = world_file_world(store, "w");
    cat = ptl_world_catalogue(world);
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

/* ---- spreading ---- */

static void spread_of(submap_groups *out, const gen_group *group, uint64_t seed)
{
    gen_group copy = *group;
    const gen_features f = {.groups = &copy, .group_count = 1};
    ck_assert_int_eq(groups_spread(out, &f, seed, (ptl_chunk_pos){1, 2}, &err), PTL_OK);
}

/* A cone: a population's share of it is known (schema/generation.md 11), and no group lies
 * outside. */
START_TEST(spread_groups_keep_their_population)
{
    const gen_group cone = {.type = "G", .x = 100, .y = 50, .radius = 20, .population = 3000};
    double expected = 0, total = 0;
    for (int dx = -20; dx <= 20; dx++)
        for (int dy = -20; dy <= 20; dy++)
            for (int d = 0; d < 20; d++)
                if (dx * dx + dy * dy >= d * d && dx * dx + dy * dy < (d + 1) * (d + 1))
                    expected += 3000.0 * (20 - d) / 20 / (3.14159265 * 400 + 1);
    submap_groups out = {NULL, 0, 0};
    for (uint64_t seed = 0; seed < 20; seed++) {
        spread_of(&out, &cone, seed);
        for (size_t i = 0; i < out.count; i++) {
            int dx = out.list[i].x - 100, dy = out.list[i].y - 50;
            ck_assert_int_le(dx * dx + dy * dy, 21 * 21);
            ck_assert_int_gt(out.list[i].population, 0);
            total += out.list[i].population / 20.0;
            if (i > 0) /* sorted: the larger ones come first */
                ck_assert_int_ge(out.list[i - 1].population, out.list[i].population);
        }
    }
    ck_assert_double_eq_tol(total, expected, expected * 0.02);
    free(out.list);
}
END_TEST

START_TEST(spread_groups_of_other_shapes)
{
    submap_groups out = {NULL, 0, 0}, again = {NULL, 0, 0};
    gen_group g = {.type = "G", .x = 0, .y = 359, .z = -2, .radius = 1, .population = 9};
    spread_of(&out, &g, 1);
    ck_assert(out.count == 1 && out.list[0].population == 9 && out.list[0].z == -2);
    g.radius = 0;
    spread_of(&out, &g, 1);
    ck_assert_uint_eq(out.count, 1);
    g = (gen_group){.type = "G", .radius = 4, .population = 25 * 81, .diffuse = true};
    spread_of(&out, &g, 1);
    ck_assert_uint_eq(out.count, 81); /* cheb distance, the same everywhere */
    ck_assert_int_eq(out.list[0].population, 81);
    g.radius = 30000; /* cut off, not endless */
    g.population = 100000;
    g.diffuse = false;
    spread_of(&out, &g, 1);
    spread_of(&again, &g, 1);
    ck_assert_uint_eq(out.count, again.count);
    for (size_t i = 0; i < out.count; i++)
        ck_assert(out.list[i].x == again.list[i].x && out.list[i].y == again.list[i].y &&
                  out.list[i].population == again.list[i].population);
    g.population = INT32_MAX; /* more than a file may have: told, not cut */
    const gen_features f = {.groups = &g, .group_count = 1};
    ck_assert_int_eq(groups_spread(&out, &f, 1, (ptl_chunk_pos){0, 0}, &err), PTL_ERR_LIMIT);
    gen_group *many = calloc(300, sizeof *many); /* nothing comes of these, slowly */
    for (int i = 0; i < 300; i++)
        many[i] = (gen_group){.type = "G", .radius = 360, .population = 1};
    const gen_features all = {.groups = many, .group_count = 300};
    memset(&err, 0, sizeof err);
    ck_assert_int_eq(groups_spread(&out, &all, 1, (ptl_chunk_pos){0, 0}, &err), PTL_ERR_LIMIT);
    free(many);
    free(out.list);
    free(again.list);
}
END_TEST

/* ---- text and back ---- */

typedef struct sample {
    ptl_chunk *chunk;
    gen_features features;
    edge edges[4];
    submap_groups groups;
    bytes text;
    int version;
} sample;

static void write_sample(sample *s)
{
    ck_assert_int_eq(groups_spread(&s->groups, &s->features, 7, s->chunk->pos, &err), PTL_OK);
    const save_source source = {cat,       s->chunk,   &s->features, s->edges,
                                "default", &s->groups, s->version};
    bytes_clear(&s->text);
    save_write(&s->text, &source);
    ck_assert_ptr_nonnull(bytes_text(&s->text));
}

static void dispose_sample(sample *s)
{
    ptl_chunk_free(s->chunk);
    features_dispose(&s->features);
    free(s->groups.list);
    bytes_dispose(&s->text);
}

/* Puts a special down where nothing is yet; marks[] are its cells. */
static void place(sample *s, rng *r, uint8_t *marks)
{
    uint16_t id = (uint16_t)rng_below(r, cat->special_count);
    const cat_special *special = &cat->specials[id];
    if (special->omt_count == 0)
        return; /* a mutable one */
    gen_placement p = {.special = id,
                       .x = (int16_t)rng_range(r, 0, SIZE - 1),
                       .y = (int16_t)rng_range(r, 0, SIZE - 1),
                       .rotation = (uint8_t)(special->rotate ? rng_below(r, 4) : 0),
                       .city = FEATURE_NO_CITY};
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < special->omt_count; i++) {
            const cat_omt *t = &special->omts[i];
            int32_t x, y, z = t->z;
            feature_rotate(t->x, t->y, p.rotation, &x, &y);
            x += p.x;
            y += p.y;
            if (x < 0 || x >= SIZE || y < 0 || y >= SIZE || z < PTL_Z_MIN || z > PTL_Z_MAX)
                return;
            size_t cell = (size_t)((z - PTL_Z_MIN) * PTL_LEVEL_CELLS + y * SIZE + x);
            if (pass == 0 && marks[cell])
                return;
            if (pass == 1) {
                marks[cell] = 1;
                level_cells(chunk_level(s->chunk, z))[y * SIZE + x] = t->oters[p.rotation];
            }
        }
    *features_add_placement(&s->features) = p;
}

static void add_features(sample *s, rng *r)
{
    for (int i = 0; i < 9; i++) {
        *features_add_city(&s->features) = (gen_city){.name = "\"Q\"\\ \xc3\xa9\t\x01",
                                                      .x = (int16_t)rng_range(r, 0, 179),
                                                      .y = (int16_t)rng_range(r, 0, 179),
                                                      .size = (int16_t)rng_range(r, 1, 16)};
        *features_add_radio(&s->features) = (gen_radio){.message = i % 2 ? "" : "listen",
                                                        .weather = i % 2,
                                                        .x = (int16_t)rng_range(r, 0, 359),
                                                        .frequency = i * 1000,
                                                        .strength = (int16_t)(100 + i)};
        *features_add_group(&s->features) =
            (gen_group){.type = i % 2 ? "GROUP_A" : "GROUP_B",
                        .x = (int16_t)rng_range(r, 0, 359),
                        .y = (int16_t)rng_range(r, 0, 359),
                        .z = (int8_t)rng_range(r, -10, 10),
                        .radius = 1,
                        .population = i / 3,
                        .horde = i == 4,
                        .diffuse = i == 5 && save_version_of(s->version)->diffuse};
    }
}

static sample sample_of(int seed)
{
    sample s;
    memset(&s, 0, sizeof s);
    static const int numbers[] = {SAVE_VERSION, SAVE_VERSION_0I, SAVE_VERSION_BN};
    s.version = numbers[seed % 3];
    rng r = rng_from_key(hash_add(hash_string("exchange sample"), (uint64_t)seed));
    uint8_t *marks = calloc(PTL_LEVELS, PTL_LEVEL_CELLS);
    s.chunk = chunk_new((ptl_chunk_pos){-3, seed});
    for (int z = 0; z < PTL_LEVELS; z++) {
        level_fill(&s.chunk->levels[z], defaults[z]);
        ptl_oter *cells = rng_one_in(&r, 3) ? level_cells(&s.chunk->levels[z]) : NULL;
        for (int32_t i = 0; cells && i < PTL_LEVEL_CELLS; i++)
            cells[i] = rng_one_in(&r, 50) ? (ptl_oter)rng_below(&r, (uint64_t)cat->oter_count)
                                          : cells[i > 0 ? i - 1 : 0];
    }
    for (int i = 0; i < 400; i++)
        place(&s, &r, marks);
    ck_assert_uint_gt(s.features.placement_count, 100);
    add_features(&s, &r);
    free(marks);
    write_sample(&s);
    return s;
}

static ptl_status read_text_at(save_overmap *out, ptl_chunk_pos pos, const char *text,
                               bool lenient)
{
    const save_reader reader = {
        .cat = cat, .defaults = defaults, .lenient = lenient, .path = "dir/o.0.0"};
    memset(&err, 0, sizeof err);
    return save_read(out, &reader, pos, text, strlen(text), &err);
}

static ptl_status read_text(save_overmap *out, const char *text, bool lenient)
{
    return read_text_at(out, (ptl_chunk_pos){0, 0}, text, lenient);
}
static void read_sample(save_overmap *out, const sample *s)
{
    const ptl_status status =
        read_text_at(out, s->chunk->pos, (const char *)s->text.data, false);
    ck_assert_msg(status == PTL_OK, "%s", err.message);
}

/* What a file tells of placements, by numbers or by tiles alone. */
static void find_placements(save_overmap *o)
{
    ck_assert_int_eq(save_place(o, cat, &err), PTL_OK);
    ck_assert_int_eq(save_split(o, cat, &err), PTL_OK);
}

/* Everything comes back: the text that is written from what was read is the same, byte for
 * byte, placements with their points among it. */
START_TEST(written_and_read_again)
{
    sample s = sample_of(_i), back;
    save_overmap o;
    memset(&back, 0, sizeof back);
    read_sample(&o, &s);
    find_placements(&o);
    ck_assert_uint_eq(o.counts.points_left_out, 0);
    ck_assert_uint_eq(o.features.placement_count, s.features.placement_count);
    for (int z = 0; z < PTL_LEVELS; z++) {
        level *a = &s.chunk->levels[z], *b = &o.chunk->levels[z];
        ck_assert_mem_eq(level_cells(a), level_cells(b), PTL_LEVEL_CELLS * sizeof(ptl_oter));
    }
    back.version = s.version;
    back.chunk = o.chunk;
    back.chunk->pos = s.chunk->pos;
    back.features = o.features;
    write_sample(&back);
    ck_assert_str_eq((const char *)back.text.data, (const char *)s.text.data);
    o.chunk = NULL; /* back's now */
    memset(&o.features, 0, sizeof o.features);
    save_overmap_dispose(&o);
    dispose_sample(&back);
    dispose_sample(&s);
}
END_TEST

/* One special in the middle, with roads over so many of its tiles; does it come back? */
static bool comes_back(uint16_t id, size_t over)
{
    const ptl_oter road = catalogue_oter(cat, "road_ns");
    const cat_special *special = &cat->specials[id];
    sample s;
    save_overmap o;
    memset(&s, 0, sizeof s);
    s.version = SAVE_VERSION;
    s.chunk = chunk_new((ptl_chunk_pos){0, 0});
    for (int z = 0; z < PTL_LEVELS; z++)
        level_fill(&s.chunk->levels[z], defaults[z]);
    *features_add_placement(&s.features) =
        (gen_placement){.special = id, .x = 90, .y = 90, .city = FEATURE_NO_CITY};
    for (size_t i = 0; i < special->omt_count; i++) {
        const cat_omt *t = &special->omts[i];
        level_cells(chunk_level(s.chunk, t->z))[(90 + t->y) * SIZE + 90 + t->x] =
            i < over ? road : t->oters[0];
    }
    write_sample(&s);
    read_sample(&o, &s);
    find_placements(&o);
    ck_assert_uint_le(o.features.placement_count, 1);
    const bool back = o.features.placement_count == 1;
    ck_assert_uint_eq(o.counts.points_left_out, back ? 0 : special->omt_count);
    save_overmap_dispose(&o);
    dispose_sample(&s);
    return back;
}

/* A quarter of a special's tiles may be hidden, not one more. */
START_TEST(a_quarter_may_be_drawn_over)
{
    int tried = 0;
    for (uint16_t id = 0; id < cat->special_count && tried < 8; id++) {
        const size_t tiles = cat->specials[id].omt_count;
        if (tiles < 4 || tiles % 4 != 0)
            continue;
        tried++;
        ck_assert_msg(comes_back(id, tiles / 4), "%s", cat->specials[id].id);
        ck_assert_msg(!comes_back(id, tiles / 4 + 1), "%s", cat->specials[id].id);
    }
    ck_assert_int_gt(tried, 2);
}
END_TEST

/* A road over a tile of a large special hides it no more than that; one over a tile that stands
 * alone is the end of that placement, unless it has a number. */
START_TEST(specials_that_were_drawn_over)
{
    sample s = sample_of(_i);
    const ptl_oter road = catalogue_oter(cat, "road_ns");
    ck_assert_int_ne(road, CAT_NONE);
    size_t large = 0, small = 0;
    for (size_t i = 0; i < s.features.placement_count; i++) {
        const gen_placement *p = &s.features.placements[i];
        const cat_special *special = &cat->specials[p->special];
        const cat_omt *t = &special->omts[special->omt_count / 2];
        int32_t x, y;
        feature_rotate(t->x, t->y, p->rotation, &x, &y);
        if (special->omt_count > 1 && special->omt_count < 4)
            continue;
        large += special->omt_count >= 4;
        small += special->omt_count == 1;
        level_cells(chunk_level(s.chunk, t->z))[(p->y + y) * SIZE + p->x + x] = road;
    }
    write_sample(&s);
    save_overmap o;
    read_sample(&o, &s);
    find_placements(&o);
    ck_assert(large > 3 && small > 3);
    const size_t lost = save_version_of(s.version)->numbered ? 0 : small;
    ck_assert_uint_eq(o.counts.points_left_out, lost);
    ck_assert_uint_eq(o.features.placement_count, s.features.placement_count - lost);
    save_overmap_dispose(&o);
    dispose_sample(&s);
}
END_TEST

/* ---- what is wrong ---- */

/* A text with 21 uniform layers, of which one is replaced, and more members. */
static char *text_with(int z_index, const char *layer, const char *members)
{
    bytes b;
    bytes_init(&b);
    bytes_printf(&b, "# version 33\n{\"layers\":[");
    for (int i = 0; i < PTL_LEVELS; i++)
        bytes_printf(&b, "%s%s\n", i ? "," : "", i == z_index ? layer : "[[\"field\",32400]]");
    bytes_printf(&b, "]%s\n}\n", members);
    return (char *)(uintptr_t)bytes_text(&b);
}

typedef struct mistake {
    const char *layer, *members, *message;
} mistake;

static const mistake MISTAKES[] = {
    {"[[\"field\",32399]]", "", "dir/o.0.0:5:2: the layer's runs have 32399 cells"},
    {"[[\"field\",32400],[\"field\",1]]", "", "dir/o.0.0:5:19: the layer's runs have more"},
    {"[[\"field\",0]]", "", "count must be 1 to 32400"},
    {"[[\"field\",-5]]", "", "count must be 1 to 32400"},
    {"[[\"field\",9223372036854775807]]", "", "count must be 1 to 32400"},
    {"[[\"field\",99999999999999999999]]", "", "too big integer"},
    {"[[\"field\",1.5]]", "", "a run is [terrain id, count]"},
    {"[[\"field\"]]", "", "a run is [terrain id, count]"},
    {"[[7,32400]]", "", "a run is [terrain id, count]"},
    {"[[\"no_such\",2],[\"nor_this\",32398]]", "",
     "dir/o.0.0:5:4: the content has no terrain no_such (2), nor_this (32398)"},
    {"7", "", "dir/o.0.0:5:2: a layer is an array of runs"},
    {"[[\"field\",32400]],[]", "", "there are 22 layers, not 21"},
    {NULL, ",\"cities\":{}", "cities must be an array"},
    {NULL, ",\"cities\":[{\"name\":\"A\",\"x\":180,\"y\":0,\"size\":1}]", "x must be a whole"},
    {NULL, ",\"cities\":[{\"name\":\"A\",\"x\":1,\"y\":0.5,\"size\":1}]", "y must be a whole"},
    {NULL, ",\"cities\":[{\"name\":\"A\",\"x\":1,\"y\":0}]", "size must be a whole"},
    {NULL, ",\"cities\":[7]", "name must be a text"},
    {NULL, ",\"radios\":[{\"x\":1,\"y\":1,\"strength\":1,\"type\":\"tv\"}]", "a radio's type"},
    {NULL, ",\"radios\":[{\"x\":1,\"y\":360,\"strength\":1,\"type\":\"weather\"}]",
     "y must be"},
    {NULL, ",\"radios\":[{\"x\":1,\"y\":3,\"strength\":-1,\"type\":\"weather\"}]",
     "strength must"},
    {NULL, ",\"radios\":[{\"x\":1,\"y\":3,\"strength\":1,\"type\":7}]",
     "dir/o.0.0:23:46: type must be a text"},
    {NULL, ",\"monster_groups\":[[{\"type\":\"G\"}]]", "dir/o.0.0:23:21: monster groups are"},
    {NULL, ",\"monster_groups\":[[{\"type\":\"G\",\"population\":-1},[]]]", "population must"},
    {NULL, ",\"monster_groups\":[[{\"type\":\"G\"},[[1,2]]]]", "a place is [x, y, z]"},
    {NULL, ",\"monster_groups\":[[{\"type\":\"G\"},[[1,2,3e0]]]]", "a place is [x, y, z]"},
    {NULL, ",\"overmap_special_placements\":[{\"special\":\"library\"}]", "placements must be"},
    {NULL, ",\"overmap_special_placements\":[{\"special\":7,\"placements\":[]}]",
     "special must"},
    {NULL, ",\"overmap_special_placements\":[{\"special\":\"library\",\"placements\":[{}]}]",
     "points must be an array"},
    {NULL,
     ",\"overmap_special_placements\":[{\"special\":\"library\",\"placements\":[{\"points\":"
     "[{\"p\":[180,0,0]}]}]}]",
     "the point lies outside the overmap"},
    {NULL, ",", "dir/o.0.0:24:1: "},
};

START_TEST(mistakes_are_told_with_their_place)
{
    for (size_t i = 0; i < sizeof MISTAKES / sizeof MISTAKES[0]; i++) {
        const mistake *m = &MISTAKES[i];
        char *text = text_with(m->layer ? 3 : -1, m->layer, m->members);
        save_overmap o;
        ck_assert_msg(read_text(&o, text, false) == PTL_ERR_CONTENT, "%s", m->message);
        ck_assert_msg(strstr(err.message, m->message) != NULL, "%s", err.message);
        ck_assert_msg(strncmp(err.message, "dir/o.0.0:", 10) == 0, "%s", err.message);
        save_overmap_dispose(&o);
        free(text);
    }
}
END_TEST

START_TEST(what_may_be_missing_or_unknown)
{
    save_overmap o;
    char *text =
        text_with(2, "[[\"no_such\",2],[\"field\",32398]]",
                  ",\"monster_groups\":[[{\"type\":\"G\"},[[-1,2,0],[3,4,5],[3,4,11]]]]"
                  ",\"unknown\":[[[[1]]]],\"npcs\":[{},{}],\"monster_map\":[[1,2,3],{}]"
                  ",\"overmap_special_placements\":[{\"special\":\"no_such\","
                  "\"placements\":[{\"points\":[{\"p\":[1,2,3]}]}]}]");
    ck_assert_int_eq(read_text(&o, text, true), PTL_OK);
    ck_assert_uint_eq(o.counts.unknown_terrains, 2);
    ck_assert_int_eq(ptl_chunk_oter(o.chunk, 0, 0, -8), defaults[2]);
    ck_assert_uint_eq(o.counts.groups_left_out, 2);
    ck_assert_uint_eq(o.features.group_count, 1);
    ck_assert(o.features.groups[0].radius == 1 && o.features.groups[0].population == 1);
    ck_assert_uint_eq(o.counts.points_left_out, 1);
    ck_assert_uint_eq(o.counts.members_left_out, 3);
    save_overmap_dispose(&o);
    ck_assert_int_eq(read_text(&o, strchr(text, '\n') + 1, true), PTL_OK); /* no header line */
    save_overmap_dispose(&o);
    free(text);
    static const char *const bad[] = {"",  "# version 33",  "# verse 3\n{}", "[]", "{}",
                                      "7", "{\"layers\":7}"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        ck_assert_int_eq(read_text(&o, bad[i], true), PTL_ERR_CONTENT);
        save_overmap_dispose(&o);
    }
}
END_TEST

/* Cut or damaged texts give an error or an overmap, never a crash. */
START_TEST(damaged_texts)
{
    sample s = sample_of(3);
    rng r = rng_from_key((uint64_t)_i);
    size_t size = s.text.size;
    char *text = malloc(size + 1);
    for (int n = 0; n < 12; n++) {
        save_overmap o;
        memcpy(text, s.text.data, size);
        text[size] = '\0';
        for (int k = rng_range(&r, 1, 4); k > 0; k--)
            text[rng_below(&r, size)] = (char)rng_range(&r, 1, 127);
        if (n % 3 == 0)
            text[rng_below(&r, size)] = '\0';
        ptl_status status = read_text(&o, text, n % 2);
        ck_assert(status == PTL_OK || status == PTL_ERR_CONTENT);
        if (status == PTL_OK)
            find_placements(&o);
        save_overmap_dispose(&o);
    }
    bytes deep;
    bytes_init(&deep);
    for (int i = 0; i < 100000; i++)
        bytes_put_u8(&deep, '[');
    save_overmap o;
    ck_assert_int_eq(read_text(&o, bytes_text(&deep), true), PTL_ERR_CONTENT);
    save_overmap_dispose(&o);
    bytes_dispose(&deep);
    free(text);
    dispose_sample(&s);
}
END_TEST

/* ---- borders ---- */

static void put(ptl_chunk *chunk, int32_t x, int32_t y, int32_t z, const char *id)
{
    ptl_oter oter = catalogue_oter(cat, id);
    ck_assert_msg(oter != CAT_NONE, "%s", id);
    level_cells(chunk_level(chunk, z))[y * SIZE + x] = oter;
}

static void check_crossing(const save_border *b, size_t i, const char *kind, int position,
                           int width, int direction)
{
    ck_assert_uint_lt(i, b->count);
    ck_assert_str_eq(b->crossings[i].kind, kind);
    ck_assert_int_eq(b->crossings[i].position, position);
    ck_assert_int_eq(b->crossings[i].width, width);
    ck_assert_int_eq(b->crossings[i].direction, direction);
}

START_TEST(tiles_at_borders_are_crossings)
{
    const int downhill[2] = {-1, 1};
    ptl_chunk *chunk = chunk_new((ptl_chunk_pos){0, 0});
    for (int z = 0; z < PTL_LEVELS; z++)
        level_fill(&chunk->levels[z], defaults[z]);
    put(chunk, 20, 0, 0, "road_ns");        /* over the north border */
    put(chunk, 30, 0, 0, "road_ew");        /* along it */
    put(chunk, 179, 60, 0, "road_new");     /* over the east border */
    put(chunk, 179, 0, 0, "road_ne");       /* over both at the corner */
    put(chunk, 40, 179, 0, "bridge_north"); /* over the south border, in a river */
    put(chunk, 50, 179, 0, "bridge_east");  /* along it, over a river */
    for (int32_t x = 38; x < 44; x++)
        if (x != 40)
            put(chunk, x, 179, 0, "river_center");
    for (int32_t y = 0; y < 3; y++)
        put(chunk, 0, y, 0, "river_center");
    save_border b[4];
    ck_assert_int_eq(save_borders(b, chunk, cat, downhill, &err), PTL_OK);
    ck_assert_uint_eq(b[0].count, 3);
    check_crossing(&b[0], 0, "local_road", 20, 0, 0);
    check_crossing(&b[0], 1, "local_road", 179, 0, 0);
    check_crossing(&b[0], 2, CROSSING_RIVER, 0, 0, 1);
    ck_assert_uint_eq(b[1].count, 2);
    check_crossing(&b[1], 0, "local_road", 0, 0, 0);
    check_crossing(&b[1], 1, "local_road", 60, 0, 0);
    ck_assert_uint_eq(b[2].count, 3);
    check_crossing(&b[2], 0, "local_road", 40, 0, 0);
    check_crossing(&b[2], 1, CROSSING_RIVER, 40, 3, 1);
    check_crossing(&b[2], 2, CROSSING_RIVER, 50, 0, 1);
    ck_assert_uint_eq(b[3].count, 1);
    check_crossing(&b[3], 0, CROSSING_RIVER, 1, 1, -1);
    edge e = {.side = EDGE_EAST};
    ck_assert_int_eq(save_edge(&e, &b[1], &b[3], &err), PTL_OK);
    ck_assert_int_eq(e.origin, EDGE_FOREIGN);
    ck_assert_uint_eq(e.count, 3);
    ck_assert_mem_eq(e.border[0], b[1].cells, sizeof b[1].cells);
    ck_assert_mem_eq(e.border[1], b[3].cells, sizeof b[3].cells);
    edge_dispose(&e);
    e = (edge){.side = EDGE_SOUTH};
    ck_assert_int_eq(save_edge(&e, &b[2], NULL, &err), PTL_OK);
    ck_assert(e.border[0] && !e.border[1] && e.count == 3);
    edge_dispose(&e);
    save_borders_dispose(b);
    ptl_chunk_free(chunk);
}
END_TEST

/* Both sides say what crosses: once what they agree on, in order, and of two rivers at one
 * place the wider one, whichever side has it. */
START_TEST(both_sides_make_one_edge)
{
    crossing mine[] = {{"local_road", 20, 0, 0, 0},
                       {"local_road", 60, 0, 0, 0},
                       {CROSSING_RIVER, 90, 0, 5, 1},
                       {CROSSING_RIVER, 120, 0, 2, 1}};
    crossing theirs[] = {{"local_road", 60, 0, 0, 0},
                         {"local_road", 70, 0, 0, 0},
                         {CROSSING_RIVER, 90, 0, 3, 1},
                         {CROSSING_RIVER, 120, 0, 4, 1}};
    static const int positions[] = {20, 60, 70, 90, 120}, widths[] = {0, 0, 0, 5, 4};
    static save_border a, b;
    a.crossings = mine;
    b.crossings = theirs;
    a.count = b.count = 4;
    for (int turned = 0; turned < 2; turned++) {
        edge e = {.side = EDGE_EAST};
        ck_assert_int_eq(save_edge(&e, turned ? &b : &a, turned ? &a : &b, &err), PTL_OK);
        ck_assert_uint_eq(e.count, 5);
        for (size_t i = 0; i < e.count; i++) {
            ck_assert_int_eq(e.crossings[i].position, positions[i]);
            ck_assert_int_eq(e.crossings[i].width, widths[i]);
        }
        edge_dispose(&e);
    }
}
END_TEST

/* A bridge along the border: its tiles from x0 on, in one row of the south border. */
static void put_row(ptl_chunk *chunk, int32_t x, const char *const *ids)
{
    for (; *ids; ids++)
        put(chunk, x++, SIZE - 1, 0, *ids);
}

START_TEST(what_a_bridge_along_the_border_spans_is_river)
{
    static const char *const whole[] = {
        "road_ew",           "bridgehead_ground_west", "bridge_east", "bridge_west",
        "bridge_under_east", "bridgehead_ground_east", "road_ew",     NULL};
    static const char *const feet[] = {"bridgehead_ground_west", "bridgehead_ground_east",
                                       NULL};
    static const char *const flat[] = {"causeway_east", "causeway_east", "causeway_west", NULL};
    static const char *const rails[] = {"railroad_bridge_east", "railroad_bridge_under_east",
                                        NULL};
    static const char *const over[] = {"lake_surface",
                                       "bridge_north",
                                       "lake_surface",
                                       "field",
                                       "bridge_under_south",
                                       "field",
                                       "causeway_south",
                                       "bridgehead_ground_north",
                                       NULL};
    const int downhill[2] = {-1, 1};
    ptl_chunk *chunk = chunk_new((ptl_chunk_pos){0, 0});
    for (int z = 0; z < PTL_LEVELS; z++)
        level_fill(&chunk->levels[z], defaults[z]);
    put_row(chunk, 10, whole);
    put_row(chunk, 30, feet);
    put_row(chunk, 50, flat);
    put_row(chunk, 70, rails);
    put_row(chunk, 90, over); /* over the border: roads, and no rivers */
    put(chunk, 110, SIZE - 1, 0, "railroad_level_crossing_east");
    save_border b[4];
    ck_assert_int_eq(save_borders(b, chunk, cat, downhill, &err), PTL_OK);
    ck_assert_uint_eq(b[2].count, 8);
    check_crossing(&b[2], 0, "local_road", 91, 0, 0);
    check_crossing(&b[2], 1, "local_road", 94, 0, 0);
    check_crossing(&b[2], 2, "local_road", 96, 0, 0);
    check_crossing(&b[2], 3, "local_road", 97, 0, 0);
    check_crossing(&b[2], 4, CROSSING_RIVER, 13, 2, 1);
    check_crossing(&b[2], 5, CROSSING_RIVER, 30, 1, 1);
    check_crossing(&b[2], 6, CROSSING_RIVER, 51, 1, 1);
    check_crossing(&b[2], 7, CROSSING_RIVER, 70, 1, 1);
    ck_assert_uint_eq(b[0].count + b[1].count + b[3].count, 0);
    save_borders_dispose(b);
    ptl_chunk_free(chunk);
}
END_TEST

/* 180 rivers and roads cross no edge; told, not cut. */
START_TEST(too_many_crossings)
{
    const int downhill[2] = {1, 1};
    ptl_chunk *chunk = chunk_new((ptl_chunk_pos){0, 0});
    for (int z = 0; z < PTL_LEVELS; z++)
        level_fill(&chunk->levels[z], defaults[z]);
    for (int32_t x = 0; x < SIZE; x++)
        for (int32_t z = 0; z < 2; z++)
            put(chunk, x, 0, z, "road_ns");
    save_border b[4];
    edge e = {.side = EDGE_SOUTH};
    ck_assert_int_eq(save_borders(b, chunk, cat, downhill, &err), PTL_OK);
    ck_assert_int_eq(save_edge(&e, NULL, &b[0], &err), PTL_ERR_LIMIT);
    edge_dispose(&e);
    save_borders_dispose(b);
    ptl_chunk_free(chunk);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("exchange");
    TCase *plain = tcase_create("plain");
    tcase_add_test(plain, spread_groups_keep_their_population);
    tcase_add_test(plain, spread_groups_of_other_shapes);
    suite_add_tcase(suite, plain);
    TCase *text = tcase_create("text");
    tcase_add_checked_fixture(text, set_up, tear_down);
    tcase_add_loop_test(text, written_and_read_again, 0, LOOPS);
    tcase_add_test(text, a_quarter_may_be_drawn_over);
    tcase_add_loop_test(text, specials_that_were_drawn_over, 0, 3);
    tcase_add_test(text, mistakes_are_told_with_their_place);
    tcase_add_test(text, what_may_be_missing_or_unknown);
    tcase_add_loop_test(text, damaged_texts, 0, 3);
    tcase_add_test(text, tiles_at_borders_are_crossings);
    tcase_add_test(text, both_sides_make_one_edge);
    tcase_add_test(text, what_a_bridge_along_the_border_spans_is_river);
    tcase_add_test(text, too_many_crossings);
    suite_add_tcase(suite, text);
    suite_add_tcase(suite, exchange_ids_case());
    suite_add_tcase(suite, exchange_placed_case());
    suite_add_tcase(suite, exchange_bn_case());
    suite_add_tcase(suite, exchange_database_case());
    suite_add_tcase(suite, exchange_seen_case());
    suite_add_tcase(suite, exchange_walk_case());
    suite_add_tcase(suite, exchange_world_case());
    return suite_run(suite);
}
