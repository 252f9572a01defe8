#include "os/clock.h"

#include <string.h>
#include <time.h>

void clock_now(char out[32])
{
    time_t now = time(NULL);
    struct tm parts;
    if (!gmtime_r(&now, &parts) || strftime(out, 32, "%Y-%m-%dT%H:%M:%SZ", &parts) == 0)
        memcpy(out, "1970-01-01T00:00:00Z", sizeof "1970-01-01T00:00:00Z");
}
