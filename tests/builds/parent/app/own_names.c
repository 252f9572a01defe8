/* Functions of a game whose names Portolan has inside, too. The library must not call them. */
#include <stdlib.h>

void bytes_put(void);
void error_set(void);
void sqlite_exec(void);

void bytes_put(void)
{
    abort();
}

void error_set(void)
{
    abort();
}

void sqlite_exec(void)
{
    abort();
}
