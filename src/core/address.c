#include "core/address.h"

#include <string.h>

void address_put(bytes *out, const char *path)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                "0123456789/-._~";
    bytes_put_text(out, path[0] == '/' ? "file://" : "");
    for (; *path; path++) {
        if (strchr(plain, *path))
            bytes_put_u8(out, (uint8_t)*path);
        else
            bytes_printf(out, "%%%02X", (unsigned char)*path);
    }
}
