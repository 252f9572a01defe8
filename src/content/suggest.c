/*
 * "Did you mean": the known id that is nearest to an unknown one by edit distance (insert,
 * delete, replace, swap of neighbours), where one is near enough to be what was meant.
 */
#include "content/import.h"

#include <stdlib.h>
#include <string.h>

enum { LENGTH_MAX = 120 };

/* The greatest distance worth suggesting; less for short ids, to which everything is near. */
static unsigned bound_for(size_t length)
{
    size_t bound = length / 4 > 2 ? length / 4 : 2;
    if (bound > length / 2)
        bound = length / 2;
    return (unsigned)bound;
}

void suggest_begin(suggestion *s, const char *wanted)
{
    *s = (suggestion){wanted, NULL, bound_for(strlen(wanted)) + 1};
}

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

/*
 * Distance of a and b if it is at most bound, else bound + 1. Only the diagonal band of cells
 * that can stay within the bound is computed; rows[i % 3][j] is the distance of the first i and
 * j characters.
 */
static unsigned distance(const char *a, size_t la, const char *b, size_t lb, unsigned bound)
{
    unsigned rows[3][LENGTH_MAX + 2] = {{0}};
    const unsigned far = bound + 1;
    for (size_t j = 0; j <= lb; j++)
        rows[0][j] = (unsigned)j;
    for (size_t i = 1; i <= la; i++) {
        unsigned *row = rows[i % 3], *above = rows[(i + 2) % 3], *above2 = rows[(i + 1) % 3];
        size_t from = i > bound ? i - bound : 1;
        size_t to = i + bound < lb ? i + bound : lb;
        unsigned best = far;
        row[from - 1] = from == 1 ? (unsigned)i : far;
        if (i + bound <= lb)
            above[to] = far; /* outside the row above's band */
        for (size_t j = from; j <= to; j++) {
            unsigned cost = above[j - 1] + (a[i - 1] != b[j - 1]);
            cost = least(cost, least(above[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                cost = least(cost, above2[j - 2] + 1);
            row[j] = cost;
            best = least(best, cost);
        }
        if (best > bound && row[from - 1] > bound)
            return far;
    }
    return least(rows[la % 3][lb], far);
}

void suggest_offer(suggestion *s, const char *candidate)
{
    size_t la = strlen(s->wanted), lb = strlen(candidate);
    size_t difference = la > lb ? la - lb : lb - la;
    unsigned bound = s->best ? s->best_distance : s->best_distance - 1;
    if (la > LENGTH_MAX || lb > LENGTH_MAX || difference > bound || bound == 0)
        return;
    unsigned d = distance(s->wanted, la, candidate, lb, bound);
    if (d > bound || d == 0)
        return;
    /* Of equally near ids the first in strcmp order, whatever order they are offered in. */
    if (s->best && d == s->best_distance && strcmp(candidate, s->best) >= 0)
        return;
    s->best = candidate;
    s->best_distance = d;
}

const char *suggest_text(import *im, const suggestion *s)
{
    static const char before[] = ", did you mean '";
    if (!s->best)
        return "";
    size_t length = strlen(s->best);
    char *text = arena_alloc(im->arena, sizeof before + length + 2);
    if (!text)
        return "";
    memcpy(text, before, sizeof before - 1);
    memcpy(text + sizeof before - 1, s->best, length);
    memcpy(text + sizeof before - 1 + length, "'?", 3);
    return text;
}
