/*
 * JSON's scalars in a text that ends with a NUL (which is in no token, so no length is needed).
 * Each function gets a pointer to a token's first byte and returns the one after its last; or
 * NULL, with the place and the reason in *fault.
 */
#ifndef JSON_TOKEN_H
#define JSON_TOKEN_H

typedef struct token_fault {
    const char *at;
    const char *reason; /* a constant */
} token_fault;

const char *token_string(const char *at, token_fault *fault); /* at the opening quote */
const char *token_number(const char *at, token_fault *fault);
const char *token_literal(const char *at, token_fault *fault); /* true, false, null */

/* Passes white space; never NULL. Kept texts have next to none. */
static inline const char *token_space(const char *at)
{
    while ((unsigned char)*at <= ' ' &&
           (*at == ' ' || *at == '\n' || *at == '\r' || *at == '\t'))
        at++;
    return at;
}

#endif
