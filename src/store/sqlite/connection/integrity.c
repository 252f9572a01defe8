#include "store/sqlite/connection/integrity.h"

#include "core/error.h"
#include "store/sqlite/connection/store_impl.h"

#include <stdlib.h>
#include <string.h>

/* Returns an error if the line says that a page could not be read. Such a line is about the
 * attempt to read the page, not about damage. Other lines give PTL_OK. */
static ptl_status page_error(const char *line, ptl_error *err)
{
    static const char CODE[] = "error code=";
    const char *code = strstr(line, CODE);
    const int number = code ? atoi(code + sizeof CODE - 1) : SQLITE_IOERR;
    const ptl_status status = sqlite_status(number);
    if ((!code && !strstr(line, "failed to get page")) ||
        (status != PTL_ERR_IO && status != PTL_ERR_NOMEM))
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
    while (stmt_row(s, &status, err)) {
        const char *line = stmt_text(s, 0);
        if (strcmp(line, "ok") == 0)
            continue;
        /* If the check was stopped, it calls all pages unused that it has not visited; such
         * lines are ignored. */
        status = stop_check(&stop, err);
        *sound = *sound && status != PTL_OK;
        if (status == PTL_OK && found)
            status = page_error(line, err);
        if (status == PTL_OK && found)
            found(payload, line);
    }
    stmt_free(s);
    return status;
}

/* The check is run again before damage is reported, since lack of memory or a read error may
 * have passed. */
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
