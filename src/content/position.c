/*
 * Places in a file's text. Jansson keeps no positions of its values, so that a problem with a
 * value is placed by scanning the text once more, along the value's JSON Pointer. The text was
 * validated before, which lets this scan skip without checking.
 */
#include "content/source.h"
#include "content/token.h"

#include <string.h>

/* at is at the opening quote; returns past the closing one. */
static const char *skip_string(const char *at)
{
    for (at++; *at && *at != '"'; at++)
        if (*at == '\\' && at[1])
            at++;
    return *at ? at + 1 : at;
}

static const char *skip_value(const char *at)
{
    size_t depth = 0;
    do {
        if (*at == '"') {
            at = skip_string(at);
            continue;
        }
        if (*at == '{' || *at == '[')
            depth++;
        else if (*at == '}' || *at == ']')
            depth--;
        else if (depth == 0)
            return at + strcspn(at, ",]} \t\r\n");
        at++;
    } while (depth > 0 && *at);
    return at;
}

/* Compares a key's text with a token of a pointer, in which ~1 is '/' and ~0 is '~'. */
static bool key_matches(const char *key, const char *key_end, const char *token,
                        const char *token_end)
{
    while (key < key_end && token < token_end) {
        char c = *token++;
        if (c == '~' && token < token_end)
            c = *token++ == '1' ? '/' : '~';
        if (*key++ != c)
            return false;
    }
    return key == key_end && token == token_end;
}

/* The member's value, the last one if the key is repeated, as Jansson has it; or NULL. */
static const char *find_member(const char *at, const char *token, const char *token_end)
{
    const char *found = NULL;
    at = token_space(at + 1);
    while (*at == '"') {
        const char *key_end = skip_string(at);
        const char *value = token_space(key_end);
        value = token_space(value + (*value == ':'));
        if (key_matches(at + 1, key_end - 1, token, token_end))
            found = value;
        at = token_space(skip_value(value));
        if (*at == ',')
            at = token_space(at + 1);
    }
    return found;
}

static const char *find_element(const char *at, const char *token, const char *token_end)
{
    size_t index = 0;
    for (; token < token_end; token++) {
        if (*token < '0' || *token > '9' || index > SCAN_COUNT_MAX)
            return NULL;
        index = index * 10 + (size_t)(*token - '0');
    }
    at = token_space(at + 1);
    for (size_t i = 0; *at && *at != ']'; i++) {
        if (i == index)
            return at;
        at = token_space(skip_value(at));
        if (*at == ',')
            at = token_space(at + 1);
    }
    return NULL;
}

size_t position_find(const char *text, size_t offset, const char *pointer)
{
    const char *at = text + offset;
    while (pointer && *pointer == '/') {
        const char *token = pointer + 1;
        const char *token_end = token + strcspn(token, "/");
        const char *next = NULL;
        if (*at == '{')
            next = find_member(at, token, token_end);
        else if (*at == '[')
            next = find_element(at, token, token_end);
        if (!next)
            break;
        at = next;
        pointer = token_end;
    }
    return (size_t)(at - text);
}
