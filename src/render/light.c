#include "render/light.h"

#include <math.h>

static double of_byte(double value)
{
    const double v = value / 255;
    return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
}

void light_init(light *l)
{
    uint32_t byte = 0;
    for (uint32_t i = 0; i < 256; i++)
        l->of_byte[i] = (uint32_t)(of_byte(i) * LIGHT_WHOLE + 0.5);
    /* The byte of each step is the largest one for which half of the way from the byte before
     * it is not more than the step. */
    for (uint32_t i = 0; i <= LIGHT_STEPS; i++) {
        const uint32_t value = i * (LIGHT_WHOLE / LIGHT_STEPS);
        while (byte < 255 && (l->of_byte[byte] + l->of_byte[byte + 1]) / 2 <= value)
            byte++;
        l->to_byte[i] = (uint8_t)byte;
    }
}

uint8_t light_byte(const light *l, uint32_t value)
{
    /* A step is up to two bytes wide where it is dark, so the nearest byte is looked for from
     * the step's own. */
    const uint32_t step = value / (LIGHT_WHOLE / LIGHT_STEPS);
    uint32_t byte = l->to_byte[step < LIGHT_STEPS ? step : LIGHT_STEPS];
    while (byte < 255 && (l->of_byte[byte] + l->of_byte[byte + 1]) / 2 < value)
        byte++;
    return (uint8_t)byte;
}
