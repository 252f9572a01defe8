#include "core/hash.h"

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
        memcpy(&last, at + size - word, word); /* includes bytes of the previous word */
    else
        for (size_t i = 0; i < size; i++)
            last = last << 8 | at[i];
    return hash_mix(h ^ last);
}

uint64_t hash_string(const char *text)
{
    return hash_bytes(text, strlen(text));
}
