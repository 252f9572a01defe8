#include "clients/server/target.h"

#include "clients/os/random.h"
#include "core/utf8.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- bytes ---- */

/* Replaces the escapes %XX and + in the text itself, which never gets longer. Returns false for
 * a broken escape, and for one that means NUL. */
static bool unescape(char *text)
{
    char *to = text;
    for (const char *at = text; *at; at++) {
        char c = *at == '+' ? ' ' : *at;
        if (*at == '%') {
            const char digits[3] = {at[1], at[1] ? at[2] : '\0', '\0'};
            c = (char)(unsigned char)strtoul(digits, NULL, 16);
            if (strspn(digits, "0123456789abcdefABCDEF") != 2 || c == '\0')
                return false;
            at += 2;
        }
        *to++ = c;
    }
    *to = '\0';
    return true;
}

/* ---- the parts ---- */

/* Reads one "name=value", whose escapes are replaced in the text itself. Returns false, with
 * *reason set, if the text is refused. */
static bool read_value(target *t, char *part, const char **reason)
{
    char *equals = strchr(part, '=');
    char *value = equals ? equals + 1 : part + strlen(part);
    if (equals)
        *equals = '\0';
    if (!unescape(part) || (equals && !unescape(value)))
        *reason = "an escape is broken";
    else if (!utf8_valid(part) || !utf8_valid(value))
        *reason = "a value is no UTF-8";
    else if (target_text(t, part))
        *reason = "a value is given twice";
    else if (t->count == TARGET_VALUES_MAX)
        *reason = "too many values";
    else
        t->values[t->count++] = (target_value){part, value};
    return !*reason;
}

bool target_parse(target *out, const char *text, const char **reason)
{
    const size_t size = strlen(text);
    *out = (target){.path = ""};
    *reason = NULL;
    if (size > TARGET_SIZE_MAX) {
        *reason = "the address is too long";
        return false;
    }
    out->text = malloc(size + 1);
    if (!out->text)
        return false;
    memcpy(out->text, text, size + 1);
    char *values = strchr(out->text, '?');
    if (values)
        *values++ = '\0';
    static const char letters[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-";
    const char *path = out->text;
    if (path[0] != '/' || path[strspn(path, letters)] != '\0' || strstr(path, "..")) {
        *reason = "that is no path";
        return false;
    }
    out->path = path;
    while (values && *values) {
        char *end = values + strcspn(values, "&");
        char *next = *end ? end + 1 : end;
        *end = '\0';
        if (*values && !read_value(out, values, reason))
            return false;
        values = next;
    }
    return true;
}

void target_dispose(target *t)
{
    free(t->text);
    *t = (target){.path = ""};
}

/* ---- values ---- */

const char *target_text(const target *t, const char *name)
{
    for (size_t i = 0; i < t->count; i++)
        if (strcmp(t->values[i].name, name) == 0)
            return t->values[i].value;
    return NULL;
}

/* Takes at most 15 digits, so that the value cannot overflow. */
bool target_int(const target *t, const char *name, int64_t lo, int64_t hi, int64_t *out)
{
    const char *text = target_text(t, name);
    const char *digits = text && text[0] == '-' ? text + 1 : text ? text : "";
    const size_t size = strlen(digits);
    if (size == 0 || size > 15 || strspn(digits, "0123456789") != size)
        return false;
    const int64_t value = strtoll(text, NULL, 10);
    if (value >= lo && value <= hi)
        *out = value;
    return value >= lo && value <= hi;
}

/*
 * Decides which requests are let in: only those that know the token and whose Host header has a
 * name of this server. The check of the name keeps out pages of other web sites that reach this
 * server under a name of their own (DNS rebinding). A request that writes is also refused if
 * its browser says that a page of another server has sent it.
 */

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

/* Returns whether an origin (http://HOST:PORT) is this server. */
static bool is_own(const guard *g, const char *origin)
{
    static const char scheme[] = "http://";
    return strncasecmp(origin, scheme, sizeof scheme - 1) == 0 &&
           guard_knows_host(g, origin + sizeof scheme - 1);
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
    if (r->writes && r->origin && !is_own(g, r->origin))
        return (guard_answer){403, "a page of another server asks to write", NULL};
    if (r->has_body)
        return (guard_answer){400, "a request has no body here", NULL};
    if (r->is_data && !guard_knows_token(g, r->token))
        return (guard_answer){401, "open the link that 'portolan serve' printed last", NULL};
    return (guard_answer){200, NULL, NULL};
}
