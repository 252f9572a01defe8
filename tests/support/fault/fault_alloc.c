#include "support/fault/fault_alloc.h"

#include "core/hash.h"

#include <errno.h>
#include <execinfo.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PLACE_MAX = 24, PATH_SLOTS = 1 << 17 };

/* A way of calls that led to an allocation. */
typedef struct alloc_path {
    uint64_t key;         /* of the addresses; 0: a free slot */
    uint64_t first, last; /* numbers of allocations */
} alloc_path;

static atomic_bool armed;
static atomic_uint_fast64_t seen, failures;
static atomic_int_fast64_t live;
static uint64_t fail_at; /* written while nothing is armed */
static bool fail_later;
static void *place[PLACE_MAX];
static int place_count;
static atomic_bool tracing;
static atomic_flag path_lock = ATOMIC_FLAG_INIT;
static alloc_path paths[PATH_SLOTS]; /* open addressing */
static size_t path_count;

void fault_alloc_arm(uint64_t nth, bool all_later)
{
    (void)backtrace(place, 1); /* its first call loads a library, which allocates */
    fail_at = nth;
    fail_later = all_later;
    place_count = 0;
    atomic_store(&seen, 0);
    atomic_store(&failures, 0);
    atomic_store(&armed, true);
}

uint64_t fault_alloc_disarm(uint64_t *failed)
{
    atomic_store(&armed, false);
    *failed = atomic_load(&failures);
    return atomic_load(&seen);
}

void fault_alloc_print_place(void)
{
    if (place_count > 0)
        backtrace_symbols_fd(place, place_count, STDERR_FILENO);
}

void fault_alloc_trace(bool on)
{
    if (on) {
        memset(paths, 0, sizeof paths);
        path_count = 0;
    }
    atomic_store(&tracing, on);
}

static void note_path(uint64_t number)
{
    void *frames[PLACE_MAX];
    const int count = backtrace(frames, PLACE_MAX);
    uint64_t key = 1;
    for (int i = 0; i < count; i++)
        key = hash_add(key, (uint64_t)(uintptr_t)frames[i]);
    key += key == 0;
    while (atomic_flag_test_and_set(&path_lock))
        ;
    size_t slot = key % PATH_SLOTS;
    while (paths[slot].key != 0 && paths[slot].key != key)
        slot = (slot + 1) % PATH_SLOTS;
    if (paths[slot].key == 0 && path_count < PATH_SLOTS / 2) {
        paths[slot] = (alloc_path){.key = key, .first = number};
        path_count++;
    }
    paths[slot].last = number;
    atomic_flag_clear(&path_lock);
}

static int by_number(const void *a, const void *b)
{
    const uint64_t p = *(const uint64_t *)a, q = *(const uint64_t *)b;
    return p < q ? -1 : p > q;
}

size_t fault_alloc_paths(uint64_t **out)
{
    size_t count = 0;
    uint64_t *list = malloc((2 * path_count + 1) * sizeof *list);
    for (size_t i = 0; list && i < PATH_SLOTS; i++) {
        if (paths[i].key == 0)
            continue;
        list[count++] = paths[i].first;
        if (paths[i].last > paths[i].first)
            list[count++] = paths[i].last;
    }
    if (count > 0)
        qsort(list, count, sizeof *list, by_number);
    *out = list;
    return count;
}

static bool fails(void)
{
    if (!atomic_load(&armed))
        return false;
    const uint64_t number = atomic_fetch_add(&seen, 1) + 1;
    if (atomic_load(&tracing))
        note_path(number);
    const bool fail = fail_at > 0 && (number == fail_at || (fail_later && number > fail_at));
    if (!fail)
        return false;
    if (atomic_fetch_add(&failures, 1) == 0)
        place_count = backtrace(place, PLACE_MAX);
    errno = ENOMEM;
    return true;
}

#if defined(PORTOLAN_FAULT_WRAP)

/* The linker's --wrap: a call of malloc in our objects comes here, __real_malloc is the
 * sanitizer's. */
#define OURS(name) __wrap_##name
#define REAL(name) __real_##name

bool fault_alloc_sees_libraries(void)
{
    return false;
}

static void *count_block(void *block)
{
    return block;
}

static void uncount_block(void)
{
}

#else

/* Definitions in the program stand before those of shared libraries; the C library's own
 * remain under other names. */
#define OURS(name) name
#define REAL(name) __libc_##name

bool fault_alloc_sees_libraries(void)
{
    return true;
}

static void *count_block(void *block)
{
    if (block)
        atomic_fetch_add(&live, 1);
    return block;
}

static void uncount_block(void)
{
    atomic_fetch_sub(&live, 1);
}

void *REAL(memalign)(size_t alignment, size_t size);
void REAL(free)(void *block);
void OURS(free)(void *block);
int posix_memalign(void **out, size_t alignment, size_t size);
void *aligned_alloc(size_t alignment, size_t size);
void *memalign(size_t alignment, size_t size);

void OURS(free)(void *block)
{
    if (!block)
        return;
    uncount_block();
    const int before = errno;
    REAL(free)(block);
    errno = before;
}

void *memalign(size_t alignment, size_t size)
{
    return fails() ? NULL : count_block(REAL(memalign)(alignment, size));
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return memalign(alignment, size);
}

int posix_memalign(void **out, size_t alignment, size_t size)
{
    void *block = memalign(alignment, size);
    if (!block)
        return ENOMEM;
    *out = block;
    return 0;
}

#endif

void *REAL(malloc)(size_t size);
void *REAL(calloc)(size_t count, size_t size);
void *REAL(realloc)(void *block, size_t size);
void *OURS(malloc)(size_t size);
void *OURS(calloc)(size_t count, size_t size);
void *OURS(realloc)(void *block, size_t size);

void *OURS(malloc)(size_t size)
{
    return fails() ? NULL : count_block(REAL(malloc)(size));
}

void *OURS(calloc)(size_t count, size_t size)
{
    return fails() ? NULL : count_block(REAL(calloc)(count, size));
}

void *OURS(realloc)(void *block, size_t size)
{
    if (fails())
        return NULL;
    void *moved = REAL(realloc)(block, size);
    if (!block)
        return count_block(moved);
    if (!moved && size == 0)
        uncount_block();
    return moved;
}

#if defined(PORTOLAN_FAULT_WRAP)
char *OURS(strdup)(const char *text);
char *OURS(strdup)(const char *text)
{
    const size_t size = strlen(text) + 1;
    char *copy = OURS(malloc)(size);
    return copy ? memcpy(copy, text, size) : NULL;
}
#endif

int64_t fault_alloc_live(void)
{
    return atomic_load(&live);
}
