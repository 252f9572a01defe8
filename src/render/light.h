/*
 * Means of colours in linear light, which is how eyes see the mean of small dots: a white line
 * on black keeps its brightness when a picture is made smaller. Bytes of red, green or blue are
 * those of sRGB.
 */
#pragma once

#include <stdint.h>

enum { LIGHT_BITS = 16, LIGHT_WHOLE = 1 << LIGHT_BITS, LIGHT_STEPS = 4096 };

/* Tables for both directions. */
typedef struct light {
    uint32_t of_byte[256];            /* the light of a byte, 0..LIGHT_WHOLE */
    uint8_t to_byte[LIGHT_STEPS + 1]; /* the byte of a light, in steps of LIGHT_WHOLE / STEPS */
} light;

void light_init(light *l);

/* Returns the byte whose light comes nearest to the given light, 0..LIGHT_WHOLE. */
uint8_t light_byte(const light *l, uint32_t value);
