#include "codec/near_list.h"

#include "codec/number_coder.h"
#include "codec/number_list.h"

typedef struct near {
    range_bit next, inside, above;
    number_model beyond;
    uint32_t before, least, most; /* of the numbers so far; 0: there was none */
} near;

static void near_init(near *n)
{
    n->next = n->inside = n->above = RANGE_BIT_INIT;
    model_bits(n->beyond.longer, sizeof n->beyond / sizeof(range_bit));
    n->before = n->least = n->most = 0;
}

/* One more: the next one, one between those that were, or one beyond them. */
INLINE uint32_t code_near(coder *c, near *n, uint32_t number)
{
    if (code_bit(c, &n->next, number == n->before + 1))
        return n->before + 1;
    const uint32_t between = n->most - n->least > 1 ? n->most - n->least - 1 : 0;
    if (between > 0 && code_bit(c, &n->inside, number > n->least && number < n->most))
        return n->least + 1 + code_even(c, number - n->least - 1, between);
    if (code_bit(c, &n->above, number >= n->most))
        return n->most + code_number(c, &n->beyond, number - n->most);
    const uint32_t below = code_number(c, &n->beyond, n->least - number);
    return below < n->least ? n->least - below : 0;
}

INLINE void keep(near *n, uint32_t number)
{
    n->least = n->most == 0 || number < n->least ? number : n->least;
    n->most = number > n->most ? number : n->most;
    n->before = number;
}

void near_list_put(bytes *out, const uint32_t *numbers, size_t count)
{
    near n;
    bytes coded = {0};
    range_encoder e = range_encoder_over(&coded);
    coder c = {&e, NULL};
    near_init(&n);
    for (size_t i = 0; i < count; i++) {
        (void)code_near(&c, &n, numbers[i]);
        keep(&n, numbers[i]);
    }
    range_finish(&e);
    bytes_put_varint(out, coded.size);
    bytes_put(out, coded.data, coded.size);
    out->failed = out->failed || coded.failed;
    bytes_dispose(&coded);
}

const char *near_list_take(uint32_t *numbers, size_t count, size_t limit, const uint8_t **at,
                           const uint8_t *end)
{
    byte_reader r = byte_reader_over(*at, (size_t)(end - *at));
    const uint64_t size = byte_reader_varint(&r);
    if (r.failed || size > byte_reader_left(&r))
        return "a list of numbers is cut off";
    const uint8_t *coded = end - byte_reader_left(&r), *behind = coded + size;
    const uint32_t most = limit > NUMBER_MAX ? NUMBER_MAX : limit > 0 ? (uint32_t)limit - 1 : 0;
    range_decoder d = range_decoder_over(coded, behind);
    coder c = {NULL, &d};
    near n;
    near_init(&n);
    for (size_t i = 0; i < count; i++) {
        numbers[i] = code_near(&c, &n, 0);
        if (numbers[i] - 1 >= most)
            return "a number that the file does not have";
        keep(&n, numbers[i]);
    }
    *at = behind;
    return d.at < behind ? "bytes after a list of numbers" : NULL;
}
