/*
 * Mapgen grown from real files: our own (data/local), and one object that has each kind of
 * piece. An input chooses objects and changes their numbers, members and strings. What passes
 * the check is imported into a store in memory, beside the small content; a world is made,
 * local maps of two terrains, and an update is carried out on each. Content may be refused,
 * also while a map is made; but what was stored can be read again, and the file verifies.
 */
#include "core/bytes.h"
#include "fuzz/fuzz.h"
#include "portolan/portolan.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { OBJECTS_MAX = 4000, CHOSEN_MAX = 3, CHANGES_MAX = 24 };

/* A span of a text. */
typedef struct span {
    const char *at;
    size_t size;
} span;

static span objects[OBJECTS_MAX];
static size_t object_count;
static char root[FUZZ_PATH_SIZE];

/* Each kind of piece with each of its numbers, and groups that these draw of. */
static const char kinds[] =
    "[{\"type\":\"mapgen\",\"om_terrain\":\"field\",\"object\":{\"fill_ter\":\"t_grass\","
    "\"place_fields\":[{\"field\":\"fd_fire\",\"x\":1,\"y\":1,\"intensity\":1,\"age\":1}],"
    "\"place_vehicles\":[{\"vehicle\":\"car\",\"x\":2,\"y\":2,\"chance\":100,\"rotation\":90,"
    "\"fuel\":5,\"status\":1}],"
    "\"place_computers\":[{\"name\":\"PC\",\"x\":3,\"y\":3,\"security\":2}],"
    "\"place_item\":[{\"item\":\"rock\",\"x\":4,\"y\":4,\"amount\":2,\"charges\":3,\"damage\":"
    "1,"
    "\"repeat\":2}],"
    "\"place_items\":[{\"item\":\"heap\",\"x\":5,\"y\":5,\"chance\":100,\"ammo\":50,"
    "\"magazine\":50,\"repeat\":[1,3]}],"
    "\"place_loot\":[{\"group\":\"heap\",\"x\":6,\"y\":6,\"chance\":100,\"ammo\":1}],"
    "\"place_monsters\":[{\"monster\":\"GROUP_X\",\"x\":[0,9],\"y\":7,\"density\":2.5,"
    "\"chance\":1}],"
    "\"place_monster\":[{\"monster\":\"mon_x\",\"x\":8,\"y\":8,\"pack_size\":[1,2]}],"
    "\"place_corpses\":[{\"group\":\"GROUP_X\",\"x\":9,\"y\":9,\"age\":7}],"
    "\"place_toilets\":[{\"x\":1,\"y\":2,\"amount\":4}],"
    "\"place_gaspumps\":[{\"x\":1,\"y\":3,\"amount\":4}],"
    "\"place_liquids\":[{\"liquid\":\"water\",\"x\":1,\"y\":4,\"amount\":4,\"chance\":1}],"
    "\"place_signs\":[{\"signage\":\"<city>\",\"x\":1,\"y\":5}],"
    "\"place_zones\":[{\"type\":\"z\",\"faction\":\"f\",\"x\":[1,30],\"y\":[2,3]}],"
    "\"place_traps\":[{\"trap\":\"tr_x\",\"x\":1,\"y\":6}],"
    "\"place_rubble\":[{\"x\":1,\"y\":7}],"
    "\"set\":[{\"point\":\"radiation\",\"x\":5,\"y\":5,\"amount\":7},"
    "{\"square\":\"terrain\",\"id\":\"t_dirt\",\"x\":2,\"y\":2,\"x2\":9,\"y2\":9}]}},"
    "{\"type\":\"item_group\",\"id\":\"heap\",\"subtype\":\"collection\",\"entries\":["
    "{\"item\":\"rock\",\"count\":2,\"charges\":3,\"damage\":1,\"prob\":100},"
    "{\"item\":\"grain\",\"charges-min\":1,\"dirt\":2}]},"
    "{\"type\":\"COMESTIBLE\",\"id\":\"grain\",\"charges\":10,\"stack_size\":5,"
    "\"volume\":\"250 ml\"},"
    "{\"type\":\"vehicle_placement\",\"id\":\"lane\",\"locations\":[{\"x\":3,\"y\":3,"
    "\"facing\":90}]},"
    "{\"type\":\"vehicle_spawn\",\"id\":\"default_country\",\"spawn_types\":[{\"weight\":1,"
    "\"vehicle_json\":{\"vehicle\":\"car\",\"placement\":\"lane\",\"fuel\":-1,\"status\":1,"
    "\"number\":1}}]}]";

/* ---- what inputs choose of ---- */

/* Behind the value that begins here: brackets are matched, strings passed over. */
static const char *behind(const char *at, const char *end)
{
    int depth = 0;
    for (bool in_string = false; at < end; at++) {
        if (in_string && *at == '\\' && at + 1 < end)
            at++;
        else if (*at == '"')
            in_string = !in_string;
        else if (!in_string && (*at == '{' || *at == '['))
            depth++;
        else if (!in_string && (*at == '}' || *at == ']'))
            depth--;
        const bool closes = *at == '"' || *at == '}' || *at == ']';
        if (!in_string && depth == 0 && closes)
            return at + 1;
    }
    return end;
}

/* The objects of a file's list. */
static void add_objects(const char *text, size_t size)
{
    const char *at = memchr(text, '[', size), *end = text + size;
    while (at && object_count < OBJECTS_MAX) {
        at = memchr(at, '{', (size_t)(end - at));
        if (!at)
            break;
        const char *next = behind(at, end);
        objects[object_count++] = (span){at, (size_t)(next - at)};
        at = next;
    }
}

static int is_json(const struct dirent *d)
{
    const size_t size = strlen(d->d_name);
    return size > 5 && strcmp(d->d_name + size - 5, ".json") == 0;
}

static void set_up(void)
{
    struct dirent **list;
    char path[2 * FUZZ_PATH_SIZE];
    add_objects(kinds, sizeof kinds - 1);
    const int count = scandir(FUZZ_MAPGEN, &list, is_json, alphasort);
    for (int i = 0; i < count; i++) {
        size_t size;
        snprintf(path, sizeof path, "%s/%s", FUZZ_MAPGEN, list[i]->d_name);
        const char *text = (const char *)fuzz_read_file(path, &size);
        fuzz_check(text != NULL, "a file of mapgen can be read", path);
        add_objects(text, size); /* the text stays for as long as the process does */
        free(list[i]);
    }
    fuzz_check(count > 0, "there are files of mapgen", FUZZ_MAPGEN);
    free(list);
    fuzz_path(root, "grown");
    mkdir(root, 0700);
}

/* ---- changing ---- */

static const char *const numbers[] = {
    "-5",  "-1",          "0",          "1",           "2",          "3",      "100",  "101",
    "255", "-2147483648", "2147483647", "-2147483649", "2147483648", "[-5,5]", "1e99", "0.5"};
static const char *const names[] = {"age",     "fuel",    "security",  "status",   "intensity",
                                    "amount",  "charges", "damage",    "ammo",     "magazine",
                                    "density", "chance",  "pack_size", "rotation", "z",
                                    "x",       "y",       "x2",        "y2",       "count"};

static bool starts_number(const char *text, size_t at)
{
    const char before = at > 0 ? text[at - 1] : ' ';
    const bool digit = (text[at] >= '0' && text[at] <= '9') || text[at] == '-';
    return digit && (before == ' ' || before == ':' || before == '[' || before == ',');
}

/* The place of the n-th number, or opening brace, going round; SIZE_MAX: there is none. */
static size_t find_nth(const bytes *b, unsigned n, bool number)
{
    const char *text = (const char *)b->data;
    size_t count = 0;
    for (size_t i = 0; i < b->size; i++)
        count += number ? starts_number(text, i) : text[i] == '{';
    for (size_t i = 0, left = count ? n % count + 1 : 0; i < b->size && left > 0; i++) {
        left -= number ? starts_number(text, i) : text[i] == '{';
        if (left == 0)
            return i;
    }
    return SIZE_MAX;
}

/* Puts a text in the place of `gone` bytes. */
static void splice(bytes *b, size_t at, size_t gone, const char *text)
{
    bytes out;
    bytes_init(&out);
    bytes_put(&out, b->data, at);
    bytes_put_text(&out, text);
    bytes_put(&out, b->data + at + gone, b->size - at - gone);
    bytes_dispose(b);
    *b = out;
}

static void change_number(bytes *b, unsigned where, unsigned what)
{
    const size_t at = find_nth(b, where, true);
    size_t end = at;
    while (at != SIZE_MAX && end < b->size && b->data[end] &&
           strchr("-+.eE0123456789", b->data[end]))
        end++;
    if (at != SIZE_MAX)
        splice(b, at, end - at, numbers[what % (sizeof numbers / sizeof *numbers)]);
}

static void add_member(bytes *b, unsigned where, unsigned what)
{
    char text[80];
    const size_t at = find_nth(b, where, false);
    if (at == SIZE_MAX)
        return;
    snprintf(text, sizeof text, "\"%s\":%s,", names[what % (sizeof names / sizeof *names)],
             numbers[what / 16 % (sizeof numbers / sizeof *numbers)]);
    splice(b, at + 1, 0, text);
}

/* Registers an object of om_terrain under another member. */
static void put_as(bytes *out, span object, const char *member)
{
    static const char key[] = "\"om_terrain\"";
    for (size_t i = 0; i + sizeof key < object.size; i++) {
        if (memcmp(object.at + i, key, sizeof key - 1) != 0)
            continue;
        const char *end = object.at + object.size;
        const char *value = memchr(object.at + i, ':', object.size - i);
        if (!value)
            break;
        bytes_put(out, object.at, i);
        bytes_put_text(out, member);
        value = behind(value + 1, end);
        bytes_put(out, value, (size_t)(end - value));
        return;
    }
    bytes_put(out, object.at, object.size);
}

static void put_chosen(bytes *out, fuzz_input *in)
{
    bytes b;
    const span object = objects[fuzz_u16(in) % object_count];
    bytes_init(&b);
    put_as(&b, object, "\"om_terrain\":[\"field\",\"forest\",\"road\"]");
    for (unsigned left = fuzz_u8(in) % CHANGES_MAX; left > 0; left--) {
        const unsigned where = fuzz_u16(in), what = fuzz_u16(in);
        (what & 1 ? add_member : change_number)(&b, where, what >> 1);
    }
    bytes_put(out, b.data, b.size);
    bytes_put_text(out, ",\n");
    const span grown = {(const char *)b.data, b.size};
    put_as(out, grown, "\"update_mapgen_id\":\"u\"");
    bytes_dispose(&b);
}

static void write_content(fuzz_input *in)
{
    char path[FUZZ_PATH_SIZE + 16];
    bytes text;
    bytes_init(&text);
    bytes_put_text(&text, "[");
    for (unsigned left = fuzz_u8(in) % CHOSEN_MAX + 1; left > 0; left--) {
        put_chosen(&text, in);
        bytes_put_text(&text, left > 1 ? ",\n" : "]");
    }
    fuzz_check(!text.failed, "memory", NULL);
    snprintf(path, sizeof path, "%s/a.json", root);
    fuzz_write_file(path, text.data, text.size);
    bytes_dispose(&text);
}

/* ---- what is promised ---- */

/* Content may ask for what is not made; nothing else may go wrong. */
static bool made(ptl_status status, const ptl_error *err)
{
    fuzz_check(status == PTL_OK || status == PTL_ERR_CONTENT || status == PTL_ERR_LIMIT ||
                   status == PTL_ERR_NOT_FOUND,
               "a map is made, or the content refused", err->message);
    return status == PTL_OK;
}

static void visit(ptl_world *world, ptl_omt at)
{
    ptl_error err = {0};
    ptl_local_map *map = NULL, *again = NULL;
    if (made(ptl_local_get(&map, world, at, NULL, &err), &err)) {
        err = (ptl_error){0};
        made(ptl_local_update_run(world, map, "u", &err), &err);
        err = (ptl_error){0};
        fuzz_check(ptl_local_load(&again, world, at, &err) == PTL_OK, "what was stored is read",
                   err.message);
    }
    ptl_local_free(map);
    ptl_local_free(again);
}

static void use(ptl_store *store)
{
    ptl_error err = {0};
    ptl_world *world = NULL;
    ptl_world_options options = PTL_WORLD_OPTIONS_INIT;
    ptl_verify_counts counts = PTL_VERIFY_COUNTS_INIT;
    options.city_size = 2;
    fuzz_check(ptl_world_create(store, "w", &options, &err) == PTL_OK, "a world", err.message);
    fuzz_check(ptl_world_open(&world, store, "w", NULL, &err) == PTL_OK, "it opens",
               err.message);
    for (int32_t i = 0; i < 3; i++)
        visit(world, (ptl_omt){60 + 30 * i, 90, 0});
    ptl_world_close(world);
    const ptl_status status = ptl_verify(&counts, store, NULL, NULL, &err);
    fuzz_check(status == PTL_OK && counts.problems == 0,
               "a file that only Portolan wrote verifies, whatever the content", err.message);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input in = {data, data + size};
    ptl_error err = {0};
    ptl_store *store = NULL;
    const ptl_open_options open = {.size = sizeof open, .mode = PTL_OPEN_CREATE};
    if (object_count == 0)
        set_up();
    write_content(&in);
    const char *const directories[] = {FUZZ_CONTENT, root};
    const ptl_import_options import = {.size = sizeof import,
                                       .directories = directories,
                                       .directory_count = 2,
                                       .lenient = true};
    fuzz_check(ptl_store_open(&store, ":memory:", &open, &err) == PTL_OK, "a store",
               err.message);
    if (ptl_import(NULL, store, &import, &err) == PTL_OK)
        use(store);
    ptl_store_close(store);
    return 0;
}
