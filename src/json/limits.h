/* What JSON may be that is read. Jansson's own limit of depth is 2,048; these stay below what
 * it and recursive code can bear. */
#ifndef JSON_LIMITS_H
#define JSON_LIMITS_H

enum {
    JSON_TEXT_MAX = 64 << 20,  /* bytes of one text */
    JSON_STRING_MAX = 1 << 20, /* bytes of one string */
    JSON_DEPTH_MAX = 1000,     /* arrays and objects inside each other */
    JSON_COUNT_MAX = 1000000   /* elements of one of them */
};

#endif
