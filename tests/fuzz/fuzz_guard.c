/*
 * Who is let in by the server (src/clients/server/target.h). An input is a byte of switches,
 * then method, Host, token and Origin, each behind a line's end; a line that is lacking is a
 * header that is, too. Let in is only who has a name of ours, a method for what is asked, no
 * body, and for data the token.
 */
#include "clients/server/target.h"
#include "fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const guard door = {.token = "0123456789abcdef0123456789abcdef",
                           .hosts = {"127.0.0.1:8000", "localhost:8000"},
                           .host_count = 2};

static void check_let_in(const guard_request *r)
{
    fuzz_check(r->host && (strcasecmp(r->host, "127.0.0.1:8000") == 0 ||
                           strcasecmp(r->host, "localhost:8000") == 0),
               "only our names", r->host ? r->host : "none");
    fuzz_check(strcmp(r->method, r->writes ? "POST" : "GET") == 0 ||
                   (!r->writes && strcmp(r->method, "HEAD") == 0),
               "only by its methods", r->method);
    fuzz_check(!r->writes || !r->origin ||
                   strcasecmp(r->origin, "http://127.0.0.1:8000") == 0 ||
                   strcasecmp(r->origin, "http://localhost:8000") == 0,
               "no page of others writes", r->origin ? r->origin : "none");
    fuzz_check(!r->has_body, "no body", r->method);
    fuzz_check(!r->is_data || (r->token && strcmp(r->token, door.token) == 0),
               "data for the token alone", r->token ? r->token : "none");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *lines[4] = {NULL, NULL, NULL, NULL};
    char *text = malloc(size + 1);
    if (!text)
        return 0;
    if (size > 0)
        memcpy(text, data, size);
    text[size] = '\0';
    const unsigned switches = size > 0 ? data[0] : 0;
    char *at = size > 0 ? text + 1 : text;
    for (size_t i = 0; i < 4 && at; i++) {
        lines[i] = at;
        at = strchr(at, '\n');
        if (at)
            *at++ = '\0';
    }
    const guard_request r = {.method = lines[0],
                             .host = lines[1],
                             .token = lines[2],
                             .has_body = switches & 1,
                             .is_data = switches & 2,
                             .writes = switches & 4,
                             .origin = lines[3]};
    const guard_answer a = guard_answer_to(&door, &r);
    if (a.code == 200)
        check_let_in(&r);
    else
        fuzz_check(a.reason && (a.code == 405) == (a.allow != NULL), "a refusal has a reason",
                   r.method);
    free(text);
    return 0;
}
