#include "store/level_stream.h"

#include <string.h>

void level_stream_build(uint8_t *stream, uint8_t *lengths, const level_runs *r,
                        size_t *token_size, size_t *length_size)
{
    uint8_t *token = stream, *length = lengths;
    uint32_t next_new = 0;
    for (size_t i = 0; i < r->run_count; i++) {
        level_run run = r->runs[i];
        uint32_t fresh = run.symbol == next_new, longer = run.length > 1;
        uint32_t k = (run.symbol + 1u) & (fresh - 1);
        next_new += fresh;
        token = level_put_varint(token, k << 1 | longer);
        /* Which runs have a length can't be predicted: without one its bytes are written, too,
         * and the next ones over them. */
        const uint8_t *end = level_put_varint(length, (run.length - 2u) & (0u - longer));
        length += (size_t)(end - length) & (0u - (size_t)longer);
    }
    *token_size = (size_t)(token - stream);
    *length_size = (size_t)(length - lengths);
    memcpy(token, lengths, *length_size);
}
