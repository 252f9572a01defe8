/*
 * XXH64, the checksum that others' formats use which Portolan reads and writes (.zzip files of
 * DDA's saves, schema/saves.md). Our own checksums are those of hash.h and digest.h. libzstd
 * has it inside and does not export it; a library of its own for forty lines is one package
 * more.
 */
#ifndef CORE_XXH64_H
#define CORE_XXH64_H

#include <stddef.h>
#include <stdint.h>

/* The same on every machine; data may be NULL where size is 0. */
uint64_t xxh64(const void *data, size_t size, uint64_t seed);

#endif
