#include "store/sqlite/connection/integrity.h"

#include "core/error.h"
#include "store/sqlite/connection/store_impl.h"

#include <stdlib.h>
#include <string.h>

/* Turns a line about a page that could not be read into an error: it tells nothing about the
 * page itself, only about the attempt to read it. */
static ptl_status page_error(const char *line, ptl_error *err)
{
    static const char CODE[] = "error code=";
    const char *code = strstr(line, CODE);
    const int number = code ? atoi(code + sizeof CODE - 1) : SQLITE_IOERR;
    const ptl_status status = sqlite_status(number);
    if (!code && !strstr(line, "failed to get page"))
        return PTL_OK;
    if (status != PTL_ERR_IO && status != PTL_ERR_NOMEM)
        return PTL_OK;
    error_set(err, status, "checking the file's structure: %s", line);
    if (err)
        err->backend_code = number;
    return status;
}

static ptl_status run(ptl_store *store, const char *sql, bool *sound,
                      void (*found)(void *payload, const char *message), void *payload,
                      ptl_error *err)
{
    stmt *s = NULL;
    const stop_hook stop = sqlite_stop_hook(store);
    *sound = true;
    ptl_status status = stmt_prepare(&s, store, sql, err);
    for (bool row = true; row && status == PTL_OK;) {
        status = stmt_step(s, &row, err);
        if (status != PTL_OK || !row || strcmp(stmt_text(s, 0), "ok") == 0)
            continue;
        /* A check that was stopped calls the pages unused that it did not visit. */
        status = stop_check(&stop, err);
        if (status != PTL_OK)
            break;
        *sound = false;
        if (!found)
            continue;
        status = page_error(stmt_text(s, 0), err);
        if (status == PTL_OK)
            found(payload, stmt_text(s, 0));
    }
    stmt_free(s);
    return status;
}

/* Before damage is reported the check is repeated, since the lack of memory or the read error
 * may have passed. */
ptl_status integrity_check(ptl_store *store, const char *sql,
                           void (*found)(void *payload, const char *message), void *payload,
                           ptl_error *err)
{
    bool sound;
    ticker *watch = interrupt_watch(store);
    ptl_status status = run(store, sql, &sound, NULL, NULL, err);
    if (status == PTL_OK && !sound)
        status = run(store, sql, &sound, found, payload, err);
    ticker_end(watch);
    return status;
}
