#include "os/memory.h"

#include <sys/mman.h>

void memory_large(void *start, size_t size)
{
#ifdef MADV_HUGEPAGE
    (void)madvise(start, size, MADV_HUGEPAGE);
#else
    (void)start;
    (void)size;
#endif
}
