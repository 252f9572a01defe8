/*
 * Finds nearest cities block by block; a block is a rectangle of cells. Let d be the greatest
 * distance that a cell of the block has from one particular city. Then a city that is farther
 * than d from every cell of the block is nearest to none of them, and is left out. One or two
 * cities are left for most blocks.
 */
#include "core/cpu.h"
#include "core/masks.h"
#include "gen/cities/city_near_kernels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    KEY_SHIFT = NEAR_KEY_SHIFT,
    /* The number of blocks (rectangles of cells) side by side from west to east. */
    ACROSS = 64 * SITE_WORDS / NEAR_WIDTH,
    PART = 3, /* blocks along each side of a part: the chunk is divided into larger parts, of
               * PART x PART blocks */
    PARTS_ACROSS = ACROSS / PART
};

const near_kernels *near_kernels_best(void)
{
    return CPU_IF(CPU_AVX2, &near_kernels_avx2, &near_kernels_base);
}

/* Returns the bits, in one of the three words of a row, of the cells before column x. Word w
 * holds the columns from 64 * w on. */
static inline uint64_t below(int32_t x, int32_t word)
{
    const int32_t bits = x - 64 * word;
    return bits <= 0 ? 0 : bits >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << bits) - 1;
}

void near_fill(uint64_t *row, int32_t x0, int32_t x1)
{
    if (x0 >= x1)
        return;
    const uint64_t left = ~UINT64_C(0) << x0 % 64, right = ~UINT64_C(0) >> (63 - (x1 - 1) % 64);
    const int32_t first = x0 / 64, last = (x1 - 1) / 64;
    if (first == last) {
        row[first] |= left & right;
        return;
    }
    row[first] |= left;
    row[last] |= right;
    if (last - first == 2)
        row[1] = ~UINT64_C(0);
}

void near_wipe(uint64_t *row, int32_t x0, int32_t x1)
{
    for (int32_t w = 0; w < SITE_WORDS; w++)
        row[w] &= ~(below(x1, w) & ~below(x0, w));
}

bool near_any(const uint64_t *row, int32_t x0, int32_t x1)
{
    uint64_t any = 0;
    for (int32_t w = 0; w < SITE_WORDS; w++)
        any |= row[w] & below(x1, w) & ~below(x0, w);
    return any != 0;
}

bool near_in_row(const near_city *city, int32_t y, int32_t distance, int32_t *x0, int32_t *x1)
{
    const int32_t radius = distance + city->size + 1, dy = y - city->y;
    const int32_t square = radius * radius - 1 - dy * dy;
    if (distance < 0 || square < 0)
        return false;
    const int32_t half = (int32_t)sqrtf((float)square);
    *x0 = clamp(city->x - half, 0, SIZE);
    *x1 = clamp(city->x + half + 1, 0, SIZE);
    return *x0 < *x1;
}

/* ---- the nearest of all ---- */

static void add_pick(near_pick *p, float x, float y, int32_t size, int32_t city)
{
    p->x[p->count] = x;
    p->y[p->count] = y;
    p->size[p->count] = size;
    p->city[p->count++] = city;
}

/* Copies to `out` the cities of `in` that may be the nearest of some cell of the block. `out`
 * may be `in`. */
static void prune(near_field *f, near_pick *out, const near_pick *in, near_block b)
{
    const int32_t count = in->count;
    int32_t best = ((f->reach + 1) << KEY_SHIFT) - 1;
    near_kernels_best()->bounds(f->least, f->greatest, in, &b);
    for (int32_t i = 0; i < count; i++)
        best = f->greatest[i] < best ? f->greatest[i] : best;
    out->count = 0;
    for (int32_t i = 0; i < count; i++)
        if (f->least[i] <= best)
            add_pick(out, in->x[i], in->y[i], in->size[i], in->city[i]);
}

/* The chunk is divided into parts of 3 x 3 blocks. Returns, for the part that holds the block,
 * the cities that may be the nearest city of any of its cells. */
static const near_pick *part_of(near_field *f, int32_t block)
{
    const int32_t x = block % ACROSS / PART, y = block / ACROSS / PART;
    const int32_t part = y * PARTS_ACROSS + x;
    const near_block b = {x * PART * NEAR_WIDTH, y * PART * NEAR_HEIGHT, PART * NEAR_WIDTH,
                          PART * NEAR_HEIGHT};
    if (!f->chosen[part])
        prune(f, &f->large[part], &f->all, b);
    f->chosen[part] = true;
    return &f->large[part];
}

int32_t near_one(near_field *f, int32_t x, int32_t y)
{
    const near_pick *of = part_of(f, y / NEAR_HEIGHT * ACROSS + x / NEAR_WIDTH);
    int32_t best = (f->reach + 1) << KEY_SHIFT, nearest = NEAR_NONE;
    for (int32_t i = 0; i < of->count; i++) {
        const int32_t dx = x - (int32_t)of->x[i], dy = y - (int32_t)of->y[i];
        const int32_t radius = (best >> KEY_SHIFT) + of->size[i] + 1;
        if (dx * dx + dy * dy >= radius * radius)
            continue; /* this city is farther than the best one so far: the squares tell that
                       * without a square root */
        /* The city with the least key is the nearest: a key has the cell's distance from the
         * city's edge, then that from its centre. */
        const int32_t square = dx * dx + dy * dy;
        const int32_t distance = (int32_t)sqrtf((float)square) - of->size[i];
        const int32_t key = (distance < 0 ? 0 : distance) << KEY_SHIFT | square;
        if (key < best) {
            best = key;
            nearest = of->city[i];
        }
    }
    return nearest;
}

bool near_seems_met(near_field *f, const near_city *city, int32_t number,
                    const site_bits *cells, int32_t aside)
{
    for (int way = 0; way < 5; way++) {
        const int32_t x = city->x + (way == 1 ? aside : way == 2 ? -aside : 0);
        const int32_t y = city->y + (way == 3 ? aside : way == 4 ? -aside : 0);
        if (inside(x, y) && site_has(cells, x, y) && near_one(f, x, y) == number)
            return true;
    }
    return false;
}

/* The chunk is cut into blocks of cells. Fills f->some with the cities that may be the nearest
 * one for some cell of this block, and returns the block's rectangle. */
static near_block choose(near_field *f, int32_t block)
{
    const near_block b = {block % ACROSS * NEAR_WIDTH, block / ACROSS * NEAR_HEIGHT, NEAR_WIDTH,
                          NEAR_HEIGHT};
    prune(f, &f->some, part_of(f, block), b);
    return b;
}

static bool is_in(const near_pick *pick, int32_t number)
{
    bool found = false;
    for (int32_t i = 0; i < pick->count; i++)
        found |= pick->city[i] == number;
    return found;
}

static void fill_block(near_field *f, near_block b)
{
    const int32_t block = b.y / NEAR_HEIGHT * ACROSS + b.x / NEAR_WIDTH;
    near_kernels_best()->nearest(f->city[block], &f->some, b.x, b.y,
                                 (f->reach + 1) << KEY_SHIFT);
    f->known[block] = true;
}

/* Returns an empty selection of cities with room for `room` of them. All selections lie one
 * behind the other in the memory of the near_field; `at` is the number of the new one. */
static near_pick cut_pick(near_field *f, size_t at, size_t room)
{
    float *floats = f->floats + 2 * at * room;
    int32_t *numbers = f->numbers + 2 * at * room;
    return (near_pick){floats, floats + room, numbers, numbers + room, 0};
}

bool near_field_begin(near_field *f, const near_cities *of, int32_t reach)
{
    const size_t room = (size_t)of->count + 1;
    enum { PICKS = 2 + NEAR_LARGE };
    if (f->room < room) {
        free(f->floats);
        free(f->numbers);
        f->floats = malloc(2 * PICKS * room * sizeof *f->floats);
        f->numbers = malloc((2 * PICKS + 2) * room * sizeof *f->numbers);
        f->room = f->floats && f->numbers ? room : 0;
    }
    if (f->room == 0)
        return false;
    f->all = cut_pick(f, 0, f->room);
    f->some = cut_pick(f, 1, f->room);
    for (size_t i = 0; i < NEAR_LARGE; i++)
        f->large[i] = cut_pick(f, 2 + i, f->room);
    f->least = f->numbers + 2 * PICKS * f->room;
    f->greatest = f->least + f->room;
    f->reach = reach;
    memset(f->known, 0, sizeof f->known);
    memset(f->chosen, 0, sizeof f->chosen);
    for (int32_t i = 0; i < of->count; i++) {
        const near_city *c = &of->cities[i];
        if (near_among(of, i))
            add_pick(&f->all, c->x, c->y, c->size, i);
    }
    prune(f, &f->all, &f->all, (near_block){0, 0, SIZE, SIZE});
    return true;
}

/* f->all lists the cities that may be the nearest one of some cell. It is enough to look at
 * these: if a cell is near enough to any other city, it is at least as near to one of them. */
void near_within(site_bits *out, const near_field *f, int32_t distance)
{
    const near_pick *of = &f->all;
    if (distance < 0) {
        *out = (site_bits){{0}};
        return;
    }
    for (int32_t i = 0; i < of->count; i++) {
        /* A disc has the cells within the distance of the city. If it holds the chunk's corner
         * that is farthest from the city's centre, it holds the whole chunk. */
        const int32_t x = (int32_t)of->x[i], y = (int32_t)of->y[i];
        const int32_t far_x = x < SIZE - 1 - x ? SIZE - 1 - x : x;
        const int32_t far_y = y < SIZE - 1 - y ? SIZE - 1 - y : y;
        const int32_t radius = distance + of->size[i] + 1;
        if (far_x * far_x + far_y * far_y < radius * radius) {
            *out = (site_bits){{0}};
            for (int32_t row = 0; row < SIZE; row++)
                near_fill(&out->words[row * SITE_WORDS], 0, SIZE);
            return;
        }
    }
    /* Find the cells for which trunc(d) - size <= distance holds for one of the cities: d is
     * how far the cell lies from the city's centre, `size` is the city's size. */
    near_kernels_best()->discs(out, of, distance);
}

void near_field_dispose(near_field *f)
{
    free(f->floats);
    free(f->numbers);
    *f = (near_field){0};
}

static bool has_other(const near_pick *pick, const near_cities *taken)
{
    bool found = false;
    for (int32_t i = 0; i < pick->count; i++)
        found |= !near_among(taken, pick->city[i]);
    return found;
}

void near_others(site_bits *out, near_field *f, const near_cities *taken)
{
    *out = (site_bits){{0}};
    for (int32_t block = 0; block < NEAR_BLOCKS; block++) {
        if (!has_other(part_of(f, block), taken))
            continue;
        const near_block b = choose(f, block);
        if (!has_other(&f->some, taken))
            continue;
        if (!f->known[block])
            fill_block(f, b);
        for (int32_t i = 0; i < f->some.count; i++)
            if (!near_among(taken, f->some.city[i])) {
                /* Set the bits of the block's cells whose nearest city is this city. Cells
                 * beyond the chunk's eastern border stay 0. */
                const int32_t number = f->some.city[i];
                const int16_t *cities = f->city[b.y / NEAR_HEIGHT * ACROSS + b.x / NEAR_WIDTH];
                uint64_t *word = &out->words[b.y * SITE_WORDS + b.x / 64];
                const uint64_t there = below(SIZE, b.x / 64);
                for (int32_t row = 0; row < NEAR_HEIGHT;
                     row++, word += SITE_WORDS, cities += NEAR_WIDTH)
                    *word |= (uint64_t)mask_equal(cities, (int16_t)number) << b.x % 64 & there;
            }
    }
}

/* Returns true if the block's cells have been computed before. Otherwise returns whether this
 * city may be the nearest one for any cell of the block, and if so computes the block's cells.
 */
static bool has_city(near_field *f, int32_t block, int32_t number)
{
    if (f->known[block])
        return true;
    const near_block b = choose(f, block);
    const bool has = is_in(&f->some, number);
    if (has)
        fill_block(f, b);
    return has;
}

/* Removes from `bits` a block's cells whose nearest city is `number`, and returns how many were
 * removed. A row of the block is a part of one word of `bits`. */
static int32_t take_of_block(site_bits *bits, const near_field *f, int32_t block,
                             int32_t number)
{
    enum { ROWS_IN_WORD = 64 / NEAR_WIDTH };
    const int32_t x = block % ACROSS * NEAR_WIDTH, y = block / ACROSS * NEAR_HEIGHT;
    const int16_t *cities = f->city[block];
    uint64_t *word = &bits->words[y * SITE_WORDS + x / 64];
    int32_t taken = 0;
    for (int32_t row = 0; row < NEAR_HEIGHT; row += ROWS_IN_WORD) {
        uint64_t those = 0;
        for (int i = 0; i < ROWS_IN_WORD; i++, word += SITE_WORDS, cities += NEAR_WIDTH) {
            const uint64_t found = *word >> x % 64 & mask_equal(cities, (int16_t)number);
            *word &= ~(found << x % 64);
            those |= found << i * NEAR_WIDTH;
        }
        taken += bits_in_word(those);
    }
    return taken;
}

/* Goes over `count` blocks side by side, removes from `bits` those of their cells whose nearest
 * city is `number`, and returns how many were removed. */
static int32_t take_of_row(site_bits *bits, near_field *f, int32_t block, int32_t count,
                           int32_t number)
{
    enum { BITS = (1 << NEAR_WIDTH) - 1 };
    const uint64_t *words = &bits->words[block / ACROSS * NEAR_HEIGHT * SITE_WORDS];
    int32_t taken = 0;
    for (int32_t i = block; i < block + count; i++) {
        const int32_t x = i % ACROSS * NEAR_WIDTH;
        uint64_t any = 0;
        for (int32_t row = 0; row < NEAR_HEIGHT; row++)
            any |= words[row * SITE_WORDS + x / 64];
        if (any >> x % 64 & BITS && has_city(f, i, number))
            taken += take_of_block(bits, f, i, number);
    }
    return taken;
}

int32_t near_take(site_bits *bits, near_field *f, const near_city *city, int32_t number,
                  int32_t far)
{
    const int32_t x0 = clamp(city->x - far, 0, SIZE), x1 = clamp(city->x + far + 1, 0, SIZE);
    const int32_t y0 = clamp(city->y - far, 0, SIZE), y1 = clamp(city->y + far + 1, 0, SIZE);
    const int32_t first = x0 / NEAR_WIDTH, end = x1 > x0 ? (x1 - 1) / NEAR_WIDTH + 1 : first;
    int32_t taken = 0;
    for (int32_t y = y0 / NEAR_HEIGHT; y * NEAR_HEIGHT < y1; y++)
        for (int32_t x = first, next; x < end; x = next) {
            next = (x / PART + 1) * PART < end ? (x / PART + 1) * PART : end;
            if (is_in(part_of(f, y * ACROSS + x), number))
                taken += take_of_row(bits, f, y * ACROSS + x, next - x, number);
        }
    return taken;
}

int32_t near_count(const site_bits *bits, const near_city *city, int32_t far)
{
    const int32_t x0 = clamp(city->x - far, 0, SIZE), x1 = clamp(city->x + far + 1, 0, SIZE);
    const int32_t y0 = clamp(city->y - far, 0, SIZE), y1 = clamp(city->y + far + 1, 0, SIZE);
    uint64_t span[SITE_WORDS] = {0};
    int32_t count = 0;
    near_fill(span, x0, x1);
    for (int32_t w = 0; w < SITE_WORDS; w++)
        for (int32_t y = span[w] ? y0 : y1; y < y1; y++)
            count += bits_in_word(bits->words[y * SITE_WORDS + w] & span[w]);
    return count;
}

bool near_known(const near_field *f, int32_t x, int32_t y, int32_t *number)
{
    const int32_t block = y / NEAR_HEIGHT * ACROSS + x / NEAR_WIDTH;
    if (!f->known[block])
        return false;
    *number = f->city[block][y % NEAR_HEIGHT * NEAR_WIDTH + x % NEAR_WIDTH];
    return true;
}

int32_t near_run(near_field *f, int32_t x, int32_t y, int32_t *end)
{
    int32_t city = NEAR_NONE, i = x;
    while (i < SIZE) {
        const int32_t block = y / NEAR_HEIGHT * ACROSS + i / NEAR_WIDTH;
        if (!f->known[block])
            fill_block(f, choose(f, block));
        const int16_t *row = &f->city[block][y % NEAR_HEIGHT * NEAR_WIDTH];
        city = i == x ? row[i % NEAR_WIDTH] : city;
        const uint32_t others = ~mask_equal(row, (int16_t)city) >> i % NEAR_WIDTH;
        const int32_t same = __builtin_ctz(others | 1u << (NEAR_WIDTH - i % NEAR_WIDTH));
        i += same;
        if (i % NEAR_WIDTH != 0 || same == 0)
            break;
    }
    *end = i < SIZE ? i : SIZE;
    return city;
}
