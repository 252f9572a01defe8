#include "core/suggest.h"

#include <string.h>

enum { LENGTH_MAX = 120, BEGINNING_LEAST = 3 };

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
    *s = (suggestion){.wanted = wanted, .best_distance = bound_for(strlen(wanted)) + 1};
}

void suggest_begin_loose(suggestion *s, const char *wanted)
{
    suggest_begin(s, wanted);
    s->loose = true;
}

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

static char folded(char c)
{
    if (c == '_')
        return ' ';
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* The letters as they are compared loosely, at most LENGTH_MAX. Returns out. */
static const char *read_letters(char *out, const char *text, size_t size)
{
    for (size_t i = 0; i < size; i++)
        out[i] = folded(text[i]);
    return out;
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

/* The second choice: one of the two is the beginning of the other, which has `more` letters. */
static void offer_beginning(suggestion *s, const char *candidate, size_t shorter, size_t more)
{
    const unsigned rest = (unsigned)more + 1;
    if ((s->best && s->rest == 0) || shorter < BEGINNING_LEAST)
        return;
    if (s->best && (rest > s->rest || (rest == s->rest && strcmp(candidate, s->best) >= 0)))
        return;
    s->best = candidate;
    s->rest = rest;
}

void suggest_offer(suggestion *s, const char *candidate)
{
    char folded_a[LENGTH_MAX], folded_b[LENGTH_MAX];
    const char *a = s->wanted, *b = candidate;
    const size_t la = strlen(s->wanted), lb = strlen(candidate);
    const size_t difference = la > lb ? la - lb : lb - la;
    const bool has_near = s->best && s->rest == 0;
    const unsigned bound = has_near ? s->best_distance : s->best_distance - 1;
    if (la > LENGTH_MAX || lb > LENGTH_MAX)
        return;
    if (s->loose) {
        a = read_letters(folded_a, a, la);
        b = read_letters(folded_b, b, lb);
    }
    if (s->loose && difference > 0 && memcmp(a, b, la < lb ? la : lb) == 0)
        offer_beginning(s, candidate, la < lb ? la : lb, difference);
    if (difference > bound || bound == 0)
        return;
    const unsigned d = distance(a, la, b, lb, bound);
    if (d > bound || strcmp(s->wanted, candidate) == 0)
        return;
    if (has_near && d == s->best_distance && strcmp(candidate, s->best) >= 0)
        return;
    s->best = candidate;
    s->best_distance = d;
    s->rest = 0;
}

const char *suggest_nearest(const char *wanted, const char *const *words)
{
    suggestion s;
    suggest_begin(&s, wanted);
    for (; *words; words++)
        suggest_offer(&s, *words);
    return s.best;
}
