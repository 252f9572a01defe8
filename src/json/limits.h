/* Limits on JSON that is read. Jansson's own limit of depth is 2,048; the limits here stay
 * below what Jansson and recursive functions can handle. */
#pragma once

enum {
    JSON_TEXT_MAX = 64 << 20,  /* bytes of one text */
    JSON_STRING_MAX = 1 << 20, /* bytes of one string */
    JSON_DEPTH_MAX = 1000,     /* depth of nested arrays and objects */
    JSON_COUNT_MAX = 1000000   /* elements of one array or object */
};
