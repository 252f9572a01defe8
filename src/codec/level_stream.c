#include "codec/level_stream.h"

#include "codec/level_kernels.h"

#include <string.h>

enum { RUNS_AT_ONCE = 256 };
_Static_assert((int)LEVEL_VARINTS_PAD <= (int)LEVEL_STREAM_PAD,
               "that is what the padding is for");

/* The tokens of some runs, and the numbers for their lengths: these are fewer, as a run of one
 * cell has none. */
typedef struct run_numbers {
    uint16_t tokens[RUNS_AT_ONCE], lengths[RUNS_AT_ONCE];
    size_t longer;
    uint32_t next_new;
} run_numbers;

static void number_runs(run_numbers *n, const level_run *runs, size_t count)
{
    uint32_t next_new = n->next_new;
    size_t lengths = 0;
    for (size_t i = 0; i < count; i++) {
        const level_run run = runs[i];
        const uint32_t fresh = run.symbol == next_new, longer = run.length > 1;
        const uint32_t k = (run.symbol + 1u) & (fresh - 1);
        next_new += fresh;
        n->tokens[i] = (uint16_t)(k << 1 | longer);
        /* Which runs have a length can't be predicted: without one it is written, too, and the
         * next one over it. */
        n->lengths[lengths] = (uint16_t)(run.length - 2u);
        lengths += longer;
    }
    n->longer = lengths;
    n->next_new = next_new;
}
_Static_assert(2 * (PTL_LEVEL_CELLS + 1) + 1 <= UINT16_MAX, "a token has 16 bits");

void level_stream_build(uint8_t *stream, uint8_t *lengths, const level_runs *r,
                        size_t *token_size, size_t *length_size)
{
    const level_kernels *kernels = level_kernels_best();
    uint8_t *token = stream, *length = lengths;
    run_numbers n = {.next_new = 0};
    for (size_t i = 0; i < r->run_count; i += RUNS_AT_ONCE) {
        const size_t left = r->run_count - i, count = left < RUNS_AT_ONCE ? left : RUNS_AT_ONCE;
        number_runs(&n, r->runs + i, count);
        token = kernels->put_varints(token, n.tokens, count);
        length = kernels->put_varints(length, n.lengths, n.longer);
    }
    *token_size = (size_t)(token - stream);
    *length_size = (size_t)(length - lengths);
    memcpy(token, lengths, *length_size);
}
