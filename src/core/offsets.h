/* Points of circles as whole cells. They are equal to those that the published program for maps
 * of islands finds by sines and cosines in doubles (schema/shoals.md). */
#pragma once

#include <stdint.h>

enum { OFFSET_RADIUS_MAX = 32, DEGREES = 360 };

typedef struct offset {
    int32_t x, y;
} offset;

/* Returns radius * (cos, sin) of the angle, each part cut towards zero. radius is
 * 0..OFFSET_RADIUS_MAX, degrees 0..359; y grows to the south. */
offset offset_at(int32_t radius, int32_t degrees);
