/*
 * Growing a mutable special (generation.md 9.2). Its first piece, the root, is placed. The
 * root's joins demand pieces on the OMTs beside it. Then one demanded OMT after the other gets
 * a piece by the rules of a phase, phase by phase, until no demand is left or the phases are
 * over. If a mandatory join is open at the end, or as soon as it is certain that one will stay
 * open, every cell gets back its former oter.
 */
#include "gen/mutable/growth_impl.h"

#include <stdlib.h>
#include <string.h>

bool growth_is_hopeless(const growth *w, uint16_t special)
{
    return w->special_work[special] > GROWTH_WORK_SPECIAL ||
           w->undone_work[special] > GROWTH_WORK_UNDONE;
}

bool growth_lacks_ground(const growth *w, uint16_t special)
{
    return w->undone_work[special] == GROWTH_WORK_NO_GROUND;
}

bool growth_room(void *list, size_t *room, size_t count, size_t size)
{
    const size_t twice = *room ? 2 * *room : 32, wanted = twice < count ? count : twice;
    void *old;
    if (count <= *room)
        return true;
    memcpy(&old, list, sizeof old);
    unsigned char *moved = realloc(old, wanted * size);
    if (!moved)
        return false;
    memset(moved + *room * size, 0, (wanted - *room) * size);
    memcpy(list, &moved, sizeof moved);
    *room = wanted;
    return true;
}

static void trace(const generator *g, const growth *w, gen_growth_step step)
{
    if (!g->trace || !g->trace->on_growth || g->trace->special != w->number)
        return;
    step.special = w->number;
    g->trace->on_growth(g->trace->payload, &step);
}

/* Notes that a mandatory join can't be met, so that the growth has failed. The cell (x, y, z)
 * would have needed a piece with the join number `join`. */
static void leave_open(growth *w, int32_t x, int32_t y, int32_t z, int16_t join)
{
    w->broken = true;
    w->open_x = (int16_t)x;
    w->open_y = (int16_t)y;
    w->open_z = (int8_t)z;
    w->open_join = (uint16_t)join;
}

static inline void record_join(growth *w, const growth_omt *t, int side, uint16_t join)
{
    w->stock->joins[w->join_count++] =
        (gen_join){.x = t->x, .y = t->y, .z = t->z, .side = (uint8_t)side, .join = join};
}

/* Called if the join of an arm (a side of a new piece) does not match the join of the side
 * that faces it on the OMT `theirs`. Tries the alternative joins of both sides. Returns the
 * arm's join by which the two sides meet; GROWTH_NO_JOIN if they do not meet. */
static int16_t meet_otherwise(const growth *w, const growth_arm *arm, int32_t theirs,
                              growth_facing facing)
{
    const cat_join *joins = w->layout->joins;
    const int16_t own = arm->use->join;
    if (growth_meets(w->layout, arm->use, facing.join))
        return (int16_t)joins[facing.join].opposite;
    const bool meets =
        facing.choice ? growth_meets(w->layout, w->stock->brought[theirs].sides[arm->back], own)
                      : joins[facing.join].opposite == own;
    return meets ? own : GROWTH_NO_JOIN;
}

/*
 * Lets an arm (a side with a join) of a new piece meet the side of an older piece that faces
 * it. As the older piece may have been placed by the same use of a rule and may have met
 * nothing yet, the alternative joins of both sides count. If the sides meet, both are recorded,
 * each with the join that matched. If they do not and one of them is mandatory, the growth
 * fails.
 */
static inline void meet(growth *w, const growth_omt *mine, const growth_arm *arm,
                        int32_t theirs, growth_facing facing)
{
    const bool reject = arm->faced.type == PTL_JOIN_REJECT || facing.type == PTL_JOIN_REJECT;
    if (facing.join == arm->wanted && !reject) {
        record_join(w, &w->stock->omts[theirs], arm->back, arm->answer);
        record_join(w, mine, arm->side, (uint16_t)arm->met);
        return;
    }
    const cat_join *joins = w->layout->joins;
    const int16_t join = reject ? GROWTH_NO_JOIN : meet_otherwise(w, arm, theirs, facing);
    if (join != GROWTH_NO_JOIN) {
        record_join(w, &w->stock->omts[theirs], arm->back, joins[join].opposite);
        record_join(w, mine, arm->side, (uint16_t)join);
    } else if (arm->mandatory || facing.type == PTL_JOIN_MANDATORY) {
        leave_open(w, mine->x, mine->y, mine->z, (int16_t)joins[facing.join].opposite);
    }
}

/* Handles one arm (a side with a join) of a piece that was just placed on the OMT `mine`, at
 * `cell`. If a side of another piece faces the arm, they meet; otherwise the arm puts a demand
 * on the OMT beyond it. `spots` has, for the level of the OMT beyond, 1 + the index of each
 * cell's data in growth_stock.omts; NULL if the growth has no data of cells there. */
static inline void open_side(growth *w, growth_omt *mine, int32_t cell, const growth_arm *arm,
                             const uint16_t *spots)
{
    /* `facing` is never GROWTH_FACES_BORDER: open_sides has handled sides that face the
     * border. */
    const growth_facing facing = mine->faces[arm->side];
    int32_t beyond = spots ? spots[cell + arm->step] - 1 : GROWTH_NO_OMT;
    if (beyond == GROWTH_NO_OMT)
        beyond = growth_omt_new(w, mine->x + arm->dx, mine->y + arm->dy, mine->z + arm->dz);
    if (beyond == GROWTH_NO_OMT)
        return;
    growth_omt *theirs = &w->stock->omts[beyond];
    theirs->faces[arm->back] = arm->faced;
    if (facing.join != GROWTH_FACES_NOTHING) {
        growth_demand_remove(w, mine, arm->side);
        meet(w, mine, arm, beyond, facing);
        return;
    }
    /* The OMT beyond the arm may have been set aside because no rule fitted there. A piece may
     * fit now, since the cells around have changed. */
    growth_restore(w, beyond);
    if (arm->asked)
        growth_demand_add(w, beyond, theirs, arm);
}

/* Lets each arm of a piece that was placed on an OMT meet the side that faces it, or demand a
 * piece on the OMT beyond (generation.md 9.1). */
static void open_sides(growth *w, int32_t omt, const growth_arms *arms)
{
    growth_omt *t = &w->stock->omts[omt];
    const int32_t cell = t->y * SIZE + t->x;
    const uint16_t *const *spots = (const uint16_t *const *)&w->spots[t->z - PTL_Z_MIN];
    for (const growth_arm *arm = arms->list, *end = arm + arms->count; arm < end && !w->nomem;
         arm++) {
        if (t->faces[arm->side].join == GROWTH_FACES_BORDER) {
            /* An arm (a side with a join) that leads over the chunk's border meets nothing. If
             * it is mandatory, it stays open. */
            if (arm->mandatory)
                leave_open(w, t->x + arm->dx, t->y + arm->dy, t->z + arm->dz,
                           arm->wanted); /* this cell may lie outside of the chunk, or on a
                                          * level that does not exist */
            continue;
        }
        open_side(w, t, cell, arm, spots[arm->dz]);
        if (arm->faced.choice)
            w->stock->brought[omt].sides[arm->side] = arm->use;
    }
}

/* Places a piece on its cell: writes the piece's oter, and handles its arms (sides with joins)
 * and the demands on the cell. */
static void add_piece(generator *g, growth *w, uint16_t number, const growth_option *where)
{
    const size_t count = w->piece_count;
    if (count >= GROWTH_PIECES_MAX) {
        w->full = true;
        return;
    }
    ptl_oter *cells = cells_at(g, where->z);
    int32_t omt = cells ? growth_omt_at(w, where->x, where->y, where->z) : GROWTH_NO_OMT;
    if (cells && omt == GROWTH_NO_OMT)
        omt = growth_omt_new(w, where->x, where->y, where->z);
    if (omt == GROWTH_NO_OMT) {
        w->nomem = true;
        return;
    }
    const int32_t cell = where->y * SIZE + where->x;
    const growth_arms *arms = &w->arms[4 * (size_t)number + where->rotation];
    w->stock->before[count] = cells[cell];
    w->stock->pieces[count] = (gen_piece){.piece = number,
                                          .x = where->x,
                                          .y = where->y,
                                          .z = where->z,
                                          .rotation = where->rotation};
    w->piece_count = count + 1;
    cells[cell] = arms->oter; /* the change of this cell is reported later, by growth_tell */
    w->z_min = where->z < w->z_min ? where->z : w->z_min;
    w->z_max = where->z > w->z_max ? where->z : w->z_max;
    growth_use_omt(w, omt, &w->stock->omts[omt]);
    growth_restore(w, omt);
    open_sides(w, omt, arms);
    /* The demands that are left are on sides on which the new piece has no join. Remove those
     * that are not mandatory. */
    growth_omt *t = &w->stock->omts[omt];
    for (unsigned left = t->asked & ~(unsigned)t->mandatory; left; left &= left - 1)
        growth_demand_remove(w, t, __builtin_ctz(left));
}

/* Uses a rule once: places all of its pieces. */
static void add_rule(generator *g, growth *w, size_t number, const growth_option *at)
{
    const cat_rule *rule = &w->layout->phases[w->phase].rules[number];
    if (w->left[number] < INT32_MAX)
        w->left[number]--;
    for (size_t i = 0; i < rule->piece_count && !w->nomem && !w->full; i++) {
        const cat_rule_piece *p = &rule->pieces[i];
        const point to = turned(p->x, p->y, at->rotation, at->x, at->y);
        const growth_option where = {(int16_t)to.x, (int16_t)to.y, (int8_t)(at->z + p->z),
                                     (uint8_t)((at->rotation + p->rotation) & 3)};
        add_piece(g, w, p->piece, &where);
        trace(g, w,
              (gen_growth_step){.event = PTL_GROWTH_PIECE,
                                .piece = p->piece,
                                .x = where.x,
                                .y = where.y,
                                .z = where.z,
                                .rotation = where.rotation,
                                .phase = (int32_t)w->phase,
                                .rule = (int32_t)number});
    }
}

static bool stopped(const growth *w)
{
    return w->nomem || w->full || w->broken || w->costly;
}

static bool enter_phase(generator *g, growth *w, size_t phase)
{
    w->phase = phase;
    if (phase >= w->layout->phase_count)
        return false;
    if (!growth_enter(g, w))
        w->nomem = !w->costly;
    trace(g, w, (gen_growth_step){.event = PTL_GROWTH_PHASE, .phase = (int32_t)phase});
    return !w->nomem && !w->costly;
}

/* Runs the loop of generation.md 9.2, phase by phase. Each round takes an OMT with a demand,
 * and either places the pieces of a rule there or sets the OMT aside. An OMT that was set aside
 * is taken again only after a new piece was placed beside it, or in a new phase, so that there
 * can't be endlessly many rounds. */
static void run_phases(generator *g, growth *w)
{
    if (!enter_phase(g, w, 0))
        return;
    while (w->open_count > 0 && !stopped(w)) {
        const int32_t omt = growth_pick(w);
        growth_option option;
        if (growth_satisfy(g, w, omt, &w->rule, &option)) {
            add_rule(g, w, w->rule, &option);
        } else if (!w->nomem && !w->costly) {
            const growth_omt *t = &w->stock->omts[omt];
            growth_postpone(w, omt);
            trace(g, w,
                  (gen_growth_step){.event = PTL_GROWTH_POSTPONED,
                                    .x = t->x,
                                    .y = t->y,
                                    .z = t->z,
                                    .phase = (int32_t)w->phase});
        }
        while (!stopped(w) && (w->open_count == 0 || growth_exhausted(w))) {
            if (!enter_phase(g, w, w->phase + 1))
                return;
            growth_restore_all(w);
            if (w->open_count == 0)
                return;
        }
    }
}

/* Returns the oters, cell by cell, of the level on which a placed piece stands. */
static ptl_oter *cells_of(const generator *g, const gen_piece *p)
{
    return chunk_level(g->chunk, p->z)->cells;
}

void growth_take_back(generator *g)
{
    const growth *w = g->growth;
    for (size_t i = w->piece_count; i-- > 0;) {
        const gen_piece *p = &w->stock->pieces[i];
        cells_of(g, p)[p->y * SIZE + p->x] = w->stock->before[i];
    }
}

void growth_tell(generator *g)
{
    const growth *w = g->growth;
    const site_bits *untold = NULL;
    int z = PTL_Z_MIN - 1;
    for (size_t i = 0; i < w->piece_count; i++) {
        const gen_piece *p = &w->stock->pieces[i];
        const int32_t cell = p->y * SIZE + p->x;
        cell_covered(g, p->z, cell, w->stock->before[i],
                     w->layout->pieces[p->piece].oters[p->rotation]);
        if (p->z != z)
            untold = site_untold_cells(g, p->z);
        z = p->z;
        if (g->watching && !(untold && site_has(untold, p->x, p->y)) &&
            cells_of(g, p)[cell] != w->stock->before[i])
            site_map_cell(g, p->z, cell, w->stock->before[i]);
    }
}

void growth_undo(generator *g)
{
    growth *w = g->growth;
    for (size_t i = w->piece_count; i-- > 0;) {
        const gen_piece *p = &w->stock->pieces[i];
        cell_set(g, cells_of(g, p), p->z, p->y * SIZE + p->x, w->stock->before[i]);
    }
    w->piece_count = w->join_count = 0;
}

/* Prepares the growth of the special at this site. False when memory is out. */
static bool begin(generator *g, growth *w, const growth_site *site, uint64_t key)
{
    w->number = site->special;
    w->layout = g->config->cat->specials[site->special].layout;
    w->random = rng_from_key(key);
    w->broken = w->full = w->nomem = w->costly = false;
    w->open_x = site->x;
    w->open_y = site->y;
    w->open_z = site->z;
    w->open_join = 0;
    w->z_min = w->z_max = site->z;
    growth_clear(w);
    for (int32_t z = PTL_Z_MIN; z <= PTL_Z_MAX; z++)
        w->owned[z - PTL_Z_MIN] = site_owned_cells(g, z);
    const growth_plan *plan = growth_plan_of(g, w);
    if (!w->stock)
        w->stock = malloc(sizeof *w->stock);
    w->arms = plan ? plan->arms : NULL;
    return plan && w->stock &&
           growth_room(&w->open, &w->list_room, w->layout->join_count, sizeof *w->open) &&
           growth_share(w);
}

/* Returns the result of a growth that has ended. */
static growth_result outcome(growth *w)
{
    if (w->full)
        return GROWTH_LIMIT;
    if (w->costly) {
        /* This growth was broken off because it took too much work, or because all specials
         * together did (GROWTH_WORK_CHUNK). With this value the special is not grown again in
         * the chunk in either case. */
        w->special_work[w->number] = GROWTH_WORK_SPECIAL + 1;
        return GROWTH_COSTLY;
    }
    /* The growth has failed if a mandatory demand is left. */
    for (size_t i = 0; i < w->used_count && !w->broken; i++) {
        const growth_omt *t = &w->stock->omts[w->stock->used[i]];
        for (int side = 0; t->mandatory && side < PTL_SIDES && !w->broken; side++)
            if (t->mandatory >> side & 1)
                leave_open(w, t->x, t->y, t->z, t->demand[side]);
    }
    return w->broken ? GROWTH_OPEN : GROWTH_DONE;
}

/* Each mandatory side of the root must lead to ground that its join accepts, as is required of
 * every later piece; the growth fails if one does not. The games do not require that of the
 * root. For most origins site_origins has ensured it, but not for specials that are placed by
 * other specials, and not in trials. */
static void look_beyond_root(const generator *g, growth *w, const growth_site *site)
{
    const growth_arms *arms = &w->arms[4 * (size_t)w->layout->root + site->rotation];
    if (g->config->options.compat)
        return;
    for (const growth_arm *arm = arms->list, *end = arm + arms->count; arm < end; arm++) {
        const int32_t x = site->x + arm->dx, y = site->y + arm->dy, z = site->z + arm->dz;
        if (arm->mandatory && !w->broken && !growth_may_lead(g, w, arm, x, y, z))
            leave_open(w, x, y, z, arm->wanted);
    }
}

/* Fills in *out and reports the end of the growth to the trace. If the growth failed, the cells
 * get back what they were. */
static void end(generator *g, growth *w, growth_result result, grown *out)
{
    gen_growth_step step = {.event = PTL_GROWTH_DONE, .count = (int32_t)w->piece_count};
    if (result != GROWTH_DONE) {
        step.event = PTL_GROWTH_UNDONE;
        step.x = out->open_x = w->open_x;
        step.y = out->open_y = w->open_y;
        step.z = out->open_z = w->open_z;
        out->open_join = w->open_join;
        step.rule = result == GROWTH_OPEN     ? w->open_join
                    : result == GROWTH_COSTLY ? GEN_UNDONE_COSTLY
                                              : GEN_UNDONE_LARGE;
        growth_take_back(g);
        w->piece_count = w->join_count = 0;
    }
    if (w->stock) {
        out->pieces = w->stock->pieces;
        out->joins = w->stock->joins;
    }
    out->piece_count = w->piece_count;
    out->join_count = w->join_count;
    trace(g, w, step);
}

growth_result growth_run(generator *g, const growth_site *site, uint64_t key, grown *out)
{
    growth *w = g->growth;
    const growth_option root = {site->x, site->y, site->z, site->rotation};
    const uint64_t before = w->special_work[site->special];
    memset(out, 0, sizeof *out);
    w->piece_count = w->join_count = 0;
    if (!growth_inside(site->x, site->y, site->z))
        return GROWTH_BLOCKED;
    w->nomem = !begin(g, w, site, key);
    if (!w->nomem) {
        add_piece(g, w, w->layout->root, &root);
        gen_growth_step step = {.event = PTL_GROWTH_BEGINS,
                                .piece = w->layout->root,
                                .x = site->x,
                                .y = site->y,
                                .z = site->z,
                                .rotation = site->rotation,
                                .rule = -1,
                                .count = site->draw};
        trace(g, w, step);
        step.event = PTL_GROWTH_PIECE;
        trace(g, w, step);
        look_beyond_root(g, w, site);
    }
    if (!stopped(w))
        run_phases(g, w);
    const growth_result result = w->nomem ? GROWTH_OPEN : outcome(w);
    g->failed = g->failed || w->nomem;
    if (result != GROWTH_DONE)
        w->undone_work[site->special] +=
            GROWTH_WORK_BEGUN + w->special_work[site->special] - before;
    end(g, w, result, out);
    return result;
}

growth_result growth_grow(generator *g, const growth_site *site, grown *out)
{
    const uint64_t words[] = {
        hash_string("growth"),     (uint32_t)g->chunk->pos.x,
        (uint32_t)g->chunk->pos.y, g->config->cat->specials[site->special].key,
        (uint16_t)site->x,         (uint16_t)site->y,
        (uint8_t)site->z,          site->rotation,
        (uint16_t)site->draw};
    uint64_t key = g->config->seed;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        key = hash_add(key, words[i]);
    uint64_t *undone = &g->growth->undone_work[site->special];
    const bool first = *undone == 0 && site->z == 0;
    const growth_result result = growth_run(g, site, key, out);
    /* It is a costly test whether the special can grow in this chunk at all. So it is made only
     * after the special's first failure; most specials never fail. */
    if (result == GROWTH_OPEN && first && !g->failed && !growth_has_hope(g, site->special))
        *undone = GROWTH_WORK_NO_GROUND;
    return result;
}

/* ---- as a part of a generator ---- */

static void make_growth(generator *g)
{
    growth *w = g->growth = generator_memory(g, 1, sizeof *w);
    if (!w)
        return;
    w->special_count = g->config->cat->special_count;
    w->special_work = generator_memory(g, w->special_count + 1, sizeof *w->special_work);
    w->undone_work = generator_memory(g, w->special_count + 1, sizeof *w->undone_work);
    w->plans = generator_memory(g, w->special_count + 1, sizeof *w->plans);
}

static void drop_growth(generator *g)
{
    growth *w = g->growth;
    if (!w)
        return;
    for (int i = 0; i < PTL_LEVELS; i++)
        free(w->spots[i]);
    for (size_t i = 0; i < w->list_room; i++)
        free(w->open[i].demands);
    free(w->stock);
    free(w->open);
    free(w->left);
    free(w->shared);
    free(w->options);
    free(w->entries);
    free(w->patches);
    free(w->grounds);
}

static void reset_growth(generator *g)
{
    growth *w = g->growth;
    w->chunk_work = 0;
    memset(w->special_work, 0, w->special_count * sizeof *w->special_work);
    memset(w->undone_work, 0, w->special_count * sizeof *w->undone_work);
}

const gen_part growth_part = {make_growth, drop_growth, reset_growth};
