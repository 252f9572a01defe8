/*
 * Notes, marks and facts, in files with both journals and in memory: random saves, with edits
 * among them, against a plain model; what is refused; what another save has changed.
 */
#include "codec/saved_codec.h"
#include "core/hash.h"
#include "store/sqlite/connection/store_impl.h"
#include "store/sqlite/verify/verify.h"
#include "support/suite.h"
#include "unit/save/saved_fixture.h"

#include <stdlib.h>
#include <string.h>

enum {
    FAR = PTL_CHUNK_COORD_MAX,
    VIEWERS = 3,
    PLACES = 7,
    KINDS = 3,
    CHUNKS = 3,
    FLOORS = 2,
    FACTS = 24,
    PLANES = VIEWERS * KINDS * CHUNKS * FLOORS
};

static const char *const viewers[VIEWERS] = {"", "ann", "Zo\xc3\xab"};
static const ptl_omt places[PLACES] = {{0, 0, 0},    {-1, 0, 0},
                                       {0, -1, 10},  {5000, 3, -10},
                                       {-7, -90, 1}, {(int64_t)FAR * 180 + 179, 1, 0},
                                       {0, 0, 1}};
static const int32_t kinds[KINDS] = {PTL_MARKS_SEEN, PTL_MARKS_EXPLORED, 15};
static const ptl_chunk_pos marked[CHUNKS] = {{0, 0}, {-3, 8}, {FAR, -FAR}};
static const ptl_chunk_pos here = {0, 0};

/* ---- a plain model ---- */

typedef struct model_note {
    int text, radius, dangerous; /* text 0: there is no note */
} model_note;

/* A value: its bytes are made from the seed. */
typedef struct model_fact {
    bool there;
    size_t size;
    uint64_t seed;
} model_fact;

typedef struct model {
    model_note notes[VIEWERS][PLACES];
    uint8_t planes[PLANES][PTL_MARKS_BYTES];
    model_fact facts[FACTS];
    int shown; /* which of two oters an OMT shows; 0: that of the chunk */
} model;

static const char *const oters[3] = {NULL, "field", "forest"};
static const ptl_omt edited = {7, 9, 0};

static void note_text(char out[40], int text)
{
    out[0] = '\0';
    if (text)
        snprintf(out, 40, "note %d \xe2\x98\x83", text);
}

static ptl_marks_key plane_key(int plane)
{
    return (ptl_marks_key){viewers[plane % VIEWERS], kinds[plane / VIEWERS % KINDS],
                           marked[plane / VIEWERS / KINDS % CHUNKS],
                           plane / VIEWERS / KINDS / CHUNKS ? -10 : 0};
}

static ptl_fact_key fact_key(int fact)
{
    static const char *const names[3] = {"state", "x", "a name of some length, with \xc3\xa4"};
    return (ptl_fact_key){.space = fact % 2 ? "walk" : "a mod",
                          .name = names[fact % 3],
                          .scope = (ptl_fact_scope)(fact % 4),
                          .chunk = marked[fact / 8 % CHUNKS],
                          .omt = places[fact % PLACES],
                          .viewer = viewers[fact % VIEWERS]};
}

/* Two facts of the list may have the same key; they are then the same fact: the first of
 * them. */
static int same_fact(int fact)
{
    const ptl_fact_key key = fact_key(fact);
    for (int i = 0; i < fact; i++) {
        const ptl_fact_key k = fact_key(i);
        if (strcmp(k.space, key.space) == 0 && strcmp(k.name, key.name) == 0 &&
            k.scope == key.scope &&
            (key.scope == PTL_FACT_WORLD ||
             (key.scope == PTL_FACT_CHUNK && k.chunk.x == key.chunk.x) ||
             (key.scope == PTL_FACT_OMT && memcmp(&k.omt, &key.omt, sizeof k.omt) == 0) ||
             (key.scope == PTL_FACT_VIEWER && strcmp(k.viewer, key.viewer) == 0)))
            return i;
    }
    return fact;
}

static uint8_t *fact_value(const model_fact *f)
{
    uint8_t *value = malloc(f->size + 1);
    rng r = rng_from_key(f->seed);
    ck_assert_ptr_nonnull(value);
    for (size_t i = 0; i < f->size; i++) /* half of the values can be compressed */
        value[i] = f->seed % 2 ? (uint8_t)rng_next(&r) : (uint8_t)(i / 9);
    return value;
}

/* ---- random changes of model and save ---- */

static void change_note(model *m, ptl_save *save, rng *r)
{
    const int v = (int)rng_below(r, VIEWERS), p = (int)rng_below(r, PLACES);
    const int text = (int)rng_below(r, 4);
    char words[40];
    ptl_note note = PTL_NOTE_INIT;
    note_text(words, text);
    note.viewer = v || rng_one_in(r, 2) ? viewers[v] : NULL;
    note.at = places[p];
    note.text = text || rng_one_in(r, 2) ? words : NULL;
    note.symbol = "N";
    note.colour = "light_red";
    note.radius = (int32_t)rng_below(r, 3) * 5000;
    note.dangerous = rng_one_in(r, 2);
    OK(ptl_save_note_set(save, &note, &err));
    m->notes[v][p] = (model_note){text, text ? note.radius : 0, text && note.dangerous};
}

static void change_marks(model *m, ptl_save *save, rng *r)
{
    static uint8_t bits[PTL_MARKS_BYTES];
    /* Often the same, so that a save replaces marks and adds to them. */
    const int plane = (int)rng_below(r, rng_one_in(r, 2) ? 1 : PLANES);
    const int sort = (int)rng_below(r, 4);
    const bool add = rng_one_in(r, 2);
    const ptl_marks_key key = plane_key(plane);
    memset(bits, 0, sizeof bits);
    for (size_t i = 0; i < sizeof bits && sort == 1; i++)
        bits[i] = (uint8_t)rng_next(r);
    const int x0 = (int)rng_below(r, 150), y0 = (int)rng_below(r, 150);
    for (int y = y0; y < y0 + 30 && sort > 1; y++)
        for (int x = x0; x < x0 + 30; x++)
            bits[(y * 180 + x) / 8] |= (uint8_t)(1u << (y * 180 + x) % 8);
    OK(ptl_save_marks_set(save, &key, bits, add ? PTL_MARKS_ADD : PTL_MARKS_REPLACE, &err));
    for (size_t i = 0; i < sizeof bits; i++)
        m->planes[plane][i] = add ? m->planes[plane][i] | bits[i] : bits[i];
}

static void change_fact(model *m, ptl_save *save, rng *r)
{
    const int fact = same_fact((int)rng_below(r, FACTS));
    const ptl_fact_key key = fact_key(fact);
    model_fact f = {!rng_one_in(r, 4), (size_t)rng_below(r, 400), rng_next(r)};
    if (rng_one_in(r, 10))
        f.size = rng_one_in(r, 2) ? 0 : 70000;
    uint8_t *value = fact_value(&f);
    OK(ptl_save_fact_set(save, &key, f.there ? value : NULL, f.size, &err));
    free(value);
    m->facts[fact] = f;
}

static void change_cell(model *m, ptl_save *save, rng *r)
{
    m->shown = (int)rng_below(r, 2) + 1;
    const ptl_save_cell cell = {edited, oters[m->shown]};
    OK(ptl_save_cells_set(save, &cell, 1, &err));
}

static void change(model *m, ptl_save *save, rng *r)
{
    static void (*const sorts[])(model * m, ptl_save * save, rng * r) = {
        change_note, change_marks, change_fact, change_cell};
    for (int n = (int)rng_below(r, 7); n > 0; n--)
        sorts[rng_below(r, 4)](m, save, r);
}

/* ---- comparing ---- */

typedef struct listed {
    const model *m;
    int count;
} listed;

static bool on_note(void *payload, const ptl_note *note)
{
    listed *l = payload;
    char words[40];
    l->count++;
    for (int v = 0; v < VIEWERS; v++)
        for (int p = 0; p < PLACES; p++) {
            const model_note *n = &l->m->notes[v][p];
            note_text(words, n->text);
            if (strcmp(note->viewer, viewers[v]) == 0 && note->at.x == places[p].x &&
                note->at.y == places[p].y && note->at.z == places[p].z)
                return strcmp(note->text, words) == 0 && strcmp(note->symbol, "N") == 0 &&
                       strcmp(note->colour, "light_red") == 0 && note->radius == n->radius &&
                       note->dangerous == n->dangerous && note->revision > 1;
        }
    return false;
}

static bool on_marks(void *payload, const ptl_marks_key *key,
                     const uint8_t bits[PTL_MARKS_BYTES])
{
    listed *l = payload;
    l->count++;
    return marks_count(bits) > 0 && key->kind < PTL_MARKS_KINDS;
}

static bool on_fact(void *payload, const ptl_fact_key *key, const void *value, size_t size)
{
    listed *l = payload;
    l->count++;
    return key->space[0] && key->name[0] && value && size <= 70000;
}

static void compare_facts(const model *m, ptl_world *world)
{
    int there = 0;
    for (int i = 0; i < FACTS; i++) {
        if (same_fact(i) != i)
            continue;
        const ptl_fact_key key = fact_key(i);
        ptl_fact_value value;
        const ptl_status status = ptl_fact_value_load(&value, world, &key, &err);
        ck_assert_int_eq(status, m->facts[i].there ? PTL_OK : PTL_ERR_NOT_FOUND);
        if (m->facts[i].there) {
            uint8_t *wanted = fact_value(&m->facts[i]);
            ck_assert_uint_eq(value.size, m->facts[i].size);
            ck_assert(memcmp(value.data, wanted, value.size) == 0);
            free(wanted);
            there++;
        }
        ptl_fact_value_dispose(&value);
    }
    listed l = {m, 0};
    OK(ptl_fact_each(world, NULL, on_fact, &l, &err));
    ck_assert_int_eq(l.count, there);
}

static void compare(const model *m, ptl_world *world)
{
    static uint8_t bits[PTL_MARKS_BYTES];
    static ptl_oter shown[PTL_LEVEL_CELLS];
    listed l = {m, 0};
    int there = 0;
    for (int v = 0; v < VIEWERS; v++)
        for (int p = 0; p < PLACES; p++)
            there += m->notes[v][p].text > 0;
    OK(ptl_note_list(world, NULL, NULL, on_note, &l, &err));
    ck_assert_int_eq(l.count, there);
    there = 0;
    for (int i = 0; i < PLANES; i++) {
        const ptl_marks_key key = plane_key(i);
        OK(ptl_marks_load(bits, world, &key, &err));
        ck_assert(memcmp(bits, m->planes[i], sizeof bits) == 0);
        there += marks_count(bits) > 0;
    }
    l.count = 0;
    OK(ptl_marks_each(world, NULL, on_marks, &l, &err));
    ck_assert_int_eq(l.count, there);
    compare_facts(m, world);
    OK(ptl_level_load(shown, world, here, 0, &err));
    if (m->shown)
        ck_assert_str_eq(ptl_world_oter_name(world, shown[edited.y * 180 + edited.x]),
                         oters[m->shown]);
}

/* ---- random saves ---- */

enum { STEPS = 3400, LOOKS = STEPS / 100 };

static void commit(model *m, const model *before, ptl_save *save, ptl_world *world)
{
    ptl_save_report report = PTL_SAVE_REPORT_INIT;
    int64_t old = 0, now = 0;
    OK(ptl_save_revision_load(&old, world, &err));
    OK(ptl_save_commit(&report, save, &err));
    OK(ptl_save_revision_load(&now, world, &err));
    ck_assert_int_eq(report.revision, now);
    ck_assert_int_eq(now, old + (report.notes + report.marks + report.facts > 0));
    if (memcmp(m->notes, before->notes, sizeof m->notes) != 0)
        ck_assert_uint_gt(report.notes, 0);
    if (memcmp(m->planes, before->planes, sizeof m->planes) != 0)
        ck_assert_uint_gt(report.marks, 0);
}

static void random_saves(char digests[LOOKS][65], int mode)
{
    place p;
    char base[65], hex[65];
    ptl_world *world = saved_begin(&p, mode);
    model *m = calloc(2, sizeof *m), *before = m + 1;
    rng r = rng_from_key(361);
    saved_digest(base, world);
    for (int step = 0; step < STEPS; step++) {
        ptl_save *save = NULL;
        *before = *m;
        OK(ptl_save_begin(&save, world, NULL, &err));
        change(m, save, &r);
        if (rng_one_in(&r, 9)) {
            ptl_save_abort(save);
            *m = *before;
        } else {
            commit(m, before, save, world);
        }
        if (step % 100 != 99)
            continue;
        ptl_world_close(world);
        if (mode != MEMORY) {
            ptl_store_close(p.store);
            saved_open_file(&p, mode);
        }
        world = saved_world(p.store, true);
        saved_digest(hex, world);
        ck_assert_str_eq(hex, base);
        ptl_world_close(world);
        world = saved_world(p.store, false);
        compare(m, world);
        saved_digest(digests[step / 100], world);
    }
    if (mode != MEMORY)
        OK(verify_parts(p.store, VERIFY_ALL, NULL, NULL, NULL, &err));
    ptl_world_close(world);
    free(m);
    close_place(&p);
}

START_TEST(random_saves_are_as_a_model_says)
{
    static char digests[MODES][LOOKS][65];
    for (int mode = 0; mode < MODES; mode++)
        random_saves(digests[mode], mode);
    for (int mode = 1; mode < MODES; mode++)
        for (int i = 0; i < LOOKS; i++)
            ck_assert_str_eq(digests[mode][i], digests[0][i]);
}
END_TEST

/* ---- what is refused ---- */

static ptl_status set_fact(ptl_save *save, const char *name, const char *value)
{
    const ptl_fact_key key = {.space = "test", .name = name};
    return ptl_save_fact_set(save, &key, value, value ? strlen(value) : 0, &err);
}

/* The value of a fact; "-" if there is none. Borrowed until the next call. */
static const char *fact(ptl_world *world, const char *name)
{
    static char text[100];
    const ptl_fact_key key = {.space = "test", .name = name};
    ptl_fact_value value;
    const ptl_status status = ptl_fact_value_load(&value, world, &key, &err);
    ck_assert(status == PTL_OK || status == PTL_ERR_NOT_FOUND);
    snprintf(text, sizeof text, "%s", value.data ? (const char *)value.data : "-");
    ptl_fact_value_dispose(&value);
    return text;
}

START_TEST(what_can_not_be_is_refused)
{
    place p;
    char longest[4100];
    ptl_world *world = saved_begin(&p, _i);
    ptl_save *save = saved_save(world, 0);
    const ptl_omt at = {3, 4, 0};
    memset(longest, 'a', sizeof longest);
    longest[4001] = '\0';
    const ptl_omt outside[] = {{3, 4, 11},
                               {3, 4, -11},
                               {((int64_t)FAR + 1) * 180, 0, 0},
                               {0, -(int64_t)FAR * 180 - 1, 0}};
    for (size_t i = 0; i < sizeof outside / sizeof outside[0]; i++)
        ck_assert_int_eq(saved_note(save, "ann", outside[i], "x"), PTL_ERR_ARGUMENT);
    ck_assert_int_eq(saved_note(save, "ann", at, "two\nlines"), PTL_ERR_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(err.message, "control"));
    ck_assert_int_eq(saved_note(save, "a\x7f", at, "x"), PTL_ERR_ARGUMENT);
    ck_assert_int_eq(saved_note(save, "ann", at, "\xff"), PTL_ERR_ARGUMENT);
    ck_assert_int_eq(saved_note(save, "ann", at, longest), PTL_ERR_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(err.message, "4001"));
    OK(saved_note(save, "ann", at, longest + 1));
    ck_assert_int_eq(saved_note(save, longest + 3900, at, "x"), PTL_ERR_ARGUMENT);
    OK(saved_note(save, longest + 3901, at, "x"));
    ptl_note note = PTL_NOTE_INIT;
    note.text = "x";
    note.radius = PTL_NOTE_RADIUS_MAX + 1;
    ck_assert_int_eq(ptl_save_note_set(save, &note, &err), PTL_ERR_ARGUMENT);
    note.radius = -1;
    ck_assert_int_eq(ptl_save_note_set(save, &note, &err), PTL_ERR_ARGUMENT);
    note.radius = 0;
    note.colour = longest + 3968;
    ck_assert_int_eq(ptl_save_note_set(save, &note, &err), PTL_ERR_ARGUMENT);
    ck_assert_int_eq(set_fact(save, "", "x"), PTL_ERR_ARGUMENT);
    ck_assert_int_eq(set_fact(save, longest + 3745, "x"), PTL_ERR_ARGUMENT);
    OK(set_fact(save, longest + 3746, "x"));
    ptl_fact_key key = {.space = "test", .name = "x", .scope = (ptl_fact_scope)4};
    ck_assert_int_eq(ptl_save_fact_set(save, &key, "", 0, &err), PTL_ERR_ARGUMENT);
    key = (ptl_fact_key){.name = "x"};
    ck_assert_int_eq(ptl_save_fact_set(save, &key, "", 0, &err), PTL_ERR_ARGUMENT);
    key = (ptl_fact_key){.space = "s", .name = "x", .scope = PTL_FACT_CHUNK};
    key.chunk.x = FAR + 1;
    ck_assert_int_eq(ptl_save_fact_set(save, &key, "", 0, &err), PTL_ERR_ARGUMENT);
    static uint8_t bits[PTL_MARKS_BYTES];
    const ptl_marks_key bad[] = {{"ann", -1, here, 0},
                                 {"ann", PTL_MARKS_KINDS, here, 0},
                                 {"ann", 0, here, 11},
                                 {"ann", 0, {FAR + 1, 0}, 0}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        ck_assert_int_eq(ptl_save_marks_set(save, &bad[i], bits, PTL_MARKS_ADD, &err),
                         PTL_ERR_ARGUMENT);
        ck_assert_int_eq(ptl_marks_load(bits, world, &bad[i], &err), PTL_ERR_ARGUMENT);
    }
    ck_assert_int_eq(ptl_save_marks_set(save, &(ptl_marks_key){"ann", 0, here, 0}, bits,
                                        (ptl_marks_mode)2, &err),
                     PTL_ERR_ARGUMENT);
    ptl_save_report report = PTL_SAVE_REPORT_INIT;
    OK(ptl_save_commit(&report, save, &err)); /* what was refused is not in it */
    ck_assert_uint_eq(report.notes, 2);
    ck_assert_uint_eq(report.facts, 1);
    ck_assert_uint_eq(report.marks, 0);
    const ptl_save_options later = {.size = sizeof later, .seen = report.revision + 1};
    ck_assert_int_eq(ptl_save_begin(&save, world, &later, &err), PTL_ERR_ARGUMENT);
    ck_assert_ptr_null(save);
    ptl_world_close(world);
    close_place(&p);
}
END_TEST

/* A world that derives its local maps refuses edits alone. */
START_TEST(derived_worlds_take_notes)
{
    place p;
    ptl_world *world = NULL;
    ptl_world_options o = PTL_WORLD_OPTIONS_INIT;
    ptl_save_report report = PTL_SAVE_REPORT_INIT;
    ptl_world_close(saved_begin(&p, _i));
    o.derive = true;
    OK(ptl_world_create(p.store, "derived", &o, &err));
    OK(ptl_world_open(&world, p.store, "derived", NULL, &err));
    generate(world, &(ptl_chunk_pos){0, 0}, 1, NULL);
    ptl_save *save = saved_save(world, 0);
    const ptl_save_cell cell = {{3, 4, 9}, "field"};
    ck_assert_int_eq(ptl_save_cells_set(save, &cell, 1, &err), PTL_ERR_EXISTS);
    ck_assert_ptr_nonnull(strstr(err.message, "'derived' derives"));
    OK(saved_note(save, "ann", (ptl_omt){3, 4, 0}, "a note"));
    OK(ptl_save_commit(&report, save, &err));
    ck_assert_uint_eq(report.notes, 1);
    ck_assert_uint_eq(report.cells, 0);
    ptl_world_close(world);
    close_place(&p);
}
END_TEST

START_TEST(a_save_has_a_bound)
{
    enum { BIG = PTL_FACT_VALUE_SIZE };
    place p;
    ptl_world *world = saved_begin(&p, _i);
    ptl_save *save = saved_save(world, 0);
    ptl_fact_key key = {.space = "test", .name = "0"};
    uint8_t *value = calloc(1, BIG + 1);
    ck_assert_ptr_nonnull(value);
    ck_assert_int_eq(ptl_save_fact_set(save, &key, value, BIG + 1, &err), PTL_ERR_ARGUMENT);
    for (int i = 0; i < 9; i++) /* one key takes its room once */
        OK(ptl_save_fact_set(save, &key, value, BIG, &err));
    key.name = "1";
    OK(ptl_save_fact_set(save, &key, value, BIG, &err));
    key.name = "2";
    OK(ptl_save_fact_set(save, &key, value, BIG, &err));
    key.name = "3";
    ck_assert_int_eq(ptl_save_fact_set(save, &key, value, BIG, &err), PTL_ERR_LIMIT);
    OK(ptl_save_fact_set(save, &key, value, BIG - 4096, &err));
    OK(saved_note(save, "ann", edited, NULL));
    const ptl_save_cell cells[1000] = {{edited, "field"}};
    ck_assert_int_eq(ptl_save_cells_set(save, cells, 1000, &err), PTL_ERR_LIMIT);
    key.name = "0";
    OK(ptl_save_fact_set(save, &key, NULL, 0, &err)); /* it gives its room back */
    key.name = "4";
    OK(ptl_save_fact_set(save, &key, value, BIG, &err));
    ptl_save_report report = PTL_SAVE_REPORT_INIT;
    OK(ptl_save_commit(&report, save, &err));
    ck_assert_uint_eq(report.facts, 4);
    ptl_fact_value read;
    OK(ptl_fact_value_load(&read, world, &key, &err));
    ck_assert_uint_eq(read.size, BIG);
    ck_assert(memcmp(read.data, value, BIG) == 0);
    ptl_fact_value_dispose(&read);
    free(value);
    ptl_world_close(world);
    close_place(&p);
}
END_TEST

/* A save that has seen too little is refused for what change_it does, and nothing of it is
 * stored. */
static void expect_conflict(ptl_world *world, void (*change_it)(ptl_save *save),
                            const char *named)
{
    ptl_save *save = saved_save(world, 0);
    char before[65], after[65];
    OK(set_fact(save, "first", "half"));
    change_it(save);
    ptl_save *other = saved_save(world, 0);
    change_it(other);
    OK(set_fact(other, "count", fact(world, "count")[0] == '1' ? "2" : "1"));
    OK(ptl_save_commit(NULL, other, &err));
    /* What both write is the same, so it is no conflict; then a third save changes it. */
    other = saved_save(world, 0);
    OK(saved_note(other, "ann", edited, "another"));
    OK(set_fact(other, "state", "another"));
    static const uint8_t none[PTL_MARKS_BYTES];
    OK(ptl_save_marks_set(other, &(ptl_marks_key){"ann", 0, here, 0}, none, PTL_MARKS_REPLACE,
                          &err));
    OK(ptl_save_commit(NULL, other, &err));
    saved_digest(before, world);
    ck_assert_int_eq(ptl_save_commit(NULL, save, &err), PTL_ERR_EXISTS);
    ck_assert_msg(strstr(err.message, named) != NULL, "%s", err.message);
    saved_digest(after, world);
    ck_assert_str_eq(before, after);
    ck_assert_str_eq(fact(world, "first"), "-");
    ck_assert_int_eq(ptl_save_commit(NULL, save, &err), PTL_ERR_EXISTS); /* as before */
    ptl_save_abort(save);
}

static void change_a_note(ptl_save *save)
{
    OK(saved_note(save, "ann", edited, "mine"));
}

static void change_a_fact(ptl_save *save)
{
    OK(set_fact(save, "state", "mine"));
}

static void replace_marks(ptl_save *save)
{
    static const uint8_t some[PTL_MARKS_BYTES] = {255};
    OK(ptl_save_marks_set(save, &(ptl_marks_key){"ann", 0, here, 0}, some, PTL_MARKS_REPLACE,
                          &err));
}

START_TEST(what_another_save_changed_is_not_lost)
{
    place p;
    ptl_world *world = saved_begin(&p, _i);
    static const uint8_t some[2][PTL_MARKS_BYTES] = {{1, 2}, {4, 1}};
    const ptl_marks_key key = {"ann", 0, here, 0};
    uint8_t bits[PTL_MARKS_BYTES];
    int64_t seen = 0;
    OK(ptl_save_revision_load(&seen, world, &err));
    ck_assert_int_eq(seen, 1);
    expect_conflict(world, change_a_note, "the note of 'ann' at 7,9,0");
    expect_conflict(world, change_a_fact, "fact 'state' of 'test'");
    expect_conflict(world, replace_marks, "marks 0 of 'ann' in chunk 0,0, level 0");
    /* Marks that are added never conflict, and both are there. */
    ptl_save *a = saved_save(world, 0), *b = saved_save(world, 0);
    OK(ptl_save_marks_set(a, &key, some[0], PTL_MARKS_ADD, &err));
    OK(ptl_save_marks_set(b, &key, some[1], PTL_MARKS_ADD, &err));
    OK(ptl_save_commit(NULL, a, &err));
    OK(ptl_save_commit(NULL, b, &err));
    OK(ptl_marks_load(bits, world, &key, &err));
    ck_assert(bits[0] == 5 && bits[1] == 3 && marks_count(bits) == 4);
    /* A removal is seen, too; and who says what it has seen may write over it. */
    a = saved_save(world, 0);
    OK(set_fact(a, "state", "mine"));
    b = saved_save(world, 0);
    OK(set_fact(b, "state", NULL));
    ptl_save_report report = PTL_SAVE_REPORT_INIT;
    OK(ptl_save_commit(&report, b, &err));
    ck_assert_int_eq(ptl_save_commit(NULL, a, &err), PTL_ERR_EXISTS);
    ptl_save_abort(a);
    ck_assert_str_eq(fact(world, "state"), "-");
    a = saved_save(world, report.revision - 1);
    OK(set_fact(a, "state", "mine"));
    ck_assert_int_eq(ptl_save_commit(NULL, a, &err), PTL_ERR_EXISTS);
    ptl_save_abort(a);
    a = saved_save(world, report.revision);
    OK(set_fact(a, "state", "mine"));
    OK(ptl_save_commit(NULL, a, &err));
    ck_assert_str_eq(fact(world, "state"), "mine");
    ptl_world_close(world);
    close_place(&p);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("saved");
    TCase *t = tcase_create("saved");
    tcase_set_timeout(t, 300);
    tcase_add_test(t, random_saves_are_as_a_model_says);
    tcase_add_loop_test(t, what_can_not_be_is_refused, 0, MODES);
    tcase_add_loop_test(t, derived_worlds_take_notes, 0, MODES);
    tcase_add_loop_test(t, a_save_has_a_bound, 0, MODES);
    tcase_add_loop_test(t, what_another_save_changed_is_not_lost, 0, MODES);
    suite_add_tcase(suite, t);
    return suite_run(suite);
}
