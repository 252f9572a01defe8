/* Places in a JSON text: where the values lie that JSON Pointers (RFC 6901) name. */
#ifndef JSON_POSITION_H
#define JSON_POSITION_H

#include <stdbool.h>
#include <stddef.h>

typedef struct position_wish {
    const char *pointer; /* a JSON Pointer; borrowed */
    size_t offset;       /* filled: of its value in the text */
    void *owner;         /* the caller's */
    const char *rest;    /* the search's own */
} position_wish;

/* The offsets of the values that the pointers name inside the object at `offset`, or, where one
 * does not exist, of the nearest value on the way to it. Puts the wishes into another order.
 * False when memory is out. */
bool position_find_all(const char *text, size_t offset, position_wish *wishes, size_t count);
/* The same for one. */
size_t position_find(const char *text, size_t offset, const char *pointer);

#endif
