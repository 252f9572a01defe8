#include "clients/os/random.h"

#include <unistd.h>

bool random_fill(void *out, size_t size)
{
    return getentropy(out, size) == 0;
}
