/* A thread that calls a function every few milliseconds while another thread works. */
#ifndef OS_TICKER_H
#define OS_TICKER_H

typedef struct ticker ticker;

/* Returns a new ticker, or NULL without memory or a thread: then nobody calls tick. The first
 * call comes after one pause; two never run at a time. */
ticker *ticker_begin(int milliseconds, void (*tick)(void *payload), void *payload);
/* When it returns, nothing is called any more. NULL is fine. */
void ticker_end(ticker *t);

#endif
