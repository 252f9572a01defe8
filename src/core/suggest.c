#include "core/suggest.h"

#include <string.h>

enum { LENGTH_MAX = 120, BEGINNING_LEAST = 3 };

/*
 * The rank of a known word says how near it is to the wanted text; a lower rank is nearer. It
 * is one of the numbers below, plus the number of letters that are left over or wrong:
 *   RANK_LETTER: one letter is wrong
 *   RANK_BEGINNING: the wanted text is the beginning of the word
 *   RANK_WORD: the known word contains the wanted text as whole words
 *   RANK_LETTERS: several letters are wrong
 *   RANK_SHORTER: the known word is the beginning of the wanted text
 *   RANK_NONE: the known word is not near
 */
enum {
    RANK_LETTER = 1,
    RANK_BEGINNING = 1000,
    RANK_WORD = 2000,
    RANK_LETTERS = 3000,
    RANK_SHORTER = 4000,
    RANK_NONE = 5000
};

/* Returns the greatest edit distance worth suggesting for a text of this length. It is lower
 * for short ids, because every short id is near to many others. */
static unsigned bound_for(size_t length)
{
    enum { SHORT = 6, LONG = 12 };
    if (length < SHORT)
        return length > 1;
    return length < LONG ? 2 : (unsigned)length / 4;
}

void suggest_begin(suggestion *s, const char *wanted)
{
    *s = (suggestion){.wanted = wanted, .rank = RANK_NONE};
}

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

/* Copies a text with capitals as small letters and _ as a blank, since these count as equal.
 * The text has at most LENGTH_MAX bytes. */
static void read_letters(char *out, const char *text, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        const char c = text[i];
        out[i] = c == '_' ? ' ' : c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
    }
}

/*
 * Returns the edit distance of a and b if it is at most bound, else bound + 1. rows[i % 3][j]
 * is the distance of the first i characters of a from the first j of b. It is only computed
 * where it can be at most bound, that is, where i and j differ little.
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
        /* `above` has the distances for i - 1, up to the column before `to`; in the column `to`
         * none was computed, because it is surely greater than `bound`. So `far` is put
         * there. */
        if (i + bound <= lb)
            above[to] = far;
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

/* Does `wanted` stand in the text as one or more whole words? */
static bool has_word(const char *text, size_t length, const char *wanted, size_t size)
{
    for (size_t i = 1; i + size <= length; i++)
        if (text[i - 1] == ' ' && (i + size == length || text[i + size] == ' ') &&
            memcmp(text + i, wanted, size) == 0)
            return true;
    return false;
}

/* Returns a rank that says how near the known word b is to the wanted text a, if one of them
 * begins with the other, or if whole words of b are a; otherwise RANK_NONE. */
static unsigned rank_by_words(const char *a, size_t la, const char *b, size_t lb)
{
    if (la < lb && la >= BEGINNING_LEAST && memcmp(a, b, la) == 0)
        return RANK_BEGINNING + (unsigned)(lb - la);
    if (la < lb && la >= BEGINNING_LEAST && has_word(b, lb, a, la))
        return RANK_WORD + (unsigned)(lb - la);
    if (lb < la && lb >= BEGINNING_LEAST && memcmp(a, b, lb) == 0)
        return RANK_SHORTER + (unsigned)(la - lb);
    return RANK_NONE;
}

/* Returns the rank of the known word b (how near it is to the wanted text a) by the edit
 * distance of both. Returns RANK_NONE if s->best already has a better rank, or if the distance
 * is too large. */
static unsigned rank_by_distance(const suggestion *s, const char *a, size_t la, const char *b,
                                 size_t lb)
{
    const size_t difference = la > lb ? la - lb : lb - la;
    unsigned bound = bound_for(la);
    if (s->rank < RANK_LETTERS)
        bound = least(bound, RANK_LETTER);
    else if (s->rank < RANK_SHORTER)
        bound = least(bound, s->rank - RANK_LETTERS);
    if (difference > bound || bound == 0)
        return RANK_NONE;
    const unsigned d = distance(a, la, b, lb, bound);
    if (d > bound)
        return RANK_NONE;
    return d <= RANK_LETTER ? d : RANK_LETTERS + d;
}

void suggest_offer(suggestion *s, const char *candidate)
{
    char a[LENGTH_MAX], b[LENGTH_MAX];
    const size_t la = strlen(s->wanted), lb = strlen(candidate);
    if (la > LENGTH_MAX || lb > LENGTH_MAX || strcmp(s->wanted, candidate) == 0)
        return;
    read_letters(a, s->wanted, la);
    read_letters(b, candidate, lb);
    const unsigned rank = least(rank_by_words(a, la, b, lb), rank_by_distance(s, a, la, b, lb));
    if (rank > s->rank || rank == RANK_NONE ||
        (rank == s->rank && strcmp(candidate, s->best) >= 0))
        return;
    s->best = candidate;
    s->rank = rank;
}

bool suggest_is_misspelt(const suggestion *s)
{
    return s->rank <= RANK_LETTER || (s->rank > RANK_LETTERS && s->rank < RANK_SHORTER);
}

const char *suggest_nearest(const char *wanted, const char *const *words)
{
    suggestion s;
    suggest_begin(&s, wanted);
    for (; *words; words++)
        suggest_offer(&s, *words);
    return s.best;
}
