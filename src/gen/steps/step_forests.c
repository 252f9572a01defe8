/*
 * Forests. Reads: the noise of forests for the chunk's own cells. Writes: z = 0, only where the
 * ground is still the region's default terrain. Noise is a function of seed and place alone, so
 * forests go on across borders.
 */
#include "gen/steps/steps.h"
#include "gen/work/generator.h"

#include <string.h>

/* By cell, sets the step's scratch memory to 255 where the cell still has the default terrain,
 * and to 0 elsewhere. False if there is no such cell. */
static bool find_ground(generator *g)
{
    const ptl_oter ground = g->config->region->default_ter;
    const ptl_oter *restrict cells = g->ground;
    uint8_t *restrict mask = g->scratch;
    if (cells[0] != ground && level_is_even(cells))
        return false;
    for (int32_t i = 0; i < SIZE * SIZE; i++)
        mask[i] = (uint8_t) - (cells[i] == ground);
    return memchr(mask, UINT8_MAX, SIZE * SIZE) != NULL;
}

/* Returns the four bytes of adjacent cells, which are one row of a patch (4 x 2 cells), in
 * one number. */
static inline uint32_t read_four(const uint8_t *row)
{
    uint32_t bytes;
    memcpy(&bytes, row, sizeof bytes);
    return bytes;
}
_Static_assert(NOISE_PATCH_X == sizeof(uint32_t), "a patch's row is four bytes");

/* Does the patch of 4 x 2 cells have any cell whose byte in `mask` is not 0? `mask` points to
 * the byte of the patch's first cell. */
static inline bool has_ground(const uint8_t *mask)
{
    uint32_t any = 0;
    for (int32_t y = 0; y < NOISE_PATCH_Y; y++)
        any |= read_four(mask + y * SIZE);
    return any != 0;
}

static void run(generator *g)
{
    uint8_t *const classes = g->scratch; /* by cell: at first 255 where the cell has the default
                                          * terrain, else 0; later the class of forest */
    if (!find_ground(g))
        return;
    noise_forest_rows(g);
    for (int32_t x = 0; x < SIZE; x += NOISE_PATCH_X) {
        /* Compute the forest classes for a column of patches (4 x 2 cells each) that begins at
         * x. In `classes`, cells with default terrain get their class of forest; all other
         * cells stay 0. */
        noise_column *c = g->noise_column;
        uint8_t patches[NOISE_GRID_PATCHES];
        int count = 0;
        for (int32_t patch = 0; patch < SIZE / NOISE_PATCH_Y; patch++) {
            patches[count] = (uint8_t)patch;
            count += has_ground(&classes[patch * NOISE_PATCH_Y * SIZE + x]);
        }
        memcpy(c->patches, patches, sizeof patches);
        c->count = count;
        noise_forest_column(g, x);
        for (int n = 0; n < count; n++) {
            uint8_t *mask = &classes[patches[n] * NOISE_PATCH_Y * SIZE + x];
            for (int32_t y = 0; y < NOISE_PATCH_Y; y++, mask += SIZE) {
                const uint32_t class = read_four(&c->class[patches[n]][y * NOISE_PATCH_X]);
                const uint32_t row = read_four(mask) & class;
                memcpy(mask, &row, sizeof row);
            }
        }
    }
    /* Write the forest; class 0 is no forest. */
    const ptl_oter plain = g->config->oters->forest, thick = g->config->oters->forest_thick;
    ptl_oter *restrict cells = g->ground;
    const uint8_t *restrict class = classes;
    for (int32_t i = 0; i < SIZE * SIZE; i++) {
        const ptl_oter forest = class[i] == 1 ? plain : thick;
        cells[i] = class[i] == 0 ? cells[i] : forest;
    }
}
_Static_assert(SIZE % NOISE_PATCH_X == 0 && SIZE % NOISE_PATCH_Y == 0,
               "a chunk is whole patches");

const gen_step step_forests = {
    .info = {"forests", 0, false},
    .run = run,
    .scratch = SIZE * SIZE,
    .needs = {&noise_columns_part},
};
