/*
 * Colours as amounts of light. The bytes of a picture (sRGB) are no amounts: a byte of half the
 * value gives a fifth of the light. A mean of colours that looks like what it stands for, seen
 * from afar, is a mean of light.
 */
#pragma once

#include <stdint.h>

enum { LIGHT_WHOLE = 65535 }; /* the light of a white byte */

/* Returns the light of a byte of a picture, 0..LIGHT_WHOLE. */
uint16_t light_of(uint8_t byte);
/* Returns the byte whose light is nearest. */
uint8_t light_coded(uint16_t light);
