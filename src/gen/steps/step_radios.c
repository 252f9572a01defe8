/*
 * Radios (generation.md 11): every radio tower, shelter and camp on z = 0 gets a radio. A third
 * of the towers send the weather, the other towers a text of the content ("radio_archive").
 * Shelters and camps tell where they are. Each radio takes its random numbers from the stream
 * of its own cell.
 *
 * Reads: z = 0. Writes: radios. The step reads nothing beyond the chunk. If the content has no
 * such texts, all towers send the weather.
 */
#include "gen/steps/steps.h"
#include "gen/work/generator.h"

#include <stdio.h>

/* The least and the greatest signal strength of a radio, as in worlds that DDA 0.F made. */
enum { STRENGTH_MIN = 80, STRENGTH_MAX = 200 };

static void add_radio(generator *g, uint64_t key, int32_t x, int32_t y, uint8_t kind)
{
    rng r = cell_stream(g, key, x, y);
    gen_radio radio = {.x = (int16_t)(2 * x), .y = (int16_t)(2 * y)};
    radio.strength = (int16_t)rng_range(&r, STRENGTH_MIN, STRENGTH_MAX);
    radio.frequency = (int32_t)(rng_next(&r) >> 33);
    if (kind & CELL_RADIO_TOWER) {
        const cat_texts *texts = &g->config->cat->radio_texts;
        radio.weather = rng_one_in(&r, 3) || texts->count == 0;
        radio.message =
            radio.weather ? "" : texts->texts[rng_by_weight(&r, texts->upto, texts->count)];
    } else if (kind & CELL_RADIO_SHELTER) {
        radio.strength /= 2;
    }
    if (!(kind & CELL_RADIO_TOWER)) {
        /* The message names the radio's place, in OMTs of this chunk. */
        char text[160];
        snprintf(text, sizeof text,
                 kind & CELL_RADIO_SHELTER
                     ? "Shelter %d-%d calling. The doors are open, beds and food are here."
                     : "Relief camp %d-%d still takes people in. Bring papers, leave weapons.",
                 (int)x, (int)y);
        radio.message = features_text(&g->features, text);
    }
    gen_radio *added = radio.message ? features_add_radio(&g->features) : NULL;
    g->failed = g->failed || !added;
    if (added)
        *added = radio;
}

static void run(generator *g)
{
    const uint8_t *kinds = g->config->cell_kinds;
    const uint64_t key = step_key(g, "radios");
    if (!(kinds[g->ground[0]] & CELL_RADIO) && level_is_even(g->ground))
        return;
    for (int32_t i = 0; (i = cell_kinds_next(kinds, g->ground, i, CELL_RADIO)) < SIZE * SIZE;
         i++)
        add_radio(g, key, i % SIZE, i / SIZE, kinds[g->ground[i]]);
}

const gen_step step_radios = {
    .info = {"radios", 0, false},
    .run = run,
};
