#include "core/sized.h"

#include "portolan/portolan.h"
#include "portolan/stats.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

#define END_OF(type, last) (offsetof(type, last) + sizeof(((type *)0)->last))

/* Defines the sized_type of a public struct; `last` is the last member of the struct's first
 * released version. `size` must be the first member, and that version must have no padding at
 * its end. A later member could come to lie in such padding: an older caller's size would cover
 * that member, and its bytes would be undefined. (On machines with 4-byte pointers where 64-bit
 * numbers are aligned to 8 bytes, some structs do have padding.) */
#define SIZED_DEFINE(type, init, last)                                                         \
    static_assert(offsetof(type, size) == 0 && sizeof((type *)0)->size == sizeof(size_t),      \
                  #type " begins with its size");                                              \
    static_assert(sizeof(void *) < 8 || END_OF(type, last) % _Alignof(type) == 0,              \
                  #type " ends with padding: order its members otherwise");                    \
    const sized_type sized_##type = {#init, END_OF(type, last), sizeof(type)};
SIZED_TYPES(SIZED_DEFINE)

static size_t size_of(const void *given)
{
    size_t size;
    memcpy(&size, given, sizeof size);
    return size;
}

static bool is_plausible(size_t size, const sized_type *type)
{
    return size >= type->first && size <= SIZED_MAX;
}

ptl_status sized_check(const void *given, const sized_type *type, const sized_place *place,
                       ptl_error *err)
{
    if (!given || is_plausible(size_of(given), type))
        return PTL_OK;
    return error_set(err, PTL_ERR_ARGUMENT, "%s: %s.size is %zu: begin with %s", place->call,
                     place->parameter, size_of(given), type->init);
}

ptl_status sized_take(void *local, const void *options, const sized_type *type,
                      const sized_place *place, ptl_error *err)
{
    ptl_status status = sized_check(options, type, place, err);
    if (!options || status != PTL_OK)
        return status;
    const unsigned char *bytes = options;
    size_t size = size_of(options);
    for (size_t i = type->now; i < size; i++)
        if (bytes[i] != 0)
            return error_set(err, PTL_ERR_ARGUMENT,
                             "%s: %s.size is %zu, and Portolan %s knows %zu bytes: what lies "
                             "behind them must be 0",
                             place->call, place->parameter, size, ptl_version(), type->now);
    memcpy(local, options, size < type->now ? size : type->now);
    memcpy(local, &type->now, sizeof type->now);
    return PTL_OK;
}

void sized_fill(void *out, const void *local, const sized_type *type)
{
    if (!out || !is_plausible(size_of(out), type))
        return;
    size_t size = size_of(out), known = size < type->now ? size : type->now;
    memcpy((unsigned char *)out + sizeof size, (const unsigned char *)local + sizeof size,
           known - sizeof size);
}
