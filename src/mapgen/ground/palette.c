/* Finds out what forests are made of: a few are made, and their tiles counted. */
#include "mapgen/ground/ground_impl.h"
#include "model/local_palette.h"

#include <stdlib.h>

enum {
    SAMPLES = 32,
    WEIGH_TERRAIN = 2000, /* about the sum of the weights of a plane */
    WEIGH_FURNITURE = 400
};

/* How many times an id was counted. */
typedef struct tally {
    uint32_t id, count;
} tally;

/* Lists the ids in the cells with their counts, in any order. counts must be zero, and is
 * zero again afterwards. */
static size_t list_tallies(tally *out, uint32_t *counts, const uint32_t *cells, size_t count)
{
    size_t found = 0;
    for (size_t i = 0; i < count; i++)
        counts[cells[i]]++;
    for (size_t i = 0; i < count; i++)
        if (counts[cells[i]] > 0) {
            if (cells[i] != ID_NONE)
                out[found++] = (tally){cells[i], counts[cells[i]]};
            counts[cells[i]] = 0;
        }
    return found;
}

/* The cells of all samples, for each plane. */
typedef struct samples {
    uint32_t cells[LOCAL_PALETTE_PLANES][SAMPLES * LOCAL_CELLS];
    tally tallies[SAMPLES * LOCAL_CELLS];
} samples;

static uint32_t put_palette(const samples *from, tally *list, uint32_t *counts, id_pool *pool)
{
    static const uint64_t wholes[] = {WEIGH_TERRAIN, WEIGH_FURNITURE};
    local_palette palette;
    bytes text = {0};
    for (size_t k = 0; k < LOCAL_PALETTE_PLANES; k++) {
        const size_t count =
            list_tallies(list, counts, from->cells[k], (size_t)SAMPLES * LOCAL_CELLS);
        /* Only the most frequent ids are sorted out and kept, the most frequent first. */
        local_palette_plane *out = &palette.planes[k];
        uint64_t all = 0;
        for (size_t i = 0; i < count; i++)
            all += list[i].count;
        out->count = 0;
        for (size_t i = 0; i < count && out->count < LOCAL_PALETTE_MAX; i++) {
            for (size_t j = i + 1; j < count; j++)
                /* The more frequent one comes first; of equally frequent ones the lesser text,
                 * as the order of numbers in a pool means nothing. */
                if (list[j].count != list[i].count
                        ? list[j].count > list[i].count
                        : strcmp(id_pool_text(pool, list[j].id),
                                 id_pool_text(pool, list[i].id)) < 0) {
                    const tally less = list[i];
                    list[i] = list[j];
                    list[j] = less;
                }
            if (strchr(id_pool_text(pool, list[i].id), '\n'))
                continue;
            out->ids[out->count] = list[i].id;
            const uint64_t share = list[i].count * wholes[k] / all;
            out->weights[out->count++] = share < LOCAL_PALETTE_WEIGHT_LEAST
                                             ? LOCAL_PALETTE_WEIGHT_LEAST
                                             : (uint16_t)share;
        }
    }
    local_palette_put(&text, &palette, pool);
    const uint32_t id =
        text.failed ? ID_NONE : id_pool_put(pool, (const char *)text.data, text.size);
    bytes_dispose(&text);
    return id;
}

uint32_t ground_palette(const ground_settings *settings, id_pool *pool, const char *type)
{
    const ground_site site = {.settings = settings, .pool = pool};
    const ground g = {.site = &site, .type = type};
    if (!ground_biome_of(&g, type))
        return ID_NONE;
    samples *s = malloc(sizeof *s);
    if (s) {
        ground_site sampled = {.settings = settings, .pool = pool};
        for (int i = 0; i < GROUND_AROUND; i++)
            sampled.around[i] = (ground_omt){.id = type, .type = type};
        /* Empty, so that no way leads there. */
        sampled.above = sampled.below = (ground_omt){.id = "", .type = ""};
        for (uint64_t i = 0; i < SAMPLES; i++) {
            local_map map;
            local_map_init(&map);
            sampled.key = hash_add(hash_string("palette"), i);
            (void)ground_make(&map, &sampled, type);
            memcpy(&s->cells[LOCAL_PALETTE_TERRAIN][i * LOCAL_CELLS], map.terrain,
                   sizeof map.terrain);
            memcpy(&s->cells[LOCAL_PALETTE_FURNITURE][i * LOCAL_CELLS], map.furniture,
                   sizeof map.furniture);
            local_map_dispose(&map);
        }
    }
    uint32_t *counts = calloc(id_pool_count(pool) + 1, sizeof *counts);
    const uint32_t id = s && counts ? put_palette(s, s->tallies, counts, pool) : ID_NONE;
    if (!s || !counts)
        id_pool_fail(pool);
    free(counts);
    free(s);
    return id;
}
