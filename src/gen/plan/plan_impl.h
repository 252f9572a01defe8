/* What the files of gen/plan share. */
#pragma once

#include "core/hash.h"
#include "core/whole.h"
#include "gen/plan/plan.h"

/* Returns the hash key for random numbers of a purpose, `what`, at the place (x, y). */
static inline uint64_t plan_key(const gen_config *config, const char *what, int32_t x,
                                int32_t y)
{
    uint64_t key = hash_add(config->seed, hash_string(what));
    return hash_add(hash_add(key, (uint32_t)x), (uint32_t)y);
}
