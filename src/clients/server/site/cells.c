#include "clients/server/site/cells.h"
#include "core/array.h"

#include "core/hash.h"
#include "core/range_coder.h"

#include <stdlib.h>

enum {
    SIDE = PTL_CHUNK_SIZE,
    OTERS = PTL_OTER_NONE + 1,
    /* Stands for an oter that is not there, for example that of a cell beyond the border of the
     * map tile. */
    NOTHING = -1,
    GUESSES = 6,
    /* The number of contexts. The context of a cell says which of its neighbours are equal: it
     * has 7 bits, each for one pair of cells near it. */
    CONTEXTS = 128,
    /* A cell's oter is guessed several times. This is the number of outcomes: the first, the
     * second, the third or a later guess was right, or none was. */
    OUTCOMES = 5,
    /* When an oter comes for the first time in a map tile, its rank is written (its position
     * when the level's oters are ordered by frequency, counted from 1), as a binary number.
     * After the first digit, which is 1, come at most WIDTH_MAX more digits. */
    WIDTH_MAX = 16,
    /* If no guess finds a cell's oter, the oter is coded by its frequency among such cells:
     * each oter of the map tile has a number that grows with each such cell, and the greater
     * the number, the fewer bits the cell takes. The numbers stop growing when their sum has
     * reached USES_MAX. */
    USES_MAX = 1 << 15,
    TREE = 1 << 15 /* a power of two that is greater than PTL_LEVEL_CELLS */
};

/*
 * Two oters, and how often they stand side by side in this order. One hash table has pairs of
 * which the second oter stands directly to the right of the first one; another has those of
 * which it stands directly below. If the count is 0, this place of the table is free.
 */
typedef struct pair {
    uint32_t key; /* the first oter << 16 | the second oter */
    uint32_t count;
} pair;

typedef struct pairs {
    pair *places; /* owned; a hash table with open addressing */
    size_t count, room;
} pairs;

struct cells_model {
    pairs beside, below;
    uint32_t counts[OTERS];
    /* The next members are set when the model is finished. A rank is an oter's position by
     * frequency: the most frequent first, PTL_OTER_NONE last. */
    uint32_t ranks;
    int32_t rank_of[OTERS];
    uint16_t oters[OTERS];
    /* Indexed by an oter's rank. `right` has the rank of the oter that stands most often
     * directly to the right of it, `down` of the one that stands most often directly below it.
     * NOTHING: there is none. */
    int32_t right[OTERS], down[OTERS];
    /* From here on: the state of the map tile that is being written. */
    int32_t cells[PTL_LEVEL_CELLS]; /* for each cell, the rank of its oter (its position by
                                       frequency) */
    uint8_t outcomes[PTL_LEVEL_CELLS];
    range_bit guessed[GUESSES][OUTCOMES][OUTCOMES][CONTEXTS];
    range_bit first[OUTCOMES][OUTCOMES], widths[WIDTH_MAX + 1];
    /* Indexed by an oter's rank (its position by frequency): the oter's number in this map
     * tile, that is, how many different oters the map tile had before it. NOTHING: the map tile
     * has not had the oter yet. */
    int32_t number_of[OTERS];
    /* Each oter that this map tile has had so far has a share: a number that grows with each
     * cell of the oter for which no guess was right. `shares` is a Fenwick tree of the shares,
     * in the order in which the oters came first. Its indices begin at 1. */
    uint16_t shares[TREE];
    uint32_t known, total;
};

cells_model *cells_model_new(void)
{
    return calloc(1, sizeof(cells_model));
}

void cells_model_free(cells_model *m)
{
    if (!m)
        return;
    free(m->beside.places);
    free(m->below.places);
    free(m);
}

/* ---- what stands beside what ---- */

/* Returns the pair with this key, or the free place of the hash table where it belongs. At
 * least one place must be free. */
static pair *find(const pairs *p, uint32_t key)
{
    size_t at = (size_t)hash_mix(key) & (p->room - 1);
    while (p->places[at].count > 0 && p->places[at].key != key)
        at = (at + 1) & (p->room - 1);
    return &p->places[at];
}

static bool grow(pairs *p)
{
    const pairs old = *p;
    const size_t room = old.room ? 2 * old.room : 1 << 12;
    pair *places = calloc(room, sizeof *places);
    if (!places)
        return false;
    *p = (pairs){places, old.count, room};
    for (size_t i = 0; i < old.room; i++)
        if (old.places[i].count > 0)
            *find(p, old.places[i].key) = old.places[i];
    free(old.places);
    return true;
}

/* Counts a pair of cells that are neighbours. Pairs with the same oter are not counted, because
 * that a cell equals its neighbour is guessed even without the model. */
static bool count_pair(pairs *p, ptl_oter from, ptl_oter to)
{
    if (from == to)
        return true;
    if (2 * p->count >= p->room && !grow(p))
        return false;
    pair *at = find(p, (uint32_t)from << 16 | to);
    p->count += at->count == 0;
    at->key = (uint32_t)from << 16 | to;
    at->count += at->count < UINT32_MAX;
    return true;
}

/* A count that has reached UINT32_MAX stays there instead of starting over at 0. */
bool cells_model_add(cells_model *m, const ptl_oter level[PTL_LEVEL_CELLS])
{
    bool good = true;
    for (size_t i = 0; i < PTL_LEVEL_CELLS && good; i++) {
        m->counts[level[i]] += m->counts[level[i]] < UINT32_MAX;
        if (i % SIDE > 0)
            good = count_pair(&m->beside, level[i - 1], level[i]);
        if (good && i >= SIDE)
            good = count_pair(&m->below, level[i - SIDE], level[i]);
    }
    return good;
}

/* ---- ranks ---- */

typedef struct counted {
    uint32_t count;
    uint16_t oter;
} counted;

static int by_count(const void *a, const void *b)
{
    const counted *p = a, *q = b;
    return ORDER_BY(q->count, p->count, p->oter, q->oter);
}

/*
 * Finds for each oter its most frequent neighbour to the right (or below), by the pairs in `p`.
 * Of equally frequent neighbours the one that is the most frequent in the level is taken, so
 * that the result does not depend on the order in the hash table. `m->counts` is used anew
 * here: it has for each oter the count of the most frequent neighbour found so far.
 */
static void choose(cells_model *m, const pairs *p, int32_t *followers)
{
    memset(m->counts, 0, sizeof m->counts);
    for (size_t i = 0; i < OTERS; i++)
        followers[i] = NOTHING;
    for (size_t i = 0; i < p->room; i++) {
        const pair *at = &p->places[i];
        if (at->count == 0)
            continue;
        const int32_t from = m->rank_of[at->key >> 16], to = m->rank_of[at->key & 0xffff];
        if (at->count > m->counts[from] ||
            (at->count == m->counts[from] && to < followers[from])) {
            m->counts[from] = at->count;
            followers[from] = to;
        }
    }
}

static void put_u16(bytes *out, int32_t value)
{
    bytes_put_u8(out, (uint8_t)(value & 0xff));
    bytes_put_u8(out, (uint8_t)(value >> 8 & 0xff));
}

bool cells_model_finish(cells_model *m, bytes *out)
{
    /* Sorts the oters by frequency and gives them their ranks. Equally frequent oters are
     * ordered by their numbers, so that the result is the same on every machine. */
    counted *list = calloc(OTERS, sizeof *list);
    if (!list)
        return false;
    for (uint32_t oter = 0; oter < PTL_OTER_NONE; oter++)
        if (m->counts[oter] > 0)
            list[m->ranks++] = (counted){m->counts[oter], (uint16_t)oter};
    qsort(list, m->ranks, sizeof *list, by_count);
    list[m->ranks++].oter = PTL_OTER_NONE;
    for (uint32_t i = 0; i < m->ranks; i++) {
        m->oters[i] = list[i].oter;
        m->rank_of[list[i].oter] = (int32_t)i;
    }
    free(list);
    choose(m, &m->beside, m->right);
    choose(m, &m->below, m->down);
    for (uint32_t i = 0; i < m->ranks; i++)
        put_u16(out, m->oters[i]);
    for (uint32_t i = 0; i < m->ranks; i++)
        put_u16(out, m->right[i]);
    for (uint32_t i = 0; i < m->ranks; i++)
        put_u16(out, m->down[i]);
    return !out->failed;
}

/* ---- a tile ---- */

static void put_bit(range_encoder *e, range_bit *m, bool bit)
{
    range_put_bit(e, m, bit);
    range_learn(m, bit);
}

static int32_t cell_at(const cells_model *m, int x, int y)
{
    return x >= 0 && x < SIDE && y >= 0 ? m->cells[y * SIDE + x] : NOTHING;
}

/* Lists the oters that the cell (x, y) probably has, the likeliest first and none twice, and
 * returns their number. *context says which of its neighbours are equal: it gets 7 bits, each
 * for one pair of cells near the cell. */
static int guess(const cells_model *m, int x, int y, int32_t guesses[GUESSES],
                 unsigned *context)
{
    const int32_t west = cell_at(m, x - 1, y), north = cell_at(m, x, y - 1),
                  corner = cell_at(m, x - 1, y - 1), other = cell_at(m, x + 1, y - 1),
                  west2 = cell_at(m, x - 2, y), north2 = cell_at(m, x, y - 2);
    const int32_t all[GUESSES] = {west,
                                  north,
                                  west == NOTHING ? NOTHING : m->right[west],
                                  north == NOTHING ? NOTHING : m->down[north],
                                  other,
                                  corner};
    int count = 0;
    for (int i = 0; i < GUESSES; i++) {
        bool is_new = all[i] != NOTHING;
        for (int j = 0; j < count; j++)
            is_new = is_new && guesses[j] != all[i];
        if (is_new)
            guesses[count++] = all[i];
    }
    *context = (unsigned)(west == north) | (unsigned)(west == corner) << 1 |
               (unsigned)(north == other) << 2 | (unsigned)(north == corner) << 3 |
               (unsigned)(west == west2) << 4 | (unsigned)(north == north2) << 5 |
               (unsigned)(west == other) << 6;
    return count;
}

/* Adds `by` to the share of an oter. An oter's share grows with each of its cells for which no
 * guess of the oter was right. `number` says how many different oters the map tile had before
 * this one. The sum of all shares stays below 2^16. */
static void add_share(cells_model *m, uint32_t number, uint32_t by)
{
    m->total += by;
    for (uint32_t i = number + 1; i < TREE; i += i & (0 - i))
        m->shares[i] = (uint16_t)(m->shares[i] + by);
}

/* Returns the sum of the shares of the first `number` oters that the map tile has had. An
 * oter's share grows with each cell of the oter for which no guess was right. */
static uint32_t shares_before(const cells_model *m, uint32_t number)
{
    uint32_t sum = 0;
    for (uint32_t i = number; i > 0; i -= i & (0 - i))
        sum += m->shares[i];
    return sum;
}

/* Writes the oter of a cell for which no guess was right. If the map tile has not had the oter
 * yet, writes the oter's rank: its position when the level's oters are ordered by frequency.
 * Otherwise writes how many different oters the map tile had before that oter first came. This
 * takes the fewer bits, the more cells of the oter were written in this way. */
static void put_other(cells_model *m, range_encoder *e, int32_t cell, range_bit *is_first)
{
    const int32_t number = m->number_of[cell];
    put_bit(e, is_first, number == NOTHING);
    if (number == NOTHING) {
        /* The oter is new in this map tile. Writes its rank (its position when the level's
         * oters are ordered by frequency, counted from 1) as a binary number. The first digit
         * is always 1. First comes the number of digits after it, then these digits. */
        const uint32_t value = (uint32_t)cell + 1;
        uint32_t width = 0;
        while (value >> (width + 1) > 0)
            width++;
        for (uint32_t i = 0; i <= width; i++)
            put_bit(e, &m->widths[i], i == width);
        for (uint32_t i = width; i-- > 0;)
            range_put(e, value >> i & 1, 1, 2);
        return;
    }
    const uint32_t from = shares_before(m, (uint32_t)number);
    range_put(e, from, shares_before(m, (uint32_t)number + 1) - from, m->total);
}

/*
 * Writes one cell. For each guess of its oter, a bit says whether the guess is right; the
 * first right guess ends this. A bit takes the less space, the better it can be predicted. It
 * is predicted from earlier bits of this map tile about the same guess (the first, the second,
 * ...). Only those bits count whose cells had the same context (CONTEXTS), and the same
 * outcomes of guessing in the cells to the west and to the north.
 */
static void put_cell(cells_model *m, range_encoder *e, int x, int y)
{
    const int at = y * SIDE + x;
    const int32_t cell = m->cells[at];
    const uint8_t left = x > 0 ? m->outcomes[at - 1] : 0,
                  above = y > 0 ? m->outcomes[at - SIDE] : 0;
    int32_t guesses[GUESSES];
    unsigned context;
    const int count = guess(m, x, y, guesses, &context);
    int found = 0;
    for (bool right = false; found < count && !right; found += !right) {
        right = guesses[found] == cell;
        put_bit(e, &m->guessed[found][left][above][context], right);
    }
    m->outcomes[at] = (uint8_t)(found == count ? OUTCOMES - 1 : found < 3 ? found : 3);
    if (found == count)
        put_other(m, e, cell, &m->first[left][above]);
    if (m->number_of[cell] == NOTHING) {
        m->number_of[cell] = (int32_t)m->known++;
        add_share(m, (uint32_t)m->number_of[cell], 1);
    }
    if (found == count && m->total < USES_MAX)
        add_share(m, (uint32_t)m->number_of[cell], 2);
}

/* Each map tile starts with fresh statistics, so that a reader can unpack any map tile by
 * itself. */
bool cells_put(cells_model *m, bytes *out, const ptl_oter cells[PTL_LEVEL_CELLS])
{
    range_encoder e = range_encoder_over(out);
    range_bit *const bits[] = {&m->guessed[0][0][0][0], &m->first[0][0], m->widths};
    const size_t counts[] = {sizeof m->guessed / sizeof(range_bit),
                             sizeof m->first / sizeof(range_bit), WIDTH_MAX + 1};
    for (size_t list = 0; list < 3; list++)
        for (size_t i = 0; i < counts[list]; i++)
            bits[list][i] = RANGE_BIT_INIT;
    for (size_t i = 0; i < PTL_LEVEL_CELLS; i++)
        m->cells[i] = m->rank_of[cells[i]];
    for (uint32_t i = 0; i < m->ranks; i++)
        m->number_of[i] = NOTHING;
    memset(m->shares, 0, sizeof m->shares);
    m->known = m->total = 0;
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++)
            put_cell(m, &e, x, y);
    range_finish(&e);
    if (out->size == e.first)
        bytes_put_u8(out, 0); /* PMTiles does not allow a map tile of 0 bytes */
    return !out->failed;
}
