#include "core/hash.h"

#include "core/bytes.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

uint64_t hash_bytes(const void *data, size_t size)
{
    const unsigned char *at = data;
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < size; i++)
        h = (h ^ at[i]) * UINT64_C(0x100000001b3);
    return hash_mix(h);
}

uint64_t hash_quick(const void *data, size_t size)
{
    const unsigned char *at = data;
    const size_t word = sizeof(uint64_t);
    uint64_t h = size, last = 0;
    for (size_t i = 0; i + word <= size; i += word) {
        memcpy(&last, at + i, word);
        h = (h ^ last) * UINT64_C(0x9e3779b97f4a7c15);
        h ^= h >> 32;
    }
    if (size >= word)
        /* The last 8 bytes of the data are read as one word. If the size is no multiple of 8,
         * they overlap the word that was read before. */
        memcpy(&last, at + size - word, word);
    else
        for (size_t i = 0; i < size; i++)
            last = last << 8 | at[i];
    return hash_mix(h ^ last);
}

uint64_t hash_string(const char *text)
{
    return hash_bytes(text, strlen(text));
}

/* ---- XXH64: by the specification of Yann Collet, "xxHash fast digest algorithm", 0.1.1 ----
 *
 * XXH64 is the checksum in .zzip files of DDA's saves (schema/saves.md), which Portolan reads
 * and writes. Portolan's own checksums are those of hash.h and digest.h. libzstd has XXH64
 * inside but does not export it, and a library for these forty lines would be one more package
 * to depend on. */

enum { STRIPE = 32, LANES = 4 };

static const uint64_t P1 = 0x9e3779b185ebca87, P2 = 0xc2b2ae3d27d4eb4f, P3 = 0x165667b19e3779f9,
                      P4 = 0x85ebca77c2b2ae63, P5 = 0x27d4eb2f165667c5;

static uint64_t turned(uint64_t value, int bits)
{
    return value << bits | value >> (64 - bits);
}

static uint64_t round_of(uint64_t lane, uint64_t word)
{
    return turned(lane + word * P2, 31) * P1;
}

uint64_t xxh64(const void *data, size_t size, uint64_t seed)
{
    static const uint8_t nothing = 0;
    const uint8_t *at = data ? data : &nothing, *end = at + size;
    uint64_t hash = seed + P5;
    if (size >= STRIPE) {
        uint64_t lanes[LANES] = {seed + P1 + P2, seed + P2, seed, seed - P1};
        for (; end - at >= STRIPE; at += STRIPE)
            for (int i = 0; i < LANES; i++)
                lanes[i] = round_of(lanes[i], bytes_load_u64(at + 8 * i));
        hash = turned(lanes[0], 1) + turned(lanes[1], 7) + turned(lanes[2], 12) +
               turned(lanes[3], 18);
        for (int i = 0; i < LANES; i++)
            hash = (hash ^ round_of(0, lanes[i])) * P1 + P4;
    }
    /* Hashes the bytes that are left, fewer than a stripe of 32 bytes: as words of 8 bytes,
     * then one of 4, then single bytes. */
    hash += size;
    for (; end - at >= 8; at += 8)
        hash = turned(hash ^ round_of(0, bytes_load_u64(at)), 27) * P1 + P4;
    if (end - at >= 4) {
        const uint64_t half = (uint64_t)at[0] | (uint64_t)at[1] << 8 | (uint64_t)at[2] << 16 |
                              (uint64_t)at[3] << 24;
        hash = turned(hash ^ half * P1, 23) * P2 + P3;
        at += 4;
    }
    for (; at < end; at++)
        hash = turned(hash ^ *at * P5, 11) * P1;
    hash = (hash ^ hash >> 33) * P2;
    hash = (hash ^ hash >> 29) * P3;
    return hash ^ hash >> 32;
}
