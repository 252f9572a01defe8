#include "support/truth/alternatives.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>

/* Sums over maps of what was found and expected, and of the difference's square; and the
 * difference in the map that is noted now. */
typedef struct alternative_sum {
    double found, expected, squares, here;
} alternative_sum;

typedef struct list_sums {
    alternative_sum items[SHARES_MAX];
    bool touched;
} list_sums;

struct alternatives {
    const share_lists *lists;
    list_sums **sums; /* owned; by list; NULL: none was noted */
    uint32_t count;
};

alternatives *alternatives_new(const share_lists *lists)
{
    alternatives *a = calloc(1, sizeof *a);
    ck_assert_ptr_nonnull(a);
    a->lists = lists;
    return a;
}

void alternatives_free(alternatives *a)
{
    for (uint32_t i = 0; i < a->count; i++)
        free(a->sums[i]);
    free(a->sums);
    free(a);
}

static list_sums *sums_of(alternatives *a, uint32_t list)
{
    if (list >= a->count) {
        const uint32_t count = 2 * list + 1;
        a->sums = realloc(a->sums, count * sizeof(list_sums *));
        ck_assert_ptr_nonnull(a->sums);
        while (a->count < count)
            a->sums[a->count++] = NULL;
    }
    if (!a->sums[list])
        a->sums[list] = calloc(1, sizeof *a->sums[list]);
    ck_assert_ptr_nonnull(a->sums[list]);
    return a->sums[list];
}

void alternatives_note(alternatives *a, uint32_t list, uint32_t id)
{
    const id_shares *shares = share_lists_at(a->lists, list);
    bool known = false;
    for (size_t i = 0; i < shares->count; i++)
        known = known || shares->items[i].id == id;
    if (!known)
        return;
    list_sums *s = sums_of(a, list);
    s->touched = true;
    for (size_t i = 0; i < shares->count; i++) {
        const double found = shares->items[i].id == id, expected = shares->items[i].share;
        s->items[i].found += found;
        s->items[i].expected += expected;
        s->items[i].here += found - expected;
    }
}

void alternatives_end_map(alternatives *a)
{
    for (uint32_t list = 0; list < a->count; list++) {
        list_sums *s = a->sums[list];
        if (!s || !s->touched)
            continue;
        for (size_t i = 0; i < SHARES_MAX; i++) {
            s->items[i].squares += s->items[i].here * s->items[i].here;
            s->items[i].here = 0;
        }
        s->touched = false;
    }
}

void alternatives_each(const alternatives *a, double expected,
                       void (*visit)(void *payload, const alternative *one), void *payload)
{
    for (uint32_t list = 0; list < a->count; list++) {
        const list_sums *s = a->sums[list];
        for (size_t i = 0; s && i < SHARES_MAX; i++) {
            const alternative_sum *y = &s->items[i];
            if (y->expected < expected)
                continue;
            const double off = 1.96 * sqrt(y->squares);
            const alternative one = {list,
                                     share_lists_at(a->lists, list)->items[i].id,
                                     y->found,
                                     y->expected,
                                     (y->found - off) / y->expected,
                                     (y->found + off) / y->expected};
            visit(payload, &one);
        }
    }
}
