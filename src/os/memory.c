#include "os/memory.h"

#include <sys/mman.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

void memory_large(void *start, size_t size)
{
#ifdef MADV_HUGEPAGE
    (void)madvise(start, size, MADV_HUGEPAGE);
#else
    (void)start;
    (void)size;
#endif
}

void memory_give_back(void)
{
#ifdef __GLIBC__
    /* This is where glibc begins, before it adapts the limit to what the program frees. */
    enum { LEAST = 1 << 17 };
    (void)mallopt(M_MMAP_THRESHOLD, LEAST);
#endif
}
