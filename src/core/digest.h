/* BLAKE2b (RFC 7693) through libsodium: checksums of rows, digests of content and worlds. */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum { DIGEST_SIZE = 32, DIGEST_HEX_SIZE = 2 * DIGEST_SIZE + 1 };

typedef struct digest {
    uint8_t bytes[DIGEST_SIZE];
} digest;

/* Lets libsodium pick the fastest code for this processor; without this call everything
 * works, but slower. May be called from any thread at any time. */
void digest_prepare(void);

/* Incremental BLAKE2b-256 without a key. The state is a plain value in the caller's memory. */
typedef struct digest_state {
    _Alignas(64) unsigned char opaque[384];
} digest_state;

void digest_init(digest_state *state);
void digest_update(digest_state *state, const void *data, size_t size);
/* Adds `size` as 8 bytes, little-endian, then the bytes themselves. So two different lists of
 * strings never give the same bytes to the digest. */
void digest_update_counted(digest_state *state, const void *data, size_t size);
/* Hashes the number as 8 bytes, little-endian. */
void digest_update_u64(digest_state *state, uint64_t value);
void digest_final(digest_state *state, digest *out);

/* Returns the first 8 bytes of BLAKE2b-128, read as a little-endian signed integer: a row's
 * checksum. */
int64_t checksum64(const void *data, size_t size);

/* Writes the digest as lower-case hexadecimal digits, with a NUL. */
void digest_to_hex(const digest *d, char out[DIGEST_HEX_SIZE]);
