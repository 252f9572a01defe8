/*
 * BLAKE2b comes from libsodium, which is fast and well maintained. Other programs can compute
 * the same digests (Python's hashlib.blake2b).
 */
#include "core/digest.h"

#include "core/bytes.h"

#include <assert.h>
#include <sodium.h>
#include <string.h>

static_assert(sizeof(crypto_generichash_blake2b_state) <= sizeof(digest_state),
              "digest_state holds libsodium's state");

void digest_prepare(void)
{
    if (sodium_init() < 0)
        return; /* if this fails, libsodium uses its slower portable code */
}

void digest_init(digest_state *state)
{
    crypto_generichash_blake2b_init((crypto_generichash_blake2b_state *)state->opaque, NULL, 0,
                                    DIGEST_SIZE);
}

void digest_update(digest_state *state, const void *data, size_t size)
{
    if (size > 0)
        crypto_generichash_blake2b_update((crypto_generichash_blake2b_state *)state->opaque,
                                          data, size);
}

void digest_update_u64(digest_state *state, uint64_t value)
{
    uint8_t word[8];
    bytes_store_u64(word, value);
    digest_update(state, word, sizeof word);
}

void digest_update_counted(digest_state *state, const void *data, size_t size)
{
    digest_update_u64(state, size);
    digest_update(state, data, size);
}

void digest_final(digest_state *state, digest *out)
{
    crypto_generichash_blake2b_final((crypto_generichash_blake2b_state *)state->opaque,
                                     out->bytes, DIGEST_SIZE);
}

/* libsodium's call for a whole hash gives at least 16 bytes, and the bytes of BLAKE2b depend
 * on how many are asked for; so a checksum is the first half of BLAKE2b-128. */
int64_t checksum64(const void *data, size_t size)
{
    uint8_t out[16];
    crypto_generichash_blake2b(out, sizeof out, data, size, NULL, 0);
    const uint64_t value = bytes_load_u64(out);
    int64_t result;
    memcpy(&result, &value, sizeof result);
    return result;
}

void digest_to_hex(const digest *d, char out[DIGEST_HEX_SIZE])
{
    (void)sodium_bin2hex(out, DIGEST_HEX_SIZE, d->bytes, DIGEST_SIZE);
}
