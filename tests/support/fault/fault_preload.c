/*
 * Loaded before everything else (LD_PRELOAD), it makes memory run out in a whole program:
 * PORTOLAN_FAIL_ALLOC=one:N fails the Nth allocation, on:N that and all later ones. At the end
 * it writes into the file PORTOLAN_FAIL_REPORT how many allocations there were and how many
 * failed; with PORTOLAN_FAIL_PLACE set it says on stderr where the first one failed.
 */
#include "support/fault/fault_alloc.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

__attribute__((constructor)) static void begin(void)
{
    const char *text = getenv("PORTOLAN_FAIL_ALLOC");
    char mode[8] = "one";
    unsigned long long nth = 0;
    if (text)
        (void)sscanf(text, "%7[^:]:%llu", mode, &nth);
    fault_alloc_arm(nth, strcmp(mode, "on") == 0);
}

__attribute__((destructor)) static void end(void)
{
    uint64_t failed = 0;
    const uint64_t seen = fault_alloc_disarm(&failed);
    const char *path = getenv("PORTOLAN_FAIL_REPORT");
    const int file = path ? open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600) : -1;
    if (file >= 0) {
        char text[64];
        const int size = snprintf(text, sizeof text, "%" PRIu64 " %" PRIu64 "\n", seen, failed);
        (void)!write(file, text, (size_t)size);
        close(file);
    }
    if (getenv("PORTOLAN_FAIL_PLACE"))
        fault_alloc_print_place();
}
