/* Whole worlds out and in again, through the public header, with the embedded content. */
#include "unit/exchange/test_exchange.h"

#include "exchange/exchange.h"
#include "support/world_file.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ROOM = WORLD_PATH_SIZE + 64 };

typedef struct place {
    char path[WORLD_PATH_SIZE];
    ptl_store *store;
    ptl_world *world;
} place;

static place here, there;
static ptl_error err;

static void place_open(place *p, uint64_t seed)
{
    world_file_path(p->path);
    p->store = world_file_open(p->path, "w", seed);
    p->world = world_file_world(p->store, "w");
}

static void folder_of(const place *p, const char *name, char out[ROOM])
{
    snprintf(out, ROOM, "%s.%s", p->path, name);
}

static void remove_folder(const place *p, const char *name)
{
    char folder[ROOM], file[ROOM + 300];
    folder_of(p, name, folder);
    DIR *dir = opendir(folder);
    for (struct dirent *d; dir && (d = readdir(dir)) != NULL;) {
        snprintf(file, sizeof file, "%s/%s", folder, d->d_name);
        unlink(file);
    }
    if (dir)
        closedir(dir);
    rmdir(folder);
}

static void place_close(place *p)
{
    ptl_world_close(p->world);
    ptl_store_close(p->store);
    remove_folder(p, "a");
    remove_folder(p, "b");
    world_file_remove(p->path);
}

static void set_up(void)
{
    memset(&err, 0, sizeof err);
    place_open(&here, 42);
    place_open(&there, 43);
}

static void tear_down(void)
{
    place_close(&here);
    place_close(&there);
}

static void generate(place *p, int32_t x0, int32_t y0, int32_t x1, int32_t y1)
{
    ptl_chunk_pos list[64];
    ptl_generate_options o = PTL_GENERATE_OPTIONS_INIT;
    for (int32_t y = y0; y <= y1; y++)
        for (int32_t x = x0; x <= x1; x++)
            list[o.position_count++] = (ptl_chunk_pos){x, y};
    o.positions = list;
    ck_assert_msg(ptl_generate(NULL, p->world, &o, &err) == PTL_OK, "%s", err.message);
}

static ptl_status export_to(place *p, const char *name, ptl_game_save_write_options o,
                            ptl_game_save_write_report *r)
{
    char folder[ROOM];
    folder_of(p, name, folder);
    o.directory = folder;
    return ptl_game_save_write(r, p->world, &o, &err);
}

static ptl_status import_from(place *p, const place *owner, const char *name, bool force,
                              ptl_game_save_import_report *r)
{
    char folder[ROOM];
    folder_of(owner, name, folder);
    const ptl_game_save_import_options o = {
        .size = sizeof o, .directory = folder, .force = force};
    return ptl_game_save_import(r, p->world, &o, &err);
}

static void export_well(place *p, const char *name)
{
    const ptl_game_save_write_options o = PTL_GAME_SAVE_WRITE_OPTIONS_INIT;
    ck_assert_msg(export_to(p, name, o, NULL) == PTL_OK, "%s", err.message);
}

/* The file's text; new. */
static char *slurp(const place *p, const char *name, const char *file, size_t *size)
{
    char path[ROOM + 40], folder[ROOM];
    struct stat info;
    folder_of(p, name, folder);
    snprintf(path, sizeof path, "%s/%s", folder, file);
    FILE *f = fopen(path, "rb");
    ck_assert_msg(f && fstat(fileno(f), &info) == 0, "%s", path);
    *size = (size_t)info.st_size;
    char *text = calloc(1, *size + 1);
    ck_assert_uint_eq(fread(text, 1, *size, f), *size);
    fclose(f);
    return text;
}

static void spill(const place *p, const char *name, const char *file, const char *text)
{
    char path[ROOM + 40], folder[ROOM];
    folder_of(p, name, folder);
    snprintf(path, sizeof path, "%s/%s", folder, file);
    FILE *f = fopen(path, "wb");
    ck_assert(f && fputs(text, f) >= 0 && fclose(f) == 0);
}

static int64_t number(place *p, const char *sql);

static bool keep(void *payload, size_t columns, const char *const *names,
                 const ptl_value *values)
{
    (void)names;
    if (columns > 0)
        *(int64_t *)payload = values[0].integer;
    return true;
}

static int64_t number(place *p, const char *sql)
{
    int64_t out = -1;
    ptl_query_options o = {.size = sizeof o, .on_row = keep, .payload = &out};
    ck_assert_msg(ptl_query(p->store, sql, &o, &err) == PTL_OK, "%s", err.message);
    return out;
}

static void no_problems(place *p)
{
    ptl_verify_counts counts = PTL_VERIFY_COUNTS_INIT;
    ck_assert_int_eq(ptl_verify(&counts, p->store, NULL, NULL, &err), PTL_OK);
    ck_assert_uint_eq(counts.problems, 0);
}

/* A save does not say which piece of a mutable special is where: those are left out. Of the
 * others almost all come back; few share a cell with another one. */
static void check_specials(const ptl_game_save_import_report *r)
{
    const int64_t all = number(&here, "SELECT count(*) FROM v_special");
    const int64_t grown = number(&here, "SELECT count(DISTINCT chunk_x || ' ' || chunk_y || "
                                        "' ' || special_number) FROM piece");
    const int64_t pieces = number(&here, "SELECT count(*) FROM piece");
    const int64_t back = number(&there, "SELECT count(*) FROM v_special");
    ck_assert_int_gt(all, grown);
    ck_assert_msg(back <= all - grown && 50 * back >= 49 * (all - grown),
                  "%d specials, %d of them mutable; %d came back", (int)all, (int)grown,
                  (int)back);
    ck_assert_msg((int64_t)r->points_left_out <= pieces + 20 * (all - grown - back),
                  "%d points left out, but there are %d pieces", (int)r->points_left_out,
                  (int)pieces);
    ck_assert_int_eq(number(&there, "SELECT count(*) FROM piece"), 0);
    ck_assert_int_eq(number(&there, "SELECT count(*) FROM v_special WHERE omts < 1"), 0);
}

/* Groups beyond a border are the neighbour's in what is read. */
static void cut_groups(char *text)
{
    char *from = strstr(text, "\n,\"monster_groups\""), *to = strstr(text, "\n,\"cities\"");
    ck_assert(from && to > from);
    memmove(from, to, strlen(to) + 1);
}

/* What was exported, imported and exported again is the same, but for exits that only their
 * plan knows (crossings of connections come from tiles), and for specials. */
START_TEST(out_in_and_out_again)
{
    generate(&here, -1, 0, 1, 1);
    export_well(&here, "a");
    ptl_game_save_import_report r = PTL_GAME_SAVE_IMPORT_REPORT_INIT;
    ck_assert_msg(import_from(&there, &here, "a", false, &r) == PTL_OK, "%s", err.message);
    ck_assert_uint_eq(r.chunks, 6);
    ck_assert_uint_eq(r.edges, 6 * 2 + 2 + 3);
    ck_assert_uint_gt(r.placements, 100);
    no_problems(&there);
    check_specials(&r);
    export_well(&there, "a");
    static const char *const files[] = {"o.-1.0", "o.0.0", "o.1.0", "o.-1.1", "o.0.1", "o.1.1"};
    static const char LINE[] = "\n,\"connections_out\":", NEXT[] = "\n,\"radios\":";
    static const char SPECIALS[] = "\n,\"overmap_special_placements\":";
    for (size_t i = 0; i < 6; i++) {
        size_t na, nb;
        char *a = slurp(&here, "a", files[i], &na), *b = slurp(&there, "a", files[i], &nb);
        cut_groups(a);
        cut_groups(b);
        char *cut_a = strstr(a, LINE), *cut_b = strstr(b, LINE);
        char *rest_a = strstr(a, NEXT), *rest_b = strstr(b, NEXT);
        *cut_a = *cut_b = '\0';
        *strstr(rest_a, SPECIALS) = *strstr(rest_b, SPECIALS) = '\0';
        ck_assert_str_eq(a, b);           /* layers, region, cities */
        ck_assert_str_eq(rest_a, rest_b); /* radios */
        free(a);
        free(b);
    }
    ptl_world_digest_result one = PTL_WORLD_DIGEST_RESULT_INIT,
                            two = PTL_WORLD_DIGEST_RESULT_INIT;
    place third;
    place_open(&third, 43);
    ck_assert_int_eq(import_from(&third, &there, "a", false, NULL), PTL_OK);
    ck_assert_int_eq(ptl_world_digest_get(&one, there.world, &err), PTL_OK);
    ck_assert_int_eq(ptl_world_digest_get(&two, third.world, &err), PTL_OK);
    ck_assert_str_eq(one.hex, two.hex); /* from here on nothing changes any more */
    place_close(&third);
}
END_TEST

/* Reads chunks of Bright Nights' form, and writes them again: but for exits that only their
 * plan knows, and groups beyond borders, all is as it was, with placements and joins. */
START_TEST(bright_nights_out_in_and_out_again)
{
    static const char *const files[] = {"o.-1.0", "o.0.0", "o.-1.1", "o.0.1"};
    static const char FROM[] = "\n,\"connections_out\":", TO[] = "\n,\"radios\":";
    ptl_game_save_write_options o = PTL_GAME_SAVE_WRITE_OPTIONS_INIT;
    ptl_game_save_import_report r = PTL_GAME_SAVE_IMPORT_REPORT_INIT;
    generate(&here, -1, 0, 0, 1);
    o.version = 28;
    ck_assert_int_eq(export_to(&here, "a", o, NULL), PTL_ERR_ARGUMENT);
    o.version = SAVE_VERSION_BN;
    ck_assert_int_eq(export_to(&here, "a", o, NULL), PTL_OK);
    ck_assert_msg(import_from(&there, &here, "a", false, &r) == PTL_OK, "%s", err.message);
    ck_assert(r.chunks == 4 && r.points_left_out == 0 && r.details_left_out == 0);
    ck_assert_uint_gt(r.placements, 100);
    no_problems(&there);
    ck_assert_int_eq(export_to(&there, "a", o, NULL), PTL_OK);
    for (size_t i = 0; i < 4; i++) {
        size_t na, nb;
        char *a = slurp(&here, "a", files[i], &na), *b = slurp(&there, "a", files[i], &nb);
        ck_assert_int_eq(strncmp(a, "# version 29\n", 13), 0);
        ck_assert_ptr_nonnull(strstr(a, "\"frequency\":"));
        cut_groups(a);
        cut_groups(b);
        char *rest_a = strstr(a, TO), *rest_b = strstr(b, TO);
        *strstr(a, FROM) = *strstr(b, FROM) = '\0';
        ck_assert_str_eq(a, b);
        ck_assert_str_eq(rest_a, rest_b);
        free(a);
        free(b);
    }
    /* The same world again, from files that were read once. */
    remove_folder(&here, "a");
    ck_assert_int_eq(export_to(&there, "b", o, NULL), PTL_OK);
    place third;
    place_open(&third, 43);
    ck_assert_int_eq(import_from(&third, &there, "b", false, &r), PTL_OK);
    ck_assert_uint_eq(r.groups_moved + r.groups_left_out, 0);
    ptl_world_digest_result one = PTL_WORLD_DIGEST_RESULT_INIT,
                            two = PTL_WORLD_DIGEST_RESULT_INIT;
    ck_assert_int_eq(ptl_world_digest_get(&one, there.world, &err), PTL_OK);
    ck_assert_int_eq(ptl_world_digest_get(&two, third.world, &err), PTL_OK);
    ck_assert_str_eq(one.hex, two.hex);
    place_close(&third);
}
END_TEST

/* Whether one after the other or all at once: the same chunks and edges. But groups go only to
 * a neighbour that is read with them. */
START_TEST(in_two_parts)
{
    static const char *const files[] = {"o.0.0", "o.1.0", "o.2.0"};
    place third;
    generate(&here, 0, 0, 2, 0);
    export_well(&here, "a");
    ptl_game_save_write_options part = PTL_GAME_SAVE_WRITE_OPTIONS_INIT;
    part.has_rect = true;
    part.x1 = 1; /* 0,0 .. 1,0 */
    ck_assert_int_eq(export_to(&there, "a", part, NULL), PTL_ERR_NOT_FOUND);
    ck_assert_int_eq(export_to(&here, "b", part, NULL), PTL_OK);
    ck_assert_int_eq(import_from(&there, &here, "b", false, NULL), PTL_OK);
    remove_folder(&here, "b");
    part.x0 = part.x1 = 2;
    ck_assert_int_eq(export_to(&here, "b", part, NULL), PTL_OK);
    ck_assert_int_eq(import_from(&there, &here, "b", false, NULL), PTL_OK);
    place_open(&third, 43);
    ck_assert_int_eq(import_from(&third, &here, "a", false, NULL), PTL_OK);
    export_well(&there, "c");
    export_well(&third, "c");
    for (size_t i = 0; i < 3; i++) {
        size_t na, nb;
        char *a = slurp(&there, "c", files[i], &na), *b = slurp(&third, "c", files[i], &nb);
        cut_groups(a);
        cut_groups(b);
        ck_assert_uint_eq(na > 0 && nb > 0, 1);
        ck_assert_str_eq(a, b);
        free(a);
        free(b);
    }
    place_close(&third);
}
END_TEST

/* Names of files as the game writes them, and others. */
START_TEST(names_of_files)
{
    static const char *const bad[] = {
        "o",        "o.",          "o.1",
        "o.1.",     "o.1.2.bak",   ".o.1.2.tmp",
        "o.01.2",   "o.-0.2",      "o.+1.2",
        "o.1.2 ",   "p.1.2",       "o.1.-",
        "o.--1.2",  "o.1.2.3",     "O.1.2",
        "o. 1.2",   "o.1.2\n",     "o.1e1.2",
        "seen.1.2", "o.4194305.0", "o.99999999999999999999.0",
    };
    ptl_chunk_pos pos;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        ck_assert_msg(!save_name_parse(bad[i], &pos), "%s", bad[i]);
    ck_assert(save_name_parse("o.-12.0", &pos) && pos.x == -12 && pos.y == 0);
    ck_assert(save_name_parse("o.4194304.-4194304", &pos) && pos.x == PTL_CHUNK_COORD_MAX);
    char *text = save_path("d", pos, ".", ".tmp");
    ck_assert_str_eq(text, "d/.o.4194304.-4194304.tmp");
    free(text);
}
END_TEST

START_TEST(all_or_nothing)
{
    generate(&here, 0, 0, 1, 0);
    export_well(&here, "a");
    size_t size;
    char *text = slurp(&here, "a", "o.1.0", &size);
    char *id = strstr(text, "[[\"");
    memcpy(id + 3, "?", 1);
    spill(&here, "a", "o.1.0", text);
    ck_assert_int_eq(import_from(&there, &here, "a", false, NULL), PTL_ERR_CONTENT);
    ck_assert_ptr_nonnull(strstr(err.message, "o.1.0:2:"));
    ck_assert_ptr_nonnull(strstr(err.message, "the content has no terrain ?"));
    ck_assert_int_eq(number(&there, "SELECT (SELECT count(*) FROM chunk) + (SELECT count(*) "
                                    "FROM edge) + (SELECT count(*) FROM run)"),
                     0);
    free(text);
}
END_TEST

/* Replaces part of a file of `a`: the text from `first` up to, but without, `behind`. */
static void replace(const place *p, const char *file, const char *first, const char *behind,
                    const char *put)
{
    size_t size;
    bytes text;
    char *was = slurp(p, "a", file, &size);
    char *from = strstr(was, first), *to = from ? strstr(from, behind) : NULL;
    ck_assert(from && to);
    *from = '\0';
    bytes_init(&text);
    bytes_put_text(&text, was);
    bytes_put_text(&text, put);
    bytes_put_text(&text, to);
    spill(p, "a", file, bytes_text(&text));
    bytes_dispose(&text);
    free(was);
}

/* A group on the border's last submap is the overmap's own; one on the next is the neighbour's,
 * also one that is read earlier; what is beyond all of them, or on no level, is left out. */
START_TEST(groups_beyond_borders)
{
    static const char groups[] =
        "\n,\"monster_groups\":[[{\"type\":\"G\",\"population\":3,\"horde\":true},[[-361,1,0],"
        "[-360,2,0],[-1,3,0],[0,4,0],[359,5,0],[360,6,0],[719,7,0],[720,8,0],[9,-1,0],[-1,-1,0]"
        ","
        "[10,360,0],[-1,3,11],[360,6,-11],[-2147483648,0,0],[-2,3,10],[361,6,-10]]]]";
    generate(&here, -1, 0, 1, 0);
    export_well(&here, "a");
    static const char *const files[] = {"o.-1.0", "o.0.0", "o.1.0"};
    for (size_t i = 0; i < 3; i++)
        replace(&here, files[i], "\n,\"monster_groups\"", "\n,\"cities\"",
                i == 1 ? groups : "");
    ptl_game_save_import_report r = PTL_GAME_SAVE_IMPORT_REPORT_INIT;
    ck_assert_msg(import_from(&there, &here, "a", false, &r) == PTL_OK, "%s", err.message);
    ck_assert_uint_eq(r.groups, 8);
    ck_assert_uint_eq(r.groups_moved, 6);
    ck_assert_uint_eq(r.groups_left_out, 8);
    static const int32_t wanted[][4] = {
        {-1, 0, 2, 0},           {-1, 359, 3, 0},     {0, 0, 4, 0},
        {0, 359, 5, 0},          {1, 0, 6, 0},        {1, 359, 7, 0},
        {-1, 358, 3, PTL_Z_MAX}, {1, 1, 6, PTL_Z_MIN}};
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
        char sql[300];
        snprintf(
            sql, sizeof sql,
            "SELECT count(*) FROM monster_group WHERE chunk_x = %d AND chunk_y = 0 AND "
            "2 * x + submap_x = %d AND 2 * y + submap_y = %d AND z = %d AND type = 'G' AND "
            "population = 3 "
            "AND radius = 1 AND horde",
            (int)wanted[i][0], (int)(360 * wanted[i][0] + wanted[i][1]), (int)wanted[i][2],
            (int)wanted[i][3]);
        ck_assert_msg(number(&there, sql) == 1, "%s", sql);
    }
    no_problems(&there);
}
END_TEST

/* What belongs to play, or what Portolan does not keep, is counted over all files. */
START_TEST(what_is_left_out_is_counted)
{
    static const char
        *const files[] = {"o.0.0", "o.1.0"},
               *const members[] = {
                   "\n,\"npcs\":[{},{}],\"camps\":[{}],\"monster_map\":[[1,2,3],{}],"
                   "\"city_tiles\":[[1,2],[3,4],[5,6]]",
                   "\n,\"tracked_vehicles\":[{}],\"scent_traces\":[{},{}],\"rivers\":[{},{}]"};
    generate(&here, 0, 0, 1, 0);
    export_well(&here, "a");
    for (size_t i = 0; i < 2; i++)
        replace(&here, files[i], "\n,\"monster_map\"", "\n,\"overmap_special_placements\"",
                members[i]);
    ptl_game_save_import_report r = PTL_GAME_SAVE_IMPORT_REPORT_INIT;
    ck_assert_msg(import_from(&there, &here, "a", false, &r) == PTL_OK, "%s", err.message);
    ck_assert_uint_eq(r.chunks, 2);
    ck_assert_uint_eq(r.members_left_out, 4 + 3);
    ck_assert_uint_eq(r.details_left_out, 3 + 2);
}
END_TEST

/* What was generated beside an imported chunk had another border. */
START_TEST(generated_neighbours_are_refused_or_made_anew)
{
    generate(&here, 0, 0, 0, 0);
    export_well(&here, "a");
    generate(&there, 1, 0, 1, 1); /* beside it, and one that only touches its corner */
    ck_assert_int_eq(import_from(&there, &here, "a", false, NULL), PTL_ERR_EXISTS);
    ck_assert_ptr_nonnull(strstr(err.message, "chunk 1,0 is generated already"));
    ck_assert_int_eq(number(&there, "SELECT count(*) FROM chunk"), 2);
    ptl_game_save_import_report r = PTL_GAME_SAVE_IMPORT_REPORT_INIT;
    ck_assert_msg(import_from(&there, &here, "a", true, &r) == PTL_OK, "%s", err.message);
    ck_assert_uint_eq(r.removed, 1);
    ck_assert_int_eq(number(&there, "SELECT count(*) FROM chunk"), 2);
    no_problems(&there);
    generate(&there, 0, 0, 1, 1);
    ck_assert_int_eq(number(&there, "SELECT count(*) FROM chunk"), 4);
    no_problems(&there);
    /* The same as if the imported one had been there first. */
    place third;
    place_open(&third, 43);
    ck_assert_int_eq(import_from(&third, &here, "a", false, NULL), PTL_OK);
    generate(&third, 0, 0, 1, 1);
    ptl_world_digest_result one = PTL_WORLD_DIGEST_RESULT_INIT,
                            two = PTL_WORLD_DIGEST_RESULT_INIT;
    ck_assert_int_eq(ptl_world_digest_get(&one, there.world, &err), PTL_OK);
    ck_assert_int_eq(ptl_world_digest_get(&two, third.world, &err), PTL_OK);
    ck_assert_str_eq(one.hex, two.hex);
    place_close(&third);
    memset(&err, 0, sizeof err);
    ck_assert_int_eq(import_from(&there, &here, "a", true, NULL), PTL_ERR_EXISTS);
    ck_assert_ptr_nonnull(strstr(err.message, "chunk 0,0 is saved already"));
}
END_TEST

static bool stop_at_two(void *payload, const ptl_progress *p)
{
    *(uint64_t *)payload = p->total;
    return p->done < 2;
}

START_TEST(directories_and_stopping)
{
    ptl_game_save_write_options o = PTL_GAME_SAVE_WRITE_OPTIONS_INIT;
    ptl_game_save_write_report r = PTL_GAME_SAVE_WRITE_REPORT_INIT;
    uint64_t total = 0;
    ck_assert_int_eq(import_from(&there, &here, "a", false, NULL), PTL_ERR_NOT_FOUND);
    generate(&here, 0, 0, 2, 0);
    o.on_progress = stop_at_two;
    o.payload = &total;
    ck_assert_int_eq(export_to(&here, "a", o, &r), PTL_ERR_CANCELLED);
    ck_assert(total == 3 && r.chunks == 2);
    o.on_progress = NULL;
    ck_assert_int_eq(export_to(&here, "a", o, &r), PTL_ERR_EXISTS);
    o.force = true;
    ck_assert_int_eq(export_to(&here, "a", o, &r), PTL_OK);
    ck_assert_uint_eq(r.chunks, 3);
    spill(&here, "a", "o.1.0.bak", "not an overmap");
    spill(&here, "a", "o.1", "not an overmap");
    char folder[ROOM];
    folder_of(&here, "a", folder);
    const ptl_game_save_import_options stop = {.size = sizeof stop,
                                               .directory = folder,
                                               .on_progress = stop_at_two,
                                               .payload = &total};
    ck_assert_int_eq(ptl_game_save_import(NULL, there.world, &stop, &err), PTL_ERR_CANCELLED);
    ck_assert_int_eq(number(&there, "SELECT count(*) FROM chunk"), 0);
    ck_assert_int_eq(import_from(&there, &here, "a", false, NULL), PTL_OK);
    ck_assert_int_eq(number(&there, "SELECT count(*) FROM chunk"), 3);
    o.directory = "/proc/no/such";
    ck_assert_int_eq(ptl_game_save_write(NULL, here.world, &o, &err), PTL_ERR_NOT_FOUND);
    ck_assert_int_eq(ptl_game_save_write(NULL, here.world, NULL, &err), PTL_ERR_ARGUMENT);
    ck_assert_int_eq(ptl_game_save_import(NULL, here.world, NULL, &err), PTL_ERR_ARGUMENT);
}
END_TEST

/* ---- into a save ---- */

/* What DDA 0.F makes of a world with a character, written long ago. */
static void make_save(const place *p, const char *name, const char *mods)
{
    static const char *const files[][2] = {{"worldoptions.json", "[]"},
                                           {"master.gsav", "# version 33\n{}"},
                                           {"#Sm8=.sav", "# version 33\n{}"},
                                           {"#Sm8=.seen.0.0", "seen"},
                                           {"o.0.0", "theirs"},
                                           {"o.9.9", "theirs, too"}};
    char folder[ROOM], path[ROOM + 40];
    const struct timespec then[2] = {{.tv_sec = 1000000000}, {.tv_sec = 1000000000}};
    folder_of(p, name, folder);
    ck_assert_int_eq(mkdir(folder, S_IRWXU), 0);
    spill(p, name, "mods.json", mods);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        spill(p, name, files[i][0], files[i][1]);
        snprintf(path, sizeof path, "%s/%s", folder, files[i][0]);
        ck_assert_int_eq(utimensat(AT_FDCWD, path, then, 0), 0);
    }
}

static void expect_file(const place *p, const char *name, const char *file, const char *text)
{
    size_t size;
    char *found = slurp(p, name, file, &size);
    ck_assert_str_eq(found, text);
    free(found);
}

/* Of a pack that the save does not list everything lacks that the overmaps have: in order, and
 * as many as the numbers say. */
static void expect_all_lacking(const ptl_game_save_fit *fit)
{
    ptl_game_save_fit_info info = PTL_GAME_SAVE_FIT_INFO_INIT;
    ptl_game_save_pack pack = PTL_GAME_SAVE_PACK_INIT;
    ptl_game_save_id id = PTL_GAME_SAVE_ID_INIT;
    size_t counts[PTL_CONTENT_REGION + 1] = {0};
    char before[200] = "";
    ptl_content_kind kind = PTL_CONTENT_REGION;
    ck_assert_int_eq(ptl_game_save_fit_describe(&info, fit), PTL_OK);
    ck_assert(info.mod_count == 1 && info.pack_count == 1);
    ck_assert_str_eq(ptl_game_save_fit_mod(fit, 0), "dda");
    ck_assert_ptr_null(ptl_game_save_fit_mod(fit, 1));
    ck_assert_int_eq(ptl_game_save_fit_pack(&pack, fit, 0), PTL_OK);
    ck_assert(pack.own && !pack.listed && pack.lacked == info.lacking_count);
    for (size_t i = 0; i < info.lacking_count; i++) {
        ck_assert_int_eq(ptl_game_save_fit_lacking(&id, fit, i), PTL_OK);
        ck_assert(id.pack == 0 && id.kind <= kind);
        ck_assert(id.kind < kind || strcmp(before, id.id) < 0);
        counts[id.kind]++;
        kind = id.kind;
        snprintf(before, sizeof before, "%s", id.id);
    }
    ck_assert(counts[PTL_CONTENT_TERRAIN] == info.terrains && info.terrains > 50);
    ck_assert(counts[PTL_CONTENT_SPECIAL] == info.specials && info.specials > 10);
    ck_assert_uint_eq(counts[PTL_CONTENT_REGION], 1);
    ck_assert_int_eq(ptl_game_save_fit_lacking(&id, fit, info.lacking_count),
                     PTL_ERR_NOT_FOUND);
    ck_assert_str_eq(id.id, "");
    ck_assert_int_eq(ptl_game_save_fit_pack(&pack, fit, 1), PTL_ERR_NOT_FOUND);
    ck_assert_str_eq(pack.id, "");
    info.size = 0;
    ck_assert_int_eq(ptl_game_save_fit_describe(&info, fit), PTL_ERR_ARGUMENT);
}

/* Refused where the save lacks ids, put there by force, and taken out again. */
START_TEST(into_a_save_and_out)
{
    char folder[ROOM];
    ptl_game_save_fit *fit = NULL;
    ptl_game_save_put_report r = PTL_GAME_SAVE_PUT_REPORT_INIT;
    ptl_game_save_undo_report undone = PTL_GAME_SAVE_UNDO_REPORT_INIT;
    generate(&here, 0, 0, 1, 0);
    make_save(&here, "a", "[\"dda\"]");
    folder_of(&here, "a", folder);
    ptl_game_save_put_options o = {.size = sizeof o, .save = folder, .fit = &fit};
    const ptl_game_save_undo_options undo = {.size = sizeof undo, .save = folder};
    ck_assert_int_eq(ptl_game_save_undo(NULL, &undo, &err), PTL_ERR_NOT_FOUND);
    ck_assert_int_eq(ptl_game_save_put(&r, here.world, &o, &err), PTL_ERR_MISMATCH);
    expect_all_lacking(fit);
    ptl_game_save_fit_free(fit);
    expect_file(&here, "a", "o.0.0", "theirs");
    o.fit = NULL;
    o.force = true;
    ck_assert_msg(ptl_game_save_put(&r, here.world, &o, &err) == PTL_OK, "%s", err.message);
    ck_assert(r.chunks == 2 && r.bytes > 10000 && r.met == 1 && !r.recovered[0]);
    ck_assert(r.moved_overmaps == 2 && r.moved_seen == 1 && r.moved_maps == 0);
    ck_assert_uint_eq(r.moved_bytes, strlen("theirs") + strlen("theirs, too") + strlen("seen"));
    ck_assert_str_eq(r.folder, "portolan-replaced-1");
    expect_file(&here, "a/portolan-replaced-1", "o.9.9", "theirs, too");
    ck_assert_msg(ptl_game_save_undo(&undone, &undo, &err) == PTL_OK, "%s", err.message);
    ck_assert(undone.removed == 2 && undone.restored == 3 && undone.left == 0);
    ck_assert(!undone.interrupted && strcmp(undone.folder, r.folder) == 0);
    expect_file(&here, "a", "o.0.0", "theirs");
    expect_file(&here, "a", "o.9.9", "theirs, too");
    o.save = NULL;
    ck_assert_int_eq(ptl_game_save_put(NULL, here.world, &o, &err), PTL_ERR_ARGUMENT);
    ck_assert_int_eq(ptl_game_save_undo(NULL, NULL, &err), PTL_ERR_ARGUMENT);
}
END_TEST

/* What files are judged by that go to no save: Portolan's own content, which no game has. */
START_TEST(fit_of_files)
{
    ptl_game_save_fit *fit = NULL;
    ptl_game_save_fit_info info = PTL_GAME_SAVE_FIT_INFO_INIT;
    ptl_game_save_pack pack = PTL_GAME_SAVE_PACK_INIT;
    ptl_game_save_write_options o = {.size = sizeof o, .fit = &fit};
    ck_assert_int_eq(export_to(&here, "a", o, NULL), PTL_ERR_NOT_FOUND);
    ck_assert_int_eq(ptl_game_save_fit_describe(&info, fit), PTL_OK); /* of nothing */
    ck_assert(info.terrains == 0 && info.pack_count == 0 && info.mod_count == -1);
    ptl_game_save_fit_free(fit);
    generate(&here, 0, 0, 0, 0);
    ck_assert_int_eq(export_to(&here, "a", o, NULL), PTL_OK);
    ck_assert_int_eq(ptl_game_save_fit_describe(&info, fit), PTL_OK);
    ck_assert(info.mod_count == -1 && info.pack_count == 1 && info.lacking_count > 60);
    ck_assert_int_eq(ptl_game_save_fit_pack(&pack, fit, 0), PTL_OK);
    ck_assert(pack.own && !pack.listed && pack.lacked == info.lacking_count);
    ck_assert_ptr_null(ptl_game_save_fit_mod(fit, 0));
    ptl_game_save_fit_free(fit);
    ptl_game_save_fit_free(NULL);
}
END_TEST

TCase *exchange_world_case(void)
{
    TCase *c = tcase_create("worlds");
    tcase_add_checked_fixture(c, set_up, tear_down);
    tcase_add_test(c, out_in_and_out_again);
    tcase_add_test(c, bright_nights_out_in_and_out_again);
    tcase_add_test(c, in_two_parts);
    tcase_add_test(c, all_or_nothing);
    tcase_add_test(c, names_of_files);
    tcase_add_test(c, groups_beyond_borders);
    tcase_add_test(c, what_is_left_out_is_counted);
    tcase_add_test(c, generated_neighbours_are_refused_or_made_anew);
    tcase_add_test(c, directories_and_stopping);
    tcase_add_test(c, into_a_save_and_out);
    tcase_add_test(c, fit_of_files);
    return c;
}
