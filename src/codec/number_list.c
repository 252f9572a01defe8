#include "codec/number_list.h"
#include "codec/number_coder.h"

#include <string.h>

enum {
    WIDTH_MAX = 24, /* how many bits NUMBER_MAX has */
    NARROWER_MAX = 7,
    /* A list's numbers are written with two numbers of bits, a wide one and a narrow one. Both
     * stand in the first byte of the list: the wide one, minus 1, in its lowest WIDTH_BITS
     * bits, and the difference of the two in the higher bits. */
    WIDTH_BITS = 5
};

/* ---- writing ---- */

typedef struct widths {
    unsigned wide, narrow;
} widths;

/* Chooses with how many bits the numbers of a list are written: a wide and a narrow number of
 * bits. A number that is the previous one + 1 needs none. The wide one suffices for the largest
 * of all other numbers. The narrow one is the one that makes the list shortest. */
static widths choose_widths(const uint32_t *numbers, size_t count)
{
    size_t of_width[33] = {0}, least = SIZE_MAX, narrow_jumps = 0, jumps = 0;
    widths w = {1, 1};
    uint32_t before = 0;
    for (size_t i = 0; i < count; before = numbers[i++])
        of_width[32 - __builtin_clz(numbers[i])] += numbers[i] != before + 1;
    for (unsigned k = 1; k <= WIDTH_MAX; k++) {
        jumps += of_width[k];
        if (of_width[k] > 0)
            w.wide = k;
    }
    for (unsigned k = 1; k <= w.wide; k++) {
        narrow_jumps += of_width[k];
        size_t bits = narrow_jumps * k + (jumps - narrow_jumps) * w.wide;
        if (k + NARROWER_MAX < w.wide || bits >= least)
            continue;
        least = bits;
        w.narrow = k;
    }
    return w;
}

void number_list_put(bytes *out, const uint32_t *numbers, size_t count)
{
    const widths w = choose_widths(numbers, count);
    if (!bytes_reserve(out, 1 + (count * (2 + WIDTH_MAX) + 7) / 8 + sizeof(uint64_t)))
        return;
    bytes_put_u8(out, (uint8_t)((w.wide - 1) | (w.wide - w.narrow) << WIDTH_BITS));
    uint8_t *at = out->data + out->size;
    uint64_t before = 0, bits = 0; /* bits: bits that are not yet written to the output; the
                                    * lowest bit is written first */
    unsigned used = 0; /* how many bits were put into `bits`, but not written yet; between two
                          numbers there are at most 7, since whole bytes are written at once */
    for (size_t i = 0; i < count; before = numbers[i++]) {
        /* The processor can't predict which form (number_forms) the next number has, so there
         * are no branches here: masks of all bits or of none choose the form. */
        const uint64_t v = numbers[i], jump = 0u - (uint64_t)(v != before + 1);
        const uint64_t wide = 0u - (uint64_t)(v >> w.narrow != 0);
        const unsigned size = 1 + w.narrow + ((unsigned)wide & (w.wide - w.narrow));
        bits |= ((jump & (v << 2 | (wide & 2))) | (~jump & 1)) << used;
        used += 1 + ((unsigned)jump & size);
        bytes_store_u64(at, bits); /* all eight bytes of `bits` are written, but only the first
                                      `used` / 8 of them are final */
        at += used / 8;
        bits >>= used & ~7u;
        used &= 7;
    }
    out->size = (size_t)(at - out->data) + (used > 0);
}

/* ---- reading ---- */

typedef struct bit_reader {
    const uint8_t *data;
    /* The number of bytes in `data`, and the index of the next byte to read. If `at` goes past
     * `size`, zeros are read. */
    size_t size, at;
    uint64_t bits; /* bits that were read from the list but are not used yet; the lowest bit is
                      the next one */
    unsigned left; /* how many bits `bits` has, not counting the zeros above them */
} bit_reader;

/* Reads bytes until `bits` has at least 56 valid bits. */
static inline void fill_bits(bit_reader *r)
{
    if (r->at + sizeof r->bits <= r->size) {
        r->bits |= bytes_load_u64(r->data + r->at) << r->left;
        r->at += (63 - r->left) / 8;
        r->left |= 56;
        return;
    }
    for (; r->left < 56; r->left += 8, r->at++)
        if (r->at < r->size)
            r->bits |= (uint64_t)r->data[r->at] << r->left;
}

/* A number is written in one of three forms: with the narrow width, with the wide width, or as
 * the previous number + 1. The lowest two bits that are written say which form it is, and are
 * the index of these tables. The tables replace a branch that the processor can't predict. */
typedef struct number_forms {
    unsigned size[4]; /* for each form: how many bits a number takes, with the bits that say its
                         form */
    /* The lowest two bits of a number say its form; the bits above them hold the number itself.
     * `mask` selects these bits; it is 0 for the form "previous number + 1", which needs
     * none. */
    uint32_t mask[4];
} number_forms;

static inline uint32_t take_number(bit_reader *r, const number_forms *f, uint32_t before)
{
    const unsigned form = r->bits & 3;
    const uint32_t next = (before + 1) & (0u - (form & 1));
    const uint32_t number = ((uint32_t)(r->bits >> 2) & f->mask[form]) + next;
    r->bits >>= f->size[form];
    r->left -= f->size[form];
    return number;
}

/* Ends the reading of a list. Gives back whole bytes that were read, but do not belong to the
 * list, and checks that the bits left in the last byte are zeros. Returns what is wrong, or
 * NULL. */
static const char *end_of_list(bit_reader *r)
{
    r->at -= r->left / 8;
    if (r->at > r->size)
        return "a list of numbers is cut off";
    return r->bits & ((1u << r->left % 8) - 1) ? "bits after a list of numbers" : NULL;
}

const char *number_list_take(uint32_t *numbers, size_t count, size_t limit, const uint8_t **at,
                             const uint8_t *end)
{
    if (*at == end)
        return "a list of numbers is cut off";
    const unsigned wide = (**at & 0x1f) + 1u, less = **at >> WIDTH_BITS;
    bit_reader r = {.data = *at + 1, .size = (size_t)(end - *at) - 1};
    uint32_t number = 0;
    if (wide > WIDTH_MAX || less >= wide)
        return "a list of numbers has bad widths";
    const unsigned narrow = wide - less;
    const number_forms forms = (number_forms){
        {2 + narrow, 1, 2 + wide, 1},
        {(UINT32_C(1) << narrow) - 1, 0, (UINT32_C(1) << wide) - 1, 0},
    };
    const uint32_t most = limit > NUMBER_MAX ? NUMBER_MAX : limit > 0 ? (uint32_t)limit - 1 : 0;
    for (size_t i = 0; i < count; i++) {
        fill_bits(&r);
        number = take_number(&r, &forms, number);
        if (number - 1 >= most)
            return r.at - r.left / 8 > r.size ? "a list of numbers is cut off"
                                              : "a number that the file does not have";
        numbers[i] = number;
    }
    const char *problem = end_of_list(&r);
    *at = r.data + (problem ? 0 : r.at);
    return problem;
}

typedef struct near {
    range_bit next, inside, above;
    number_model beyond;
    /* `before`: the last number; `least` and `most`: the least and the greatest of all numbers
     * so far. Each is 0 before the first number. */
    uint32_t before, least, most;
} near;

static void near_init(near *n)
{
    n->next = n->inside = n->above = RANGE_BIT_INIT;
    model_bits(n->beyond.longer, sizeof n->beyond / sizeof(range_bit));
    n->before = n->least = n->most = 0;
}

/* Codes a number in one of three forms: it is the previous number + 1, or lies between the
 * least and the greatest number so far, or lies beyond them. */
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
