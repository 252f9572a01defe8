#include "store/sqlite/connection/busy.h"

#include "store/sqlite/connection/store_impl.h"

enum { OPS_BETWEEN_QUESTIONS = 2000, WATCH_MILLISECONDS = 50 };

static int ends(void *payload)
{
    const store_interrupt *i = payload;
    return (i->deaf == 0 && stop_asked(&i->stop)) || (i->ends && i->ends(i->payload));
}

/* Nobody to ask: SQLite counts no steps. */
static void set_handler(ptl_store *store)
{
    store_interrupt *i = &store->interrupt;
    const bool wanted = i->stop.asked || i->ends;
    sqlite3_progress_handler(store->db, wanted ? OPS_BETWEEN_QUESTIONS : 0,
                             wanted ? ends : NULL, i);
}

void interrupt_install(ptl_store *store)
{
    if (store->interrupt.stop.asked)
        set_handler(store);
}

void interrupt_follow(ptl_store *store, bool (*function)(void *payload), void *payload)
{
    store->interrupt.ends = function;
    store->interrupt.payload = payload;
    set_handler(store);
}

stop_hook sqlite_stop_hook(const ptl_store *store)
{
    return store->interrupt.stop;
}

bool sqlite_stopped(const ptl_store *store)
{
    return store->interrupt.deaf == 0 && stop_asked(&store->interrupt.stop);
}

void sqlite_deafen(ptl_store *store, bool on)
{
    store->interrupt.deaf += on ? 1 : -1;
}

/* ---- the thread ---- */

static void ask(void *payload)
{
    const ptl_store *store = payload;
    if (stop_asked(&store->interrupt.stop))
        sqlite3_interrupt(store->db);
}

ticker *interrupt_watch(ptl_store *store)
{
    const bool asked = store->interrupt.stop.asked && store->interrupt.deaf == 0;
    return asked ? ticker_begin(WATCH_MILLISECONDS, ask, store) : NULL;
}
