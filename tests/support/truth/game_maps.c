#include "support/truth/game_maps.h"

#include "codec/compress.h"
#include "core/bytes.h"
#include "support/content_catalogue.h"
#include "support/test_folder.h"
#include "json/reader.h"
#include "json/view.h"

#include <check.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH = 1024, CHUNK = 180 };

typedef struct reading {
    game_maps *out;
    id_pool *pool;
    json_reader *json;
    bytes text;
    uint32_t *terrain, *furniture; /* owned; ids of the file's numbers */
    size_t terrain_count, furniture_count;
    uint32_t *of_kind[GAME_THINGS]; /* owned; likewise, of things */
    size_t kind_count[GAME_THINGS];
    size_t room; /* of things */
} reading;

/* ---- the file ---- */

const truth_game truth_0F = {"DDA 0.F", CONTENT_GAME, NULL, "dda-0F-maps", 10530909, false};
const truth_game truth_0I = {"DDA 0.I", NULL, "dda-0I", "dda-0I-maps", 3201812, true};

/* Returns what a file holds, with a NUL behind it; the caller frees it. */
static char *whole_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    ck_assert_ptr_nonnull(file);
    ck_assert(fseek(file, 0, SEEK_END) == 0);
    const long length = ftell(file);
    ck_assert(length > 0 && fseek(file, 0, SEEK_SET) == 0);
    *size = (size_t)length;
    char *data = calloc(*size + 1, 1);
    ck_assert(data && fread(data, 1, *size, file) == *size);
    fclose(file);
    return data;
}

static void unpack_file(const char *path, size_t size, bytes *out)
{
    size_t packed_size;
    char *packed = whole_file(path, &packed_size);
    compressor *c = compressor_new();
    ck_assert_ptr_nonnull(c);
    ck_assert(decompressor_run(c, out, packed, packed_size, size, NULL) == PTL_OK);
    bytes_put_u8(out, 0); /* a NUL must follow */
    ck_assert(!out->failed);
    compressor_free(c);
    free(packed);
}

/* ---- its lines ---- */

static int64_t whole(json_view v)
{
    int64_t value = 0;
    if (!json_view_integer(v, &value)) /* an assertion costs a write */
        ck_abort_msg("no integer");
    return value;
}

static uint32_t id_of(reading *r, json_view v)
{
    size_t length = 0;
    const char *text = json_view_text(v, &r->text, &length);
    ck_assert_ptr_nonnull(text);
    return id_pool_put(r->pool, text, length);
}

/* A table of ids; number 0 is nothing. */
static uint32_t *table(reading *r, json_view v, size_t *count)
{
    *count = json_view_count(v);
    uint32_t *ids = calloc(*count + 1, sizeof *ids);
    ck_assert_ptr_nonnull(ids);
    for (json_walk w = json_walk_of(v); json_walk_next(&w);)
        ids[w.index] = w.index > 0 ? id_of(r, w.value) : ID_NONE;
    return ids;
}

/* Runs of number and length. */
static void cells(uint32_t *out, json_view v, const uint32_t *ids, size_t count)
{
    size_t at = 0;
    for (json_walk w = json_walk_of(v); json_walk_next(&w);) {
        const int64_t number = whole(w.value);
        const int64_t length = json_walk_next(&w) ? whole(w.value) : 0;
        if (number < 0 || (size_t)number >= count || length <= 0)
            ck_abort_msg("a run is wrong");
        for (int64_t i = 0; i < length && at < LOCAL_CELLS; i++)
            out[at++] = ids[number];
    }
    if (at != LOCAL_CELLS && at != 0)
        ck_abort_msg("a map is not whole");
}

static int64_t element(json_view list, size_t index)
{
    for (json_walk w = json_walk_of(list); json_walk_next(&w);)
        if (w.index == index)
            return whole(w.value);
    ck_abort_msg("too short a list");
    return 0;
}

static void add_thing(reading *r, game_thing_kind kind, int64_t number, int64_t count)
{
    game_maps *maps = r->out;
    if (number < 0 || (size_t)number >= r->kind_count[kind])
        ck_abort_msg("a thing has no id");
    if (maps->thing_count == r->room) {
        r->room = r->room ? 2 * r->room : 1024;
        maps->things = realloc(maps->things, r->room * sizeof *maps->things);
        ck_assert_ptr_nonnull(maps->things);
    }
    maps->things[maps->thing_count++] =
        (game_thing){kind, r->of_kind[kind][number], (int32_t)count};
}

/* Items inside one: [item, count, charges (, contents)]. */
static void read_contents(reading *r, json_view list, int64_t times)
{
    for (json_walk w = json_walk_of(list); json_walk_next(&w);) {
        const int64_t count = times * element(w.value, 1);
        add_thing(r, GAME_ITEM, element(w.value, 0), count);
        json_walk inner = json_walk_of(w.value);
        while (json_walk_next(&inner))
            if (inner.index == 3)
                read_contents(r, inner.value, count);
    }
}

static void read_things(reading *r, json_view v)
{
    static const struct {
        const char *member;
        game_thing_kind kind;
        bool counted;
    } members[] = {{"items", GAME_ITEM, true},
                   {"mon", GAME_MONSTER, true},
                   {"spawns", GAME_MONSTER, true},
                   {"veh", GAME_VEHICLE, false},
                   {"fields", GAME_FIELD, false}};
    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
        const game_thing_kind kind = members[i].kind;
        for (json_walk w = json_walk_of(json_view_get(v, members[i].member));
             json_walk_next(&w);) {
            const int64_t count = members[i].counted ? element(w.value, 3) : 1;
            add_thing(r, kind, element(w.value, 2), count);
            json_walk inner = json_walk_of(w.value);
            while (kind == GAME_ITEM && json_walk_next(&inner))
                if (inner.index == 5)
                    read_contents(r, inner.value, count);
        }
    }
}

static void read_map(reading *r, json_view v)
{
    game_map *m = &r->out->items[r->out->count++];
    const json_view om = json_view_get(v, "om"), omt = json_view_get(v, "omt");
    m->oter = id_of(r, json_view_get(v, "oter"));
    m->x = element(om, 0) * CHUNK + element(omt, 0);
    m->y = element(om, 1) * CHUNK + element(omt, 1);
    m->z = (int32_t)element(omt, 2);
    cells(m->terrain, json_view_get(v, "ter"), r->terrain, r->terrain_count);
    cells(m->furniture, json_view_get(v, "furn"), r->furniture, r->furniture_count);
    m->first = r->out->thing_count;
    read_things(r, v);
    m->thing_count = r->out->thing_count - m->first;
}

static void read_head(reading *r, json_view v)
{
    const json_view tables = json_view_get(v, "tables");
    const int64_t maps = whole(json_view_get(v, "maps"));
    ck_assert(maps > 0 && maps < 1000000);
    r->terrain = table(r, json_view_get(tables, "ter"), &r->terrain_count);
    r->furniture = table(r, json_view_get(tables, "furn"), &r->furniture_count);
    static const char *const kinds[GAME_THINGS] = {"item", "mon", "veh", "field"};
    for (int i = 0; i < GAME_THINGS; i++)
        r->of_kind[i] = table(r, json_view_get(tables, kinds[i]), &r->kind_count[i]);
    r->out->items = calloc((size_t)maps, sizeof *r->out->items);
    ck_assert_ptr_nonnull(r->out->items);
}

static int by_place(const void *a, const void *b)
{
    const game_map *m = a, *n = b;
    if (m->x != n->x)
        return m->x < n->x ? -1 : 1;
    if (m->y != n->y)
        return m->y < n->y ? -1 : 1;
    return (m->z > n->z) - (m->z < n->z);
}

/* ---- the overmaps ---- */

/* Each place of `predecessors`: [[x, y, z], [oldest, ..., youngest]]. */
static void read_predecessors(reading *r, json_view list, int64_t x, int64_t y)
{
    for (json_walk w = json_walk_of(list); json_walk_next(&w);) {
        json_walk pair = json_walk_of(w.value);
        ck_assert(json_walk_next(&pair));
        const json_view at = pair.value;
        const game_map *there =
            game_maps_at(r->out, x * CHUNK + element(at, 0), y * CHUNK + element(at, 1),
                         (int32_t)element(at, 2));
        game_map *m = there ? &r->out->items[there - r->out->items] : NULL;
        ck_assert(json_walk_next(&pair));
        for (json_walk one = json_walk_of(pair.value); m && json_walk_next(&one);)
            m->before = id_of(r, one.value);
    }
}

/* The level z = 0: runs of an id and a count. */
static void read_level(reading *r, json_view layers, int64_t x, int64_t y)
{
    enum { GROUND = 10, CELLS = CHUNK * CHUNK };
    game_maps *maps = r->out;
    maps->overmaps =
        realloc(maps->overmaps, (maps->overmap_count + 1) * sizeof *maps->overmaps);
    ck_assert_ptr_nonnull(maps->overmaps);
    game_overmap *o = &maps->overmaps[maps->overmap_count++];
    *o = (game_overmap){x, y, calloc(CELLS, sizeof *o->oters)};
    ck_assert_ptr_nonnull(o->oters);
    size_t at = 0;
    for (json_walk w = json_walk_of(layers); json_walk_next(&w);)
        for (json_walk k = json_walk_of(w.value); w.index == GROUND && json_walk_next(&k);) {
            json_walk pair = json_walk_of(k.value);
            ck_assert(json_walk_next(&pair));
            const uint32_t id = id_of(r, pair.value);
            for (int64_t n = element(k.value, 1); n > 0 && at < CELLS; n--)
                o->oters[at++] = id;
        }
    ck_assert(at == CELLS);
}

static void read_overmap(reading *r, const char *path, const char *name)
{
    int x, y;
    ck_assert_int_eq(sscanf(name, "o.%d.%d", &x, &y), 2);
    size_t size;
    char *text = whole_file(path, &size);
    const char *json = strchr(text, '\n'); /* after the line of the version */
    ck_assert_ptr_nonnull(json);
    ck_assert(json_reader_whole(r->json, json, size - (size_t)(json - text), NULL));
    const json_document document = json_reader_document(r->json);
    read_predecessors(r, json_view_get(json_view_of(&document), "predecessors"), x, y);
    read_level(r, json_view_get(json_view_of(&document), "layers"), x, y);
    free(text);
}

static void read_overmaps(reading *r, const char *name)
{
    char inner[PATH / 2], archive[PATH], folder[PATH], command[3 * PATH];
    snprintf(inner, sizeof inner, "../reference/%s/overmaps.tar.zst", name);
    content_shared(archive, sizeof archive, inner);
    test_folder(folder, sizeof folder);
    snprintf(command, sizeof command, "tar -I 'zstd -d --long=27' -xf '%s' -C '%s'", archive,
             folder);
    ck_assert_int_eq(system(command), 0);
    DIR *entries = opendir(folder);
    ck_assert_ptr_nonnull(entries);
    for (struct dirent *e; (e = readdir(entries)) != NULL;) {
        snprintf(command, sizeof command, "%s/%s", folder, e->d_name);
        if (strncmp(e->d_name, "o.", 2) == 0)
            read_overmap(r, command, e->d_name);
    }
    closedir(entries);
    test_folder_remove(folder);
}

bool game_maps_read(game_maps *out, id_pool *pool, const truth_game *game)
{
    char path[PATH], inner[PATH / 2];
    snprintf(inner, sizeof inner, "../reference/%s/maps-a.jsonl.zst", game->maps);
    content_shared(path, sizeof path, inner);
    if (!content_present(path))
        return false;
    bytes text;
    bytes_init(&text);
    unpack_file(path, game->maps_size, &text);
    *out = (game_maps){0};
    reading r = {.out = out, .pool = pool, .json = json_reader_new((stop_hook){NULL, NULL})};
    ck_assert_ptr_nonnull(r.json);
    bytes_init(&r.text);
    for (char *line = (char *)text.data, *end; (end = strchr(line, '\n')) != NULL;
         line = end + 1) {
        *end = '\0';
        ck_assert(json_reader_whole(r.json, line, (size_t)(end - line), NULL));
        const json_document document = json_reader_document(r.json);
        (out->items ? read_map : read_head)(&r, json_view_of(&document));
    }
    ck_assert_ptr_nonnull(out->items);
    qsort(out->items, out->count, sizeof *out->items, by_place);
    if (game->has_overmaps)
        read_overmaps(&r, game->maps);
    json_reader_free(r.json);
    bytes_dispose(&r.text);
    free(r.terrain);
    free(r.furniture);
    for (int i = 0; i < GAME_THINGS; i++)
        free(r.of_kind[i]);
    bytes_dispose(&text);
    return true;
}

void game_maps_free(game_maps *maps)
{
    for (size_t i = 0; i < maps->overmap_count; i++)
        free(maps->overmaps[i].oters);
    free(maps->overmaps);
    free(maps->items);
    free(maps->things);
}

const game_map *game_maps_at(const game_maps *maps, int64_t x, int64_t y, int32_t z)
{
    const game_map key = {.x = x, .y = y, .z = z};
    return maps->count ? bsearch(&key, maps->items, maps->count, sizeof key, by_place) : NULL;
}

static int64_t floor_div(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

uint32_t game_maps_oter(const game_maps *maps, int64_t x, int64_t y, int32_t z)
{
    const game_map *m = game_maps_at(maps, x, y, z);
    const int64_t column = floor_div(x, CHUNK), row = floor_div(y, CHUNK);
    if (m || z != 0)
        return m ? m->oter : ID_NONE;
    for (size_t i = 0; i < maps->overmap_count; i++)
        if (maps->overmaps[i].x == column && maps->overmaps[i].y == row)
            return maps->overmaps[i].oters[(y - row * CHUNK) * CHUNK + x - column * CHUNK];
    return ID_NONE;
}
