/* Smoothing, in place: neighbours that were passed hold their new heights already. */
#include "shoals/shoals.h"

enum { OWN_WEIGHT = 4 };

/* A weight is 4 less the squared distance. */
int32_t shoals_mean(const shoals *s, const window *w, int32_t x, int32_t y)
{
    int64_t sum = 0, weights = 0;
    for (int32_t dy = -1; dy <= 1; dy++)
        for (int32_t dx = -1; dx <= 1; dx++) {
            const offset at = {x + dx, y + dy};
            if (at.x < w->x0 || at.x > w->x1 || at.y < w->y0 || at.y > w->y1)
                continue;
            if (*shoals_at(s, at) >= w->below)
                continue;
            const int32_t weight = OWN_WEIGHT - dx * dx - dy * dy;
            sum += (int64_t)weight * *shoals_at(s, at);
            weights += weight;
        }
    return (int32_t)(sum / weights);
}

static void smooth_cell(shoals *s, const window *w, int32_t x, int32_t y)
{
    *shoals_at(s, (offset){x, y}) = shoals_mean(s, w, x, y);
}

void shoals_smooth(shoals *s)
{
    const window all = {0, 0, s->width - 1, s->height - 1, INT32_MAX};
    if (s->options->parts & PTL_SHOALS_FROM_MIDDLE) {
        const window w = {1, 1, s->width - 2, s->height - 2, INT32_MAX};
        for (int32_t j = 0; (s->height - 1) / 2 - j > 0; j++)
            for (int32_t i = 0; (s->width - 1) / 2 - i > 0; i++) {
                /* The four cells that mirror each other, or two or one of them where a middle
                 * line is of one cell. */
                const int32_t left = (s->width - 1) / 2 - i, right = s->width / 2 + i;
                const int32_t up = (s->height - 1) / 2 - j, down = s->height / 2 + j;
                smooth_cell(s, &w, left, up);
                if (right != left)
                    smooth_cell(s, &w, right, up);
                if (down != up)
                    smooth_cell(s, &w, left, down);
                if (right != left && down != up)
                    smooth_cell(s, &w, right, down);
            }
        return;
    }
    for (int32_t y = 0; y < s->height; y++)
        for (int32_t x = 0; x < s->width; x++)
            smooth_cell(s, &all, x, y);
}
