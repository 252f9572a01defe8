#include "model/local_palette.h"

#include <stdio.h>
#include <string.h>

/* Each id has a line, with its weight in front; an empty line ends each plane. */
void local_palette_put(bytes *out, const local_palette *palette, const id_pool *pool)
{
    for (size_t k = 0; k < LOCAL_PALETTE_PLANES; k++) {
        const local_palette_plane *p = &palette->planes[k];
        for (uint32_t i = 0; i < p->count; i++) {
            char weight[16];
            const char *id = id_pool_text(pool, p->ids[i]);
            snprintf(weight, sizeof weight, "%u ", (unsigned)p->weights[i]);
            bytes_put(out, weight, strlen(weight));
            bytes_put(out, id, strlen(id));
            bytes_put_u8(out, '\n');
        }
        bytes_put_u8(out, '\n');
    }
}

/* Reads one plane. Returns what follows it, or NULL if the text is none. */
static const char *take_plane(local_palette_plane *out, id_pool *pool, const char *at)
{
    uint32_t whole = 0;
    for (out->count = 0; *at != '\n'; out->count++) {
        uint32_t weight = 0;
        for (; *at >= '0' && *at <= '9' && weight <= LOCAL_PALETTE_WHOLE_MAX; (at)++)
            weight = 10 * weight + (uint32_t)(*at - '0');

        const char *end = strchr(at, '\n');
        if (out->count == LOCAL_PALETTE_MAX || weight < LOCAL_PALETTE_WEIGHT_LEAST ||
            (whole += weight) > LOCAL_PALETTE_WHOLE_MAX || *at != ' ' || !end || end == at + 1)
            return NULL;
        out->weights[out->count] = (uint16_t)weight;
        out->ids[out->count] = id_pool_put(pool, at + 1, (size_t)(end - at - 1));
        at = end + 1;
    }
    return at + 1;
}

bool local_palette_take(local_palette *out, id_pool *pool, const char *text)
{
    for (size_t k = 0; k < LOCAL_PALETTE_PLANES && text; k++)
        text = take_plane(&out->planes[k], pool, text);
    return text && *text == '\0';
}
