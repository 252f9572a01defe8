/*
 * Plants: mangroves around the middle of patches of shallow water, and plants behind rocks,
 * sheltered from the wind. Both stand in clusters: a large one and some small ones beside it.
 */
#include "core/error.h"
#include "shoals/shoals.h"

#include <stdlib.h>

enum {
    PLANTS_MAX = 180,
    MARGIN = 6,
    TRIES = 5, /* to find a place for a plant */
    LARGE_LOW = 10,
    LARGE_HIGH = 17,
    LARGE_RADIUS_LOW = 3,
    LARGE_RADIUS_HIGH = 9,
    SMALL_MAX = 4, /* small clusters; a draw of -1 counts as none */
    SMALL_DISTANCE_LOW = 2,
    SMALL_DISTANCE_HIGH = 12,
    SMALL_LOW = 5,
    SMALL_HIGH = 12,
    SMALL_RADIUS_LOW = 2,
    SMALL_RADIUS_HIGH = 7,
    MANGROVES_MAX = 6,
    SHELTERS_MIN = -2,
    SHELTERS_MAX = 2,
    PATCH_ENOUGH = 6,
    PATCH_MAX = 9,
    PATCH_TRIES = 20,
    /* The length of the wind's vector, in WIND_CELLths of a cell: half a cell in each step. */
    WIND_LENGTH = 32,
    WIND_CELL = 64
};

typedef struct planting {
    shoals *s;
    uint8_t *plants;
    uint8_t *windy;             /* 1 where the wind blows; NULL: not computed yet */
    ptl_shoals_ground favoured; /* of the present cluster */
    int32_t count;
} planting;

static ptl_shoals_ground ground_at(const shoals *s, offset at)
{
    return ptl_shoals_ground_of(s->options, *shoals_at(s, at));
}

static int64_t cell_of(const shoals *s, offset at)
{
    return (int64_t)at.y * s->width + at.x;
}

/* ---- clusters ---- */

static bool may_stand(const planting *p, offset at)
{
    const shoals *s = p->s;
    const ptl_shoals_ground ground = ground_at(s, at);
    return at.x >= MARGIN && at.y >= MARGIN && at.x < s->width - MARGIN &&
           at.y < s->height - MARGIN && !p->plants[cell_of(s, at)] &&
           (ground == PTL_SHOALS_FLOOR || ground == PTL_SHOALS_SHALLOW) &&
           !(p->windy && p->windy[cell_of(s, at)]);
}

/* Plants up to `count` plants. A place on ground that is not favoured is refused with a chance
 * of one in two. */
static void plant_cluster(planting *p, offset center, int32_t count, int32_t radius)
{
    for (; count > 0; count--)
        for (int32_t i = 0; i < TRIES && p->count < PLANTS_MAX; i++) {
            offset at;
            const int32_t distance = random_below(&p->s->random, radius + 1);
            if (!shoals_point_near(p->s, center, distance, &at) || !may_stand(p, at) ||
                (ground_at(p->s, at) != p->favoured && random_below(&p->s->random, 2) == 0))
                continue;
            p->plants[cell_of(p->s, at)] = 1;
            p->count++;
            break;
        }
}

static void plant_around(planting *p, offset center)
{
    glibc_random *r = &p->s->random;
    int32_t count = random_middling(r, LARGE_LOW, LARGE_HIGH);
    plant_cluster(p, center, count, random_between(r, LARGE_RADIUS_LOW, LARGE_RADIUS_HIGH));
    for (int32_t left = random_middling(r, -1, SMALL_MAX); left > 0; left--) {
        offset beside;
        const int32_t distance = random_between(r, SMALL_DISTANCE_LOW, SMALL_DISTANCE_HIGH);
        const bool found = shoals_point_near(p->s, center, distance, &beside);
        count = random_middling(r, SMALL_LOW, SMALL_HIGH);
        const int32_t radius = random_between(r, SMALL_RADIUS_LOW, SMALL_RADIUS_HIGH);
        if (found)
            plant_cluster(p, beside, count, radius);
    }
}

/* ---- places for the middle of a cluster ---- */

typedef bool (*cell_test)(const planting *p, offset at);

static bool is_shallow(const planting *p, offset at)
{
    return ground_at(p->s, at) == PTL_SHOALS_SHALLOW;
}

static bool is_sheltered(const planting *p, offset at)
{
    if (ground_at(p->s, at) != PTL_SHOALS_FLOOR || p->windy[cell_of(p->s, at)])
        return false;
    for (int32_t dy = -1; dy <= 1; dy++)
        for (int32_t dx = -1; dx <= 1; dx++) {
            const offset near = {at.x + dx, at.y + dy};
            if (shoals_holds(p->s, near) && ground_at(p->s, near) >= PTL_SHOALS_HIGH)
                return true;
        }
    return false;
}

static int32_t count_cells(const planting *p, cell_test test)
{
    int32_t count = 0;
    for (offset at = {0, 0}; at.y < p->s->height; at.y++)
        for (at.x = 0; at.x < p->s->width; at.x++)
            count += test(p, at);
    return count;
}

/* Draws one of the `count` cells that pass a test; false if there is none. */
static bool draw_passing(planting *p, cell_test test, int32_t count, offset *out)
{
    int32_t before = random_below(&p->s->random, count);
    for (offset at = {0, 0}; at.y < p->s->height && count > 0; at.y++)
        for (at.x = 0; at.x < p->s->width; at.x++)
            if (test(p, at) && before-- == 0) {
                *out = at;
                return true;
            }
    return false;
}

typedef struct patch {
    offset cells[PATCH_MAX];
    int32_t count;
} patch;

/* Collects the shallow cells that are connected to the first one, in the order in which
 * they are met. */
static void patch_grow(const planting *p, patch *a, offset first)
{
    a->cells[0] = first;
    a->count = 1;
    for (int32_t i = 0; i < a->count; i++)
        for (int32_t n = 0; n < 9 && a->count < PATCH_MAX; n++) {
            const offset at = {a->cells[i].x + n % 3 - 1, a->cells[i].y + n / 3 - 1};
            bool is_new = shoals_holds(p->s, at) && is_shallow(p, at);
            for (int32_t k = 0; is_new && k < a->count; k++)
                is_new = a->cells[k].x != at.x || a->cells[k].y != at.y;
            if (is_new)
                a->cells[a->count++] = at;
        }
}

/* Returns the cell nearest to the centre of mass; of several the first. */
static offset patch_middle(const patch *a)
{
    int64_t x = 0, y = 0, least = INT64_MAX;
    offset middle = a->cells[0];
    for (int32_t i = 0; i < a->count; i++) {
        x += a->cells[i].x;
        y += a->cells[i].y;
    }
    for (int32_t i = 0; i < a->count; i++) {
        const int64_t dx = (int64_t)a->count * a->cells[i].x - x;
        const int64_t dy = (int64_t)a->count * a->cells[i].y - y;
        if (dx * dx + dy * dy < least) {
            least = dx * dx + dy * dy;
            middle = a->cells[i];
        }
    }
    return middle;
}

/* ---- wind ---- */

/* Marks the cells along a ray from the edge, up to the first solid one. */
static void blow(planting *p, offset from, offset wind)
{
    int64_t x = (int64_t)from.x * WIND_CELL + WIND_CELL / 2;
    int64_t y = (int64_t)from.y * WIND_CELL + WIND_CELL / 2;
    while (x >= 0 && y >= 0) {
        const offset at = {(int32_t)(x / WIND_CELL), (int32_t)(y / WIND_CELL)};
        if (!shoals_holds(p->s, at) || ground_at(p->s, at) >= PTL_SHOALS_HIGH)
            return;
        p->windy[cell_of(p->s, at)] = 1;
        x += wind.x;
        y += wind.y;
    }
}

static ptl_status plant_shelters(planting *p, ptl_error *err)
{
    const size_t cells = (size_t)p->s->width * (size_t)p->s->height;
    p->windy = calloc(cells, 1);
    if (!p->windy)
        return error_nomem(err);
    p->favoured = PTL_SHOALS_FLOOR;
    const offset wind = offset_at(WIND_LENGTH, random_below(&p->s->random, DEGREES));
    const shoals *s = p->s;
    for (int32_t y = 0; y < s->height && wind.x != 0; y++)
        blow(p, (offset){wind.x > 0 ? 0 : s->width - 1, y}, wind);
    for (int32_t x = 0; x < s->width && wind.y != 0; x++)
        blow(p, (offset){x, wind.y > 0 ? 0 : s->height - 1}, wind);
    const int32_t sheltered = count_cells(p, is_sheltered);
    int32_t left = random_middling(&p->s->random, SHELTERS_MIN, SHELTERS_MAX);
    offset center;
    for (; left > 0 && draw_passing(p, is_sheltered, sheltered, &center); left--)
        plant_around(p, center);
    free(p->windy);
    p->windy = NULL;
    return PTL_OK;
}

ptl_status shoals_plant(shoals *s, uint8_t *plants, ptl_error *err)
{
    planting p = {.s = s, .plants = plants};
    const int32_t shallow = count_cells(&p, is_shallow);
    p.favoured = PTL_SHOALS_SHALLOW;
    for (int32_t left = random_middling(&p.s->random, -1, MANGROVES_MAX); left > 0; left--) {
        patch a = {.count = 0};
        offset first;
        for (int32_t i = 0; i < PATCH_TRIES && a.count < PATCH_ENOUGH; i++)
            if (draw_passing(&p, is_shallow, shallow, &first))
                patch_grow(&p, &a, first);
        if (a.count >= PATCH_ENOUGH)
            plant_around(&p, patch_middle(&a));
    }
    return plant_shelters(&p, err);
}
