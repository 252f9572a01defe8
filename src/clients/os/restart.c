#include "clients/os/restart.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void restart_with_large_pages(char *const arguments[], const char *present)
{
#ifdef __GLIBC__
    /* hugetlb 1: pages of 2 MB for all heaps. Heaps grow by 32 MB, and larger pieces alone have
     * pages of their own. glibc's manual has these settings under "Memory Allocation Tunables".
     */
    static const char large[] = "glibc.malloc.hugetlb=1:glibc.malloc.top_pad=33554432:"
                                "glibc.malloc.mmap_threshold=33554432";
    if (present ? strcmp(present, large) != 0 : setenv(RESTART_VARIABLE, large, 1) != 0)
        return;
    if (!present)
        (void)execv("/proc/self/exe", arguments);
    (void)unsetenv(RESTART_VARIABLE); /* programs that this one starts shall not have it */
#else
    (void)arguments;
    (void)present;
#endif
}
