/* One choice of palettes, parameters and conditions: that with which an entry is likest to a
 * map that was seen (possible.h). */
#include "support/truth/possible_impl.h"

#include <check.h>

/* Finds a palette or parameter of the chunks that layers place, and not of one chunk alone. */
static bool open_in_chunks(engine *e, const mapgen_layers *layers, open_draw *out)
{
    for (uint32_t i = 0; i < layers->count; i++)
        for (uint32_t p = 1; p < layers->units[i]->piece_count; p++) {
            const mapgen_piece *piece = &layers->units[i]->pieces[p];
            if (piece->kind != MAPGEN_NESTED)
                continue;
            const uint32_t ids = id_sets_union(
                e->sets, possible_values_of(e, layers, layers->units[i], piece->what),
                possible_values_of(e, layers, layers->units[i], piece->with));
            size_t count;
            id_sets_items(e->sets, ids, &count);
            for (size_t n = 0; n < count; n++) {
                const mapgen_candidate *c = mapgen_library_first(
                    e->content->library, MAPGEN_CHUNK, id_sets_items(e->sets, ids, &count)[n]);
                for (; c; c = c->next) {
                    mapgen_layers own;
                    possible_layers(e, &own, &c->entry->unit);
                    if (possible_open_palette(e, &own, out) ||
                        possible_open_parameter(e, &own, out))
                        return true;
                }
            }
        }
    return false;
}

/* Picks the id of a palette or parameter with which the map is likest to what was seen. False:
 * all are as like. */
static bool pick_best(frame *f, possible_map *out, const open_draw *d, uint32_t at)
{
    engine *e = f->e;
    likeness best = {-1, 0};
    bool tied = true;
    uint32_t taken = ID_NONE;
    size_t count;
    id_sets_items(e->sets, d->ids, &count);
    e->picks.items[at].name = d->name;
    for (size_t i = 0; i < count; i++) {
        const uint32_t id = id_sets_items(e->sets, d->ids, &count)[i];
        e->picks.items[at].id = id;
        possible_draw(f, out);
        const likeness like = possible_likeness(e, out);
        tied = tied && (i == 0 || like.tiles == best.tiles);
        if (possible_is_closer(&like, &best)) {
            best = like;
            taken = id;
        }
    }
    e->picks.items[at].id = taken;
    return !tied;
}

/* Picks one palette or parameter after the other, and then each again, as the best of one
 * depends on the others. Chunks are left out, as they take long, where the map tells without
 * them which id is best. */
void possible_pick_all(frame *f, possible_map *out)
{
    engine *e = f->e;
    open_draw draws[PICKS_MAX] = {{.ids = 0}};
    bool in_chunks[PICKS_MAX] = {false};
    for (;;) {
        const uint32_t at = e->picks.count;
        open_draw *d = &draws[at];
        possible_layers(e, &f->layers, &f->entry->unit);
        if (at == PICKS_MAX)
            break;
        e->no_chunks = possible_open_palette(e, &f->layers, d) ||
                       possible_open_parameter(e, &f->layers, d);
        if (!e->no_chunks && !open_in_chunks(e, &f->layers, d))
            break;
        e->picks.count++;
        in_chunks[at] = !pick_best(f, out, d, at) || !e->no_chunks;
    }
    for (uint32_t i = 0; i < e->picks.count && e->picks.count > 1; i++) {
        e->no_chunks = !in_chunks[i];
        pick_best(f, out, &draws[i], i);
    }
    e->no_chunks = false;
}

/* Finds pieces whose conditions did not hold: without their chunks the map is likelier. */
void possible_find_unmet(frame *f, possible_map *out)
{
    engine *e = f->e;
    const mapgen_entry *entry = f->entry;
    possible_draw(f, out);
    likeness best = possible_likeness(e, out);
    for (uint32_t i = 0; i < entry->placed.count && i < 64; i++) {
        const mapgen_piece *p = &entry->unit.pieces[entry->placed.items[i]];
        if (p->kind != MAPGEN_NESTED || p->count == 0)
            continue;
        e->unmet |= UINT64_C(1) << i;
        possible_draw(f, out);
        const likeness like = possible_likeness(e, out);
        if (possible_is_closer(&like, &best))
            best = like;
        else
            e->unmet &= ~(UINT64_C(1) << i);
    }
}

bool possible_has_parameters(const possible_content *content, id_sets *sets,
                             const mapgen_candidate *candidate)
{
    engine e = {.content = content, .sets = sets};
    mapgen_layers layers;
    open_draw d;
    possible_layers(&e, &layers, &candidate->entry->unit);
    return possible_open_palette(&e, &layers, &d) || possible_open_parameter(&e, &layers, &d);
}
