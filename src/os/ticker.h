/* A thread that calls a function every few milliseconds while another thread works. */
#ifndef OS_TICKER_H
#define OS_TICKER_H

typedef struct ticker ticker;

/* Returns a new ticker; NULL if there is no memory or no thread for it, and then nobody
 * calls tick. The first call comes after one pause, and no two calls overlap. */
ticker *ticker_begin(int milliseconds, void (*tick)(void *payload), void *payload);
/* Ends the thread. Once it returns, tick is not called any more. NULL is fine. */
void ticker_end(ticker *t);

#endif
