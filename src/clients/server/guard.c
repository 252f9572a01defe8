#include "clients/server/guard.h"

#include "clients/os/random.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

static void add_host(guard *g, const char *host, uint16_t port)
{
    char *out = g->hosts[g->host_count++];
    if (port == 80) /* browsers omit the default port from the Host header */
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

bool guard_knows_host(const guard *g, const char *host)
{
    for (size_t i = 0; host && i < g->host_count; i++)
        if (strcasecmp(host, g->hosts[i]) == 0)
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

guard_answer guard_answer_to(const guard *g, const guard_request *r)
{
    const bool reads = strcmp(r->method, "GET") == 0 || strcmp(r->method, "HEAD") == 0;
    if (!guard_knows_host(g, r->host))
        return (guard_answer){403, "this server has another name", NULL};
    if (r->writes && strcmp(r->method, "POST") != 0)
        return (guard_answer){405, "POST alone: it changes the file", "POST"};
    if (!r->writes && !reads)
        return (guard_answer){405, "GET and HEAD alone", "GET, HEAD"};
    if (r->has_body)
        return (guard_answer){400, "a request has no body here", NULL};
    if (r->is_data && !guard_knows_token(g, r->token))
        return (guard_answer){401, "open the link that 'portolan serve' printed last", NULL};
    return (guard_answer){200, NULL, NULL};
}
