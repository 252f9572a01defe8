/* Searches the whole world, and goes to places. */
#include "clients/cli/view/viewer_impl.h"

#include "clients/cli/line/options.h"
#include "os/clock.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- searching ---- */

typedef struct patience {
    viewer *v;
    double told;
    bool given_up;
} patience;

/* Shows how far the search is, and ends it if a key was pressed. */
static bool go_on(void *payload, uint64_t looked)
{
    patience *p = payload;
    if (clock_seconds() < p->told + 0.2)
        return !p->given_up;
    p->told = clock_seconds();
    say(p->v, "Looked at %ju overmaps; any key ends the search", looked);
    draw_all(p->v);
    p->given_up = screen_read(p->v->screen, 0).kind != EVENT_NONE ||
                  p->v->options->should_stop(p->v->options->payload);
    return !p->given_up;
}

/* Adds hits, except at places that have one already: a special and its terrain often
 * have the same name. */
static void add_hits(finds *f, const search_hits *hits, const char *kind)
{
    for (size_t i = 0; i < hits->held; i++) {
        const search_hit *h = &hits->list[i], *other = NULL;
        size_t at = 0;
        while (at < f->count && (other = f->hits[at].hit) &&
               (other->x != h->x || other->y != h->y || other->z != h->z))
            at++;
        if (at < f->count)
            continue;
        for (at = f->count++; at > 0 && f->hits[at - 1].hit->distance > h->distance; at--)
            f->hits[at] = f->hits[at - 1];
        f->hits[at].hit = h;
        f->hits[at].kind = kind;
    }
}

/* Moves the cursor to the present hit, and says where it is. */
static void go_to_hit(viewer *v)
{
    const finds *f = &v->finds;
    const search_hit *h = f->hits[f->now].hit;
    const search_result *r = f->result;
    const double far = hypot((double)(h->x - v->at.x), (double)(h->y - v->at.y));
    /* The nearest of eight directions from the cursor to the hit; y grows to the south. */
    static const char *const names[8] = {"east", "south-east", "south", "south-west",
                                         "west", "north-west", "north", "north-east"};
    const double turn = atan2((double)(h->y - v->at.y), (double)(h->x - v->at.x)) / 0.785398163;
    char where[60] = "here";
    if (far >= 1)
        (void)snprintf(where, sizeof where, "%.0f %s", far, names[((int)lround(turn) + 8) % 8]);
    v->at = (ptl_omt){h->x, h->y, h->z};
    const bool is_cut =
        r->cities.held < r->cities.count || r->specials.held < r->specials.count;
    say(v, "%zu of %zu%s: %s, %s (all: %ju cities, %ju specials, %ju OMTs%s)", f->now + 1,
        f->count, is_cut ? " nearest" : "", h->what, where, r->cities.count, r->specials.count,
        r->terrains.count, r->looked < r->chunks && r->looked > 0 ? ", not to the end" : "");
}

/* The old hits stay until the search has ended, because the screen is drawn
 * with them meanwhile. */
void find_start(viewer *v, const char *words)
{
    ptl_error err = {0};
    patience p = {.v = v, .told = clock_seconds()};
    search_options o = {.from = v->at, .go_on = go_on, .payload = &p};
    finds *f = &v->finds;
    search_result *result;
    if (words[0] == '\0')
        words = f->words;
    if (!wish_parse(&o.wanted, words)) {
        say(v, "A search is one to 16 words, one of them without a dash before it");
        return;
    }
    const ptl_status status = atlas_search(&result, v->atlas, &o, &err);
    search_free(f->result);
    f->result = result;
    f->count = f->now = 0;
    if (words != f->words)
        (void)snprintf(f->words, sizeof f->words, "%s", words);
    if (status != PTL_OK) {
        say(v, "%s", err.message);
        search_free(f->result);
        f->result = NULL;
        return;
    }
    add_hits(f, &result->cities, "city");
    add_hits(f, &result->specials, "special");
    add_hits(f, &result->terrains, "terrain");
    if (f->count > 0)
        go_to_hit(v);
    else
        say(v, "'%s': no city and no special of this world, and no terrain on level %d%s",
            f->words, (int)v->at.z,
            result->looked < result->chunks && p.given_up ? " as far as was looked" : "");
}

void find_step(viewer *v, int step)
{
    finds *f = &v->finds;
    if (f->count == 0) {
        say(v, f->result ? "'%s' was not found" : "Nothing was searched yet: /", f->words);
        return;
    }
    f->now = (f->now + f->count + (size_t)(step > 0 ? 1 : f->count - 1)) % f->count;
    go_to_hit(v);
}

void find_list(viewer *v)
{
    finds *f = &v->finds;
    if (f->count == 0) {
        find_step(v, 1);
        return;
    }
    pane_open(&v->pane, PANE_HITS);
    bytes *out = &v->pane.text;
    words_put(out,
              "Found: %s\n%ju cities, %ju specials, %ju OMTs (of an overmap the nearest is "
              "listed)\n\n",
              f->words, f->result->cities.count, f->result->specials.count,
              f->result->terrains.count);
    for (size_t i = 0; i < f->count; i++) {
        const search_hit *h = f->hits[i].hit;
        words_put(out, " %c %6.0f  %-7s %s  %jd,%jd,%d\n", i == f->now ? '>' : ' ', h->distance,
                  f->hits[i].kind, h->what, h->x, h->y, (int)h->z);
    }
}

/* ---- places ---- */

/* Reads an absolute OMT coordinate such as "190", or the game's form "1'10":
 * overmap and OMT in it. */
static bool read_coordinate(const char *text, size_t size, int64_t *out)
{
    char part[48];
    int64_t overmap = 0, local;
    if (size == 0 || size >= sizeof part)
        return false;
    memcpy(part, text, size);
    part[size] = '\0';
    char *comma = strchr(part, '\'');
    if (!comma)
        return parse_int(part, -(INT64_C(1) << 40), INT64_C(1) << 40, out);
    *comma = '\0';
    if (!parse_int(part, -PTL_CHUNK_COORD_MAX, PTL_CHUNK_COORD_MAX, &overmap) ||
        !parse_int(comma + 1, 0, PTL_CHUNK_SIZE - 1, &local))
        return false;
    *out = overmap * PTL_CHUNK_SIZE + local;
    return true;
}

bool find_place(const viewer *v, const char *text, ptl_omt *out)
{
    int64_t values[3] = {0, 0, v->at.z};
    size_t count = 0;
    for (const char *at = text; count < 3; count++) {
        at += strspn(at, " ");
        const size_t size = strcspn(at, ", ");
        if (!read_coordinate(at, size, &values[count]))
            return false;
        at += size;
        at += strspn(at, " ");
        if (*at == '\0') {
            count++;
            break;
        }
        if (*at++ != ',')
            return false;
    }
    if (count < 2 || values[2] < PTL_Z_MIN || values[2] > PTL_Z_MAX)
        return false;
    *out = (ptl_omt){values[0], values[1], (int32_t)values[2]};
    return true;
}
