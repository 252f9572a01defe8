/*
 * The noise kernels of columns, to be included once per instruction set with NOISE_COLUMNS
 * defined to the name of the table. All rows get an octave before any gets the next one, and
 * those that are decided are left out then: whether a row is, nobody could foretell, and a
 * processor that guesses wrong throws away as much work as an octave is.
 */
#include "gen/noise_vectors.h"

enum { TOGETHER = NOISE_LANES / NOISE_BLOCK }; /* rows in a vector */

/* A vector's rows. */
typedef struct row_set {
    int row[TOGETHER];
} row_set;

/* The rows from n on; behind the last one it stands for those that are missing. */
INLINE row_set rows_from(const noise_column *c, int n)
{
    row_set set;
    for (int i = 0; i < TOGETHER; i++)
        set.row[i] = c->rows[n + i < c->count ? n + i : c->count - 1];
    return set;
}

INLINE void load_rows(vf *out, float (*from)[NOISE_BLOCK], const row_set *set)
{
#ifdef NOISE_WIDE
    const __m256 first = _mm256_loadu_ps(from[set->row[0]]);
    const __m256 second = _mm256_loadu_ps(from[set->row[1]]);
    *out = (vf)_mm512_insertf32x8(_mm512_castps256_ps512(first), second, 1);
#else
    *out = *(const loose_vf *)from[set->row[0]];
#endif
}

INLINE void store_rows(float (*to)[NOISE_BLOCK], const row_set *set, const vf *v)
{
#ifdef NOISE_WIDE
    _mm256_storeu_ps(to[set->row[0]], _mm512_castps512_ps256((__m512)*v));
    _mm256_storeu_ps(to[set->row[1]], _mm512_extractf32x8_ps((__m512)*v, 1));
#else
    *(loose_vf *)to[set->row[0]] = *v;
#endif
}

/* What a column and its rows add up to. */
INLINE void join(vi *out, const int32_t column[NOISE_BLOCK], const int32_t *rows,
                 const row_set *set)
{
#ifdef NOISE_WIDE
    const __m512i lanes =
        _mm512_broadcast_i32x8(_mm256_loadu_si256((const __m256i *)(const void *)column));
    const __m512i both =
        _mm512_mask_set1_epi32(_mm512_set1_epi32(rows[set->row[0]]), 0xff00, rows[set->row[1]]);
    *out = (vi)_mm512_add_epi32(lanes, both);
#else
    *out = *(const loose_vi *)column + rows[set->row[0]];
#endif
}

/* One skewed coordinate. */
INLINE void join_axis(axis *out, const noise_grid *grid, int octave, int which,
                      const row_set *set, uint32_t prime)
{
    const noise_lanes *column = &grid->column[octave];
    const noise_lines *rows = &grid->rows[octave];
    const vi last = (vi){0} + (UNIT - 1);
    mask over;
    join(&out->fraction, column->fraction[which], rows->fraction[which], set);
    join((vi *)&out->hash, (const int32_t *)column->hash[which],
         (const int32_t *)rows->hash[which], set);
    above(&over, &out->fraction, &last);
    add_where((vu *)&out->fraction, &over, 0u - UNIT);
    add_where(&out->hash, &over, prime);
}

/* Adds octave i of the layer, whose octaves are the grid's from `first` on. */
INLINE void add_octave(noise_column *c, const noise_layer *layer, int i, const noise_grid *grid,
                       int first)
{
    const float amplitude = 1.0f / (float)(1 << i);
    for (int n = 0; n < c->count; n += TOGETHER) {
        const row_set set = rows_from(c, n);
        axis at[3];
        vf value, sum;
        join_axis(&at[0], grid, first + i, 0, &set, PRIME_U);
        join_axis(&at[1], grid, first + i, 1, &set, PRIME_V);
        join_axis(&at[2], grid, first + i, 2, &set, PRIME_W);
        simplex(&value, at, layer->octave[i].key);
        load_rows(&sum, c->sum, &set);
        sum += value * amplitude;
        store_rows(c->sum, &set, &sum);
    }
}

INLINE void clear_sums(noise_column *c)
{
    for (int n = 0; n < c->count; n++)
        memset(c->sum[c->rows[n]], 0, sizeof c->sum[0]);
}

/* Is any of a row's lanes other than 0? */
INLINE bool row_any(const vi *lanes, int i)
{
#ifdef NOISE_WIDE
    const unsigned bits = _mm512_test_epi32_mask((__m512i)*lanes, (__m512i)*lanes);
    return (bits >> (i * NOISE_BLOCK) & 0xff) != 0;
#else
    (void)i;
    return any(lanes);
#endif
}

/* Keeps those of the rows from n on that have a lane; the new length of the list. */
INLINE int keep(noise_column *c, int kept, int n, const row_set *set, const vi *lanes)
{
    for (int i = 0; i < TOGETHER; i++) {
        c->rows[kept] = (uint8_t)set->row[i];
        kept += n + i < c->count && row_any(lanes, i);
    }
    return kept;
}

static void keep_possible(noise_column *c, const noise_land *land, int i)
{
    int kept = 0;
    for (int n = 0; n < c->count; n += TOGETHER) {
        const row_set set = rows_from(c, n);
        vf sum;
        vi can;
        load_rows(&sum, c->sum, &set);
        forest_can(&can, land, &sum, i);
        kept = keep(c, kept, n, &set, &can);
    }
    c->count = kept;
}

static void keep_open(noise_column *c, const noise_land *land, int i)
{
    int kept = 0;
    for (int n = 0; n < c->count; n += TOGETHER) {
        const row_set set = rows_from(c, n);
        vf sum, squared;
        vi open;
        load_rows(&sum, c->sum, &set);
        load_rows(&squared, c->value, &set);
        forest_open(&open, land, &squared, &sum, i);
        kept = keep(c, kept, n, &set, &open);
    }
    c->count = kept;
}

static void keep_needed(noise_column *c, const noise_layer *layer, int i)
{
    int kept = 0;
    for (int n = 0; n < c->count; n += TOGETHER) {
        const row_set set = rows_from(c, n);
        vf sum, needed;
        vi can;
        load_rows(&sum, c->sum, &set);
        load_rows(&needed, c->needed, &set);
        floodplain_can(&can, layer, &needed, &sum, i);
        kept = keep(c, kept, n, &set, &can);
    }
    c->count = kept;
}

static void square_rows(noise_column *c, const noise_layer *layer)
{
    for (int n = 0; n < c->count; n += TOGETHER) {
        const row_set set = rows_from(c, n);
        vf sum, value;
        load_rows(&sum, c->sum, &set);
        normalise(&value, &sum, layer);
        value *= value;
        store_rows(c->value, &set, &value);
    }
}

/* The classes of rows whose sums tell. */
static void classify(noise_column *c, const noise_land *land)
{
    for (int n = 0; n < c->count; n += TOGETHER) {
        const row_set set = rows_from(c, n);
        vf sum, squared, value;
        vi class;
        load_rows(&sum, c->sum, &set);
        load_rows(&squared, c->value, &set);
        normalise(&value, &sum, &land->forest_fine);
        forest_class(&class, land, &squared, &value, 0.0f);
        for (int k = 0; k < NOISE_LANES; k++)
            c->class[set.row[k / NOISE_BLOCK]][k % NOISE_BLOCK] = (uint8_t) - class[k];
    }
}

static void forest_column(const noise_land *land, const noise_grid *grid, noise_column *c)
{
    const noise_layer *wide = &land->forest_wide, *fine = &land->forest_fine;
    memset(c->class, 0, sizeof c->class);
    clear_sums(c);
    for (int i = 0; i < wide->octaves; i++) {
        add_octave(c, wide, i, grid, 0);
        if (i > 0) /* the first one hardly ever decides */
            keep_possible(c, land, i);
    }
    square_rows(c, wide);
    clear_sums(c);
    uint8_t rows[NOISE_GRID_ROWS];
    const int count = c->count;
    memcpy(rows, c->rows, sizeof rows);
    for (int i = 0; i < fine->octaves; i++) {
        add_octave(c, fine, i, grid, wide->octaves);
        if (i > 0)
            keep_open(c, land, i);
    }
    c->count = count;
    memcpy(c->rows, rows, sizeof rows);
    classify(c, land);
}

static void floodplain_column(const noise_land *land, const noise_grid *grid, noise_column *c)
{
    const noise_layer *layer = &land->floodplain;
    clear_sums(c);
    for (int i = 0; i < layer->octaves; i++) {
        add_octave(c, layer, i, grid, 0);
        keep_needed(c, layer, i);
    }
    square_rows(c, layer);
}

const noise_columns NOISE_COLUMNS = {.forest = forest_column, .floodplain = floodplain_column};
