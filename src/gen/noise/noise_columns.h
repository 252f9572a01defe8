/*
 * The noise kernels for columns of patches (4 x 2 OMTs each). The file is included once per
 * instruction set, with NOISE_COLUMNS defined as the name of the table of kernels. The first
 * octave of the noise is computed for all patches, then the second one, and so on; a patch
 * whose class is decided is left out of the octaves that follow. To compute all octaves of a
 * patch at once, and test the patch after each of them, would be slower: the processor can't
 * predict the results of the tests, and a wrong prediction costs as much time as an octave.
 */
#include "gen/noise/noise_vectors.h"

enum { TOGETHER = NOISE_LANES / NOISE_BLOCK }; /* patches (4 x 2 OMTs) per vector */

/* Several patches (4 x 2 OMTs each) that are evaluated together, in the lanes of one vector. */
typedef struct patch_set {
    int patch[TOGETHER];
} patch_set;

/* Returns the patches (4 x 2 OMTs each) that share a vector: those from position n on of the
 * column's list of patches. Beyond the end of the list the last patch is repeated. */
INLINE patch_set patchs_from(const noise_column *c, int n)
{
    patch_set set;
    for (int i = 0; i < TOGETHER; i++)
        set.patch[i] = c->patches[n + i < c->count ? n + i : c->count - 1];
    return set;
}

INLINE void load_patchs(vf *out, float (*from)[NOISE_BLOCK], const patch_set *set)
{
#ifdef NOISE_WIDE
    const __m256 first = _mm256_loadu_ps(from[set->patch[0]]);
    const __m256 second = _mm256_loadu_ps(from[set->patch[1]]);
    *out = (vf)_mm512_insertf32x8(_mm512_castps256_ps512(first), second, 1);
#else
    *out = *(const loose_vf *)from[set->patch[0]];
#endif
}

INLINE void store_patchs(float (*to)[NOISE_BLOCK], const patch_set *set, const vf *v)
{
#ifdef NOISE_WIDE
    _mm256_storeu_ps(to[set->patch[0]], _mm512_castps512_ps256((__m512)*v));
    _mm256_storeu_ps(to[set->patch[1]], _mm512_extractf32x8_ps((__m512)*v, 1));
#else
    *(loose_vf *)to[set->patch[0]] = *v;
#endif
}

/* Returns the numbers that `rows` has for the two rows of OMTs of a patch, side by side in
 * one number of 64 bits. */
INLINE int64_t row_pair(const int32_t *rows, int patch)
{
    int64_t pair;
    memcpy(&pair, rows + NOISE_PATCH_Y * patch, sizeof pair);
    return pair;
}
_Static_assert((int)NOISE_PATCH_Y == 2, "a patch's rows are a pair");

/* Computes a coordinate of each OMT of the set's patches (4 x 2 OMTs each): the sum of two
 * numbers, one for the OMT's column and one for its row. */
INLINE void combine(vi *out, const int32_t column[NOISE_BLOCK], const int32_t *rows,
                    const patch_set *set)
{
#ifdef NOISE_WIDE
    const __m512i lanes =
        _mm512_broadcast_i32x8(_mm256_loadu_si256((const __m256i *)(const void *)column));
    const __m512i first = _mm512_set1_epi64(row_pair(rows, set->patch[0]));
    const __m512i both = _mm512_mask_set1_epi64(first, 0xf0, row_pair(rows, set->patch[1]));
    *out = (vi)_mm512_add_epi32(lanes, both);
#else
    const vl pairs = (vl){0} + row_pair(rows, set->patch[0]);
    *out = *(const loose_vi *)column + (vi)pairs;
#endif
}

/* Computes one coordinate, in the skewed lattice of the noise, for each OMT of the set's
 * patches (4 x 2 OMTs each): the sum of what the OMT's column and its row contribute. */
INLINE void combine_axis(axis *out, const noise_grid *grid, int octave, int which,
                         const patch_set *set, uint32_t prime)
{
    const noise_lanes *column = &grid->column[octave];
    const noise_lines *rows = &grid->rows[octave];
    const vi last = (vi){0} + (UNIT - 1);
    mask over;
    combine(&out->fraction, column->fraction[which], rows->fraction[which], set);
    combine((vi *)&out->hash, (const int32_t *)column->hash[which],
            (const int32_t *)rows->hash[which], set);
    above(&over, &out->fraction, &last);
    add_where((vu *)&out->fraction, &over, 0u - UNIT);
    add_where(&out->hash, &over, prime);
}

/* Computes the three coordinates, in the skewed lattice of an octave, for each OMT of the
 * set's patches (4 x 2 OMTs each). */
INLINE void combine_patchs(axis out[3], const noise_grid *grid, int octave,
                           const patch_set *set)
{
    combine_axis(&out[0], grid, octave, 0, set, PRIME_U);
    combine_axis(&out[1], grid, octave, 1, set, PRIME_V);
    combine_axis(&out[2], grid, octave, 2, set, PRIME_W);
}

/* Adds octave i of the layer to the sums of all patches (4 x 2 OMTs each) in the column's
 * list. The octaves of the layer are in the grid from index `first` on. The coordinates of the
 * next patches are computed before the noise of the present ones. So the processor can compute
 * them while it waits for results of the noise. */
INLINE void add_octave(noise_column *c, const noise_layer *layer, int i, const noise_grid *grid,
                       int first)
{
    const float scale = scale_of(i);
    if (c->count <= 0)
        return;
    patch_set set = patchs_from(c, 0);
    axis at[3], ahead[3];
    combine_patchs(at, grid, first + i, &set);
    for (int n = 0; n < c->count; n += TOGETHER) {
        const patch_set next = patchs_from(c, n + TOGETHER);
        vf value, sum;
        combine_patchs(ahead, grid, first + i, &next);
        simplex(&value, at, layer->octave[i].key);
        load_patchs(&sum, c->sum, &set);
        sum += value * scale;
        store_patchs(c->sum, &set, &sum);
        memcpy(at, ahead, sizeof at);
        set = next;
    }
}

INLINE void clear_sums(noise_column *c)
{
    for (int n = 0; n < c->count; n++)
        memset(c->sum[c->patches[n]], 0, sizeof c->sum[0]);
}

/* Returns whether any of the numbers that belong to the i-th patch (4 x 2 OMTs) of the
 * vector is not 0. */
INLINE bool patch_any(const vi *lanes, int i)
{
#ifdef NOISE_WIDE
    const unsigned bits = _mm512_test_epi32_mask((__m512i)*lanes, (__m512i)*lanes);
    return (bits >> (i * NOISE_BLOCK) & 0xff) != 0;
#else
    (void)i;
    return any(lanes);
#endif
}

/* Keeps in the column's list those patches (4 x 2 OMTs each) of the set for which a number
 * in `lanes` is not 0. The set begins at position n of the list; `kept` patches are kept
 * already. Returns the new number of kept patches. */
INLINE int keep(noise_column *c, int kept, int n, const patch_set *set, const vi *lanes)
{
    for (int i = 0; i < TOGETHER; i++) {
        c->patches[kept] = (uint8_t)set->patch[i];
        kept += n + i < c->count && patch_any(lanes, i);
    }
    return kept;
}

/* Keeps in the column's list the patches (4 x 2 OMTs each) in which an OMT can still be
 * forest, given the octaves of `land->forest_wide` up to number i. */
static void keep_possible(noise_column *c, const noise_land *land, int i)
{
    const float needed = land->ramp.any ? c->forest_needed : land->forest_needed;
    int kept = 0;
    for (int n = 0; n < c->count; n += TOGETHER) {
        const patch_set set = patchs_from(c, n);
        vf sum;
        vi can;
        load_patchs(&sum, c->sum, &set);
        forest_can(&can, land, needed, &sum, i);
        kept = keep(c, kept, n, &set, &can);
    }
    c->count = kept;
}

/* Keeps in the column's list only those patches (4 x 2 OMTs each) for which octave i of
 * `land->forest_fine` does not decide yet: in one of the patch's OMTs, further octaves can
 * still change the class. */
static void keep_open(noise_column *c, const noise_land *land, int i)
{
    int kept = 0;
    for (int n = 0; n < c->count; n += TOGETHER) {
        const patch_set set = patchs_from(c, n);
        vf sum, squared;
        vi open;
        load_patchs(&sum, c->sum, &set);
        load_patchs(&squared, c->value, &set);
        forest_open(&open, land, &squared, &sum, i);
        kept = keep(c, kept, n, &set, &open);
    }
    c->count = kept;
}

/* Keeps in the column's list the patches (4 x 2 OMTs each) in which the floodplain's noise
 * can still exceed `needed`, given the octaves up to number i. */
static void keep_needed(noise_column *c, const noise_layer *layer, int i)
{
    int kept = 0;
    for (int n = 0; n < c->count; n += TOGETHER) {
        const patch_set set = patchs_from(c, n);
        vf sum, needed;
        vi can;
        load_patchs(&sum, c->sum, &set);
        load_patchs(&needed, c->needed, &set);
        floodplain_can(&can, layer, &needed, &sum, i);
        kept = keep(c, kept, n, &set, &can);
    }
    c->count = kept;
}

/* Sets `value` to oct^2 for each OMT of the patches (4 x 2 OMTs each) in the column's list.
 * Here oct is the sum of the OMT's octaves, scaled to [0, 1]. */
static void square_patchs(noise_column *c, const noise_layer *layer)
{
    for (int n = 0; n < c->count; n += TOGETHER) {
        const patch_set set = patchs_from(c, n);
        vf sum, value;
        load_patchs(&sum, c->sum, &set);
        normalise(&value, &sum, layer);
        value *= value;
        store_patchs(c->value, &set, &value);
    }
}

static void add_ramp(noise_column *c)
{
    for (int n = 0; n < c->count; n += TOGETHER) {
        const patch_set set = patchs_from(c, n);
        vf value, ramp;
        load_patchs(&value, c->value, &set);
        load_patchs(&ramp, c->ramp, &set);
        value += ramp;
        store_patchs(c->value, &set, &value);
    }
}

/* Stores the numbers of a vector as the classes of the OMTs, row by row of each patch. */
INLINE void store_classes(noise_column *c, const patch_set *set, const vi *lanes)
{
#if defined(NOISE_WIDE)
    const __m128i order = _mm_setr_epi8(0, 2, 4, 6, 1, 3, 5, 7, 8, 10, 12, 14, 9, 11, 13, 15);
    const __m128i rows = _mm_shuffle_epi8(_mm512_cvtepi32_epi8((__m512i)*lanes), order);
    _mm_storel_epi64((__m128i *)(void *)c->class[set->patch[0]], rows);
    _mm_storel_epi64((__m128i *)(void *)c->class[set->patch[1]], _mm_srli_si128(rows, 8));
#else
    for (int k = 0; k < NOISE_LANES; k++) {
        const int row = k % NOISE_PATCH_Y, column = k / NOISE_PATCH_Y;
        c->class[set->patch[0]][row * NOISE_PATCH_X + column] = (uint8_t)(*lanes)[k];
    }
#endif
}

/* Finds the forest class of each OMT of the patches (4 x 2 OMTs each) in the column's list,
 * from the sums of its octaves. */
static void classify(noise_column *c, const noise_land *land)
{
    for (int n = 0; n < c->count; n += TOGETHER) {
        const patch_set set = patchs_from(c, n);
        vf sum, squared, value;
        vi class;
        load_patchs(&sum, c->sum, &set);
        load_patchs(&squared, c->value, &set);
        normalise(&value, &sum, &land->forest_fine);
        forest_class(&class, land, &squared, &value, 0.0f);
        class = -class;
        store_classes(c, &set, &class);
    }
}

/* Finds the forest classes of a column of patches (4 x 2 OMTs each). Patches that get only
 * some octaves of `land->forest_fine` keep their partial sums, which already decide their
 * classes. */
static void forest_column(const noise_land *land, const noise_grid *grid, noise_column *c)
{
    const noise_layer *wide = &land->forest_wide, *fine = &land->forest_fine;
    memset(c->class, 0, sizeof c->class);
    clear_sums(c);
    for (int i = 0; i < wide->octaves; i++) {
        add_octave(c, wide, i, grid, 0);
        if (i > 0) /* after the first octave (i = 0) nearly all patches can still be forest, so
                    * they are not tested then */
            keep_possible(c, land, i);
    }
    square_patchs(c, wide);
    if (land->ramp.any)
        add_ramp(c);
    clear_sums(c);
    uint8_t patches[NOISE_GRID_PATCHES];
    const int count = c->count;
    memcpy(patches, c->patches, sizeof patches);
    for (int i = 0; i < fine->octaves; i++) {
        add_octave(c, fine, i, grid, wide->octaves);
        if (i > 0)
            keep_open(c, land, i);
    }
    c->count = count;
    memcpy(c->patches, patches, sizeof patches);
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
    square_patchs(c, layer);
}

const noise_columns NOISE_COLUMNS = {
    .forest = forest_column,
    .floodplain = floodplain_column,
};
