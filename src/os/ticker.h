/* A thread that calls a function every few milliseconds while another thread works. */
#ifndef OS_TICKER_H
#define OS_TICKER_H

typedef struct ticker ticker;

/* new; NULL without memory, or without a thread: then nobody calls it. The first call comes
 * after one pause; never two at a time. */
ticker *ticker_begin(int milliseconds, void (*tick)(void *payload), void *payload);
/* When it returns, nothing is called any more. NULL is fine. */
void ticker_end(ticker *t);

#endif
