#include "server/guard.h"

#include "os/random.h"

#include <stdio.h>
#include <string.h>

static void add_host(guard *g, const char *host, uint16_t port)
{
    char *out = g->hosts[g->host_count++];
    if (port == 80) /* browsers leave that one out */
        (void)snprintf(out, GUARD_HOST_SIZE, "%s", host);
    else
        (void)snprintf(out, GUARD_HOST_SIZE, "%s:%u", host, (unsigned)port);
}

bool guard_init(guard *g, const char *host, uint16_t port)
{
    unsigned char random[(GUARD_TOKEN_SIZE - 1) / 2];
    *g = (guard){.host_count = 0};
    if (!random_fill(random, sizeof random))
        return false;
    for (size_t i = 0; i < sizeof random; i++)
        (void)snprintf(g->token + 2 * i, 3, "%02x", random[i]);
    if (host) {
        add_host(g, host, port);
    } else {
        add_host(g, "127.0.0.1", port);
        add_host(g, "localhost", port);
    }
    return true;
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool same_name(const char *a, const char *b)
{
    while (*a && lower(*a) == lower(*b)) {
        a++;
        b++;
    }
    return *a == *b;
}

bool guard_knows_host(const guard *g, const char *host)
{
    for (size_t i = 0; host && i < g->host_count; i++)
        if (same_name(g->hosts[i], host))
            return true;
    return false;
}

bool guard_knows_token(const guard *g, const char *token)
{
    unsigned differs = 0;
    if (!token || strlen(token) != GUARD_TOKEN_SIZE - 1)
        return false;
    for (size_t i = 0; i < GUARD_TOKEN_SIZE - 1; i++)
        differs |= (unsigned)((unsigned char)g->token[i] ^ (unsigned char)token[i]);
    return differs == 0;
}
