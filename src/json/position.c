/*
 * All places of a document are found together. Pointers are sorted, so that those with a
 * common beginning lie side by side, and each array or object on their ways is walked once. So
 * the time is that of one walk over the entries for each token of the longest pointer, however
 * many pointers there are.
 */
#include "json/position.h"

#include "json/limits.h"

#include <stdlib.h>
#include <string.h>

/* ---- tokens of pointers ---- */

/* A token of a pointer, in which ~1 means '/' and ~0 means '~'; or a key from the text, in
 * which nothing is escaped that way. */
typedef struct token {
    const char *at, *end;
    bool escaped;
} token;

static int next_char(token *t)
{
    if (t->at == t->end)
        return -1;
    unsigned char c = (unsigned char)*t->at++;
    if (c == '~' && t->escaped && t->at < t->end)
        c = *t->at++ == '1' ? '/' : '~';
    return c;
}

static int compare_tokens(token a, token b)
{
    for (;;) {
        const int x = next_char(&a), y = next_char(&b);
        if (x != y)
            return x < y ? -1 : 1;
        if (x < 0)
            return 0;
    }
}

/* Takes the first token of a pointer, an empty one where there is none. *pointer becomes
 * what follows: "" or "/...". */
static token first_token(const char **pointer)
{
    const char *at = *pointer + (**pointer == '/');
    const char *end = at + strcspn(at, "/");
    *pointer = end;
    return (token){at, end, true};
}

/* Compares token by token, so that pointers with equal beginnings lie side by side. */
static int compare_wishes(const void *left, const void *right)
{
    const position_wish *a = left, *b = right;
    const char *p = a->pointer, *q = b->pointer;
    while (*p && *q) {
        const token x = first_token(&p), y = first_token(&q);
        const int order = compare_tokens(x, y);
        if (order != 0)
            return order;
    }
    return (*p != 0) - (*q != 0);
}

/* ---- groups: wishes with the same next token in a container ---- */

typedef struct group {
    token name;
    size_t first, count; /* of the wishes */
    size_t index;        /* of an array's element; SIZE_MAX: no number */
    size_t value;        /* entry of the member's value; 0: not found */
} group;

static int compare_groups(const void *left, const void *right)
{
    const group *a = left, *b = right;
    return a->index < b->index ? -1 : a->index > b->index;
}

static size_t index_of(token t)
{
    size_t index = 0;
    for (; t.at < t.end; t.at++) {
        if (*t.at < '0' || *t.at > '9' || index > JSON_COUNT_MAX)
            return SIZE_MAX;
        index = index * 10 + (size_t)(*t.at - '0');
    }
    return index;
}

static group *find_group(group *groups, size_t count, token key)
{
    while (count > 0) {
        group *middle = groups + count / 2;
        const int order = compare_tokens(key, middle->name);
        if (order == 0)
            return middle;
        if (order > 0) {
            groups = middle + 1;
            count -= count / 2 + 1;
        } else {
            count /= 2;
        }
    }
    return NULL;
}

/* Finds the values of the groups' members. Of a repeated key the last one counts, as in
 * Jansson. */
static void walk_object(const json_document *d, size_t object, group *groups, size_t count)
{
    const size_t last = json_behind(d, object) - 1;
    for (size_t i = object + 1; i < last; i = json_behind(d, i + 1)) {
        size_t length;
        const char *key = json_key(d, i, &length);
        group *wanted = find_group(groups, count, (token){key, key + length, false});
        if (wanted)
            wanted->value = i + 1;
    }
}

static void walk_array(const json_document *d, size_t array, group *groups, size_t count)
{
    const size_t last = json_behind(d, array) - 1;
    qsort(groups, count, sizeof *groups, compare_groups);
    for (size_t i = array + 1, k = 0, next = 0; i < last && next < count;
         i = json_behind(d, i), k++)
        for (; next < count && groups[next].index == k; next++)
            groups[next].value = i;
}

/* Resolves wishes, which are sorted, and whose remaining pointers start at the value `at`.
 * It recurses once for each token of a pointer, of which there are few. False when memory
 * is out. */
static bool meet(const json_document *d, size_t at, position_wish *wishes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        wishes[i].offset = d->entries[at].start;
    if (!json_opens(d, at))
        return true;
    group *groups = calloc(count + 1, sizeof *groups);
    if (!groups)
        return false;
    /* Wishes without a further token come first; the loop above has resolved them. */
    size_t made = 0;
    for (size_t i = 0; i < count; i++) {
        const char *rest = wishes[i].rest;
        if (!*rest)
            continue;
        const token name = first_token(&rest);
        if (made > 0 && compare_tokens(groups[made - 1].name, name) == 0)
            groups[made - 1].count++;
        else
            groups[made++] = (group){name, i, 1, index_of(name), 0};
    }

    if (made > 0)
        (json_first(d, at) == '{' ? walk_object : walk_array)(d, at, groups, made);
    bool good = true;
    for (size_t i = 0; i < made && good; i++) {
        position_wish *own = wishes + groups[i].first;
        for (size_t k = 0; k < groups[i].count; k++)
            (void)first_token(&own[k].rest);
        if (groups[i].value > 0)
            good = meet(d, groups[i].value, own, groups[i].count);
    }
    free(groups);
    return good;
}

bool position_find_all(const json_document *document, position_wish *wishes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        wishes[i].rest = wishes[i].pointer;
    if (count == 0)
        return true;
    qsort(wishes, count, sizeof *wishes, compare_wishes);
    return meet(document, 0, wishes, count);
}

/* ---- lines ---- */

position_cursor position_begin(const char *text)
{
    return (position_cursor){.text = text, .line = 1, .column = 1};
}

void position_go(position_cursor *c, size_t offset)
{
    for (; c->at < offset; c->at++)
        if (c->text[c->at] == '\n') {
            c->line++;
            c->line_start = c->at + 1;
        }
    c->column = (int)(offset - c->line_start) + 1;
}
