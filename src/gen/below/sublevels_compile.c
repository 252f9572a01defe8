/*
 * Compiles the content for step sublevels: finds the terrains that the step draws with, and
 * what each oter asks for on the level below it.
 */
#include "gen/below/sublevels.h"

#include <string.h>

typedef struct compiler {
    const catalogue *cat;
    sub_content *content;
    bool *grown; /* by terrain: whether it is a piece of a mutable special */
} compiler;

static ptl_oter oter(const compiler *c, const char *id)
{
    return catalogue_oter_or_first(c->cat, id);
}

/* Returns the first oter of the terrain; CAT_NONE if the content lacks the terrain, or if a
 * mutable special grows it, so that the step need not make it. */
static ptl_oter product(const compiler *c, const char *id)
{
    const ptl_oter found = oter(c, id);
    return found != CAT_NONE && c->grown[c->cat->oters[found].terrain] ? CAT_NONE : found;
}

/* Notes that step sublevels must make a thing of this kind (a lab, a mine, ...) below each oter
 * of this terrain. */
static void ask(const compiler *c, const char *id, sub_kind kind)
{
    const uint16_t t = catalogue_terrain(c->cat, id);
    if (t != CAT_NONE)
        memset(c->content->kinds + c->cat->terrains[t].first, (int)kind,
               c->cat->terrains[t].count);
}

/* Finds the connections of sewers and subways, and which terrains ask for a sewer or a subway
 * station below them. */
static void compile_lines(const compiler *c)
{
    sub_content *r = c->content;
    r->lines[SUB_SEWERS] = catalogue_connection(c->cat, "sewer_tunnel");
    r->lines[SUB_SUBWAYS] = catalogue_connection(c->cat, "subway_tunnel");
    if (r->lines[SUB_SEWERS] != CAT_NONE) {
        ask(c, "road_nesw_manhole", SUB_MANHOLE);
        ask(c, "sewage_treatment", SUB_MANHOLE);
        ask(c, "sewer_connector", SUB_SEWER_CONNECTOR);
    }
    if (r->lines[SUB_SUBWAYS] != CAT_NONE)
        ask(c, "microlab_sub_connector", SUB_SUBWAY_CONNECTOR);
    r->hall = oter(c, "sewer_sub_station");
    r->platform = oter(c, "underground_sub_station");
    if (r->hall != CAT_NONE || r->platform != CAT_NONE)
        ask(c, "sub_station", SUB_STATION);
}

/* Finds the oters of each kind of lab, and which terrains ask for a lab below them. */
static void compile_labs(const compiler *c)
{
    static const struct {
        const char *lab, *stairs, *core, *finale, *depot;
    } ids[SUB_LABS] = {
        {"lab", "lab_stairs", "lab_core", "lab_finale", "lab_train_depot"},
        {"ice_lab", "ice_lab_stairs", "ice_lab_core", "ice_lab_finale", "ice_lab_train_depot"},
        {"central_lab", "central_lab_stairs", "central_lab_core", "central_lab_finale",
         "central_lab_train_depot"}};
    for (int i = 0; i < SUB_LABS; i++) {
        sub_lab *lab = &c->content->labs[i];
        *lab = (sub_lab){product(c, ids[i].lab), oter(c, ids[i].stairs), oter(c, ids[i].core),
                         oter(c, ids[i].finale), oter(c, ids[i].depot)};
        if (lab->lab == CAT_NONE || lab->stairs == CAT_NONE || lab->core == CAT_NONE ||
            lab->finale == CAT_NONE)
            continue;
        ask(c, ids[i].core, (sub_kind)(SUB_LAB_CORE + i));
        ask(c, ids[i].stairs, (sub_kind)(SUB_LAB_STAIRS + i));
        if (i == 0) {
            for (size_t j = 0; j < c->cat->oter_count; j++)
                if (c->content->kinds[j] == SUB_NONE &&
                    strstr(c->cat->oters[j].id, "hidden_lab_stairs"))
                    c->content->kinds[j] = SUB_HIDDEN_STAIRS;
        }
    }
    c->content->escape_cells = oter(c, "lab_escape_cells");
    c->content->escape_entrance = oter(c, "lab_escape_entrance");
}

static void compile_mines(const compiler *c)
{
    sub_content *r = c->content;
    r->mine = product(c, "mine");
    r->mine_shaft = product(c, "mine_shaft");
    r->mine_down = product(c, "mine_down");
    r->mine_finale = product(c, "mine_finale");
    r->spiral = product(c, "spiral");
    r->spiral_hub = product(c, "spiral_hub");
    if (r->mine != CAT_NONE && r->mine_down != CAT_NONE && r->mine_finale != CAT_NONE) {
        ask(c, "mine_down", SUB_MINE_SHAFT);
        ask(c, "mine_shaft", SUB_MINE_SHAFT);
        if (r->mine_shaft != CAT_NONE)
            ask(c, "mine_entrance", SUB_MINE_ENTRANCE);
        if (r->spiral != CAT_NONE && r->spiral_hub != CAT_NONE)
            ask(c, "mine_finale", SUB_MINE_FINALE);
    }
}

static void compile_others(const compiler *c)
{
    sub_content *r = c->content;
    r->rock = oter(c, "rock");
    r->slimepit = product(c, "slimepit");
    r->slimepit_down = product(c, "slimepit_down");
    if (r->slimepit != CAT_NONE && r->slimepit_down != CAT_NONE)
        ask(c, "slimepit_down", SUB_SLIME);
    r->silo = product(c, "silo");
    r->silo_finale = product(c, "silo_finale");
    if (r->silo != CAT_NONE && r->silo_finale != CAT_NONE)
        ask(c, "silo", SUB_SILO);
    r->cave = product(c, "cave");
    r->cave_rat = product(c, "cave_rat");
    if (r->cave != CAT_NONE && r->cave_rat != CAT_NONE) {
        ask(c, "cave", SUB_CAVE);
        ask(c, "cave_rat", SUB_CAVE_RAT);
    }
}

sub_content *sub_content_new(arena *memory, const catalogue *cat)
{
    const compiler c = {cat, arena_alloc(memory, sizeof *c.content),
                        arena_calloc(memory, cat->terrain_count + 1, sizeof *c.grown)};
    uint8_t *kinds = arena_calloc(memory, cat->oter_count + 1, sizeof *kinds);
    if (!c.content || !c.grown || !kinds)
        return NULL;
    c.content->kinds = kinds;
    for (size_t i = 0; i < c.cat->special_count; i++) {
        const cat_mutable *layout = c.cat->specials[i].layout;
        for (size_t p = 0; layout && p < layout->piece_count; p++)
            c.grown[c.cat->oters[layout->pieces[p].oters[0]].terrain] = true;
    }
    compile_lines(&c);
    sub_content *r = c.content;
    r->ants = product(&c, "ants");
    r->ants_food = oter(&c, "ants_food");
    r->ants_larvae[0] = oter(&c, "ants_larvae");
    r->ants_larvae[1] = oter(&c, "ants_larvae_acid");
    r->ants_queen[0] = oter(&c, "ants_queen");
    r->ants_queen[1] = oter(&c, "ants_queen_acid");
    if (r->ants != CAT_NONE && r->ants_food != CAT_NONE) {
        r->ants_merge = c.cat->terrains[c.cat->oters[r->ants].terrain].count == 16;
        if (r->ants_larvae[0] != CAT_NONE && r->ants_queen[0] != CAT_NONE)
            ask(&c, "anthill", SUB_ANTHILL);
        if (r->ants_larvae[1] != CAT_NONE && r->ants_queen[1] != CAT_NONE)
            ask(&c, "acid_anthill", SUB_ACID_ANTHILL);
    }
    compile_labs(&c);
    compile_mines(&c);
    compile_others(&c);
    return c.content;
}

/* ---- what may be made ---- */

/* Returns how many oters may be made because an oter of this kind is on the map; writes them to
 * `out`, CAT_NONE where the content lacks one. */
enum { PRODUCTS_MAX = 7 };
static size_t products(ptl_oter out[PRODUCTS_MAX], const sub_content *r, sub_kind kind)
{
    const ptl_oter mine[] = {r->mine, r->mine_shaft, r->mine_down, r->mine_finale};
    const ptl_oter spiral[] = {r->spiral, r->spiral_hub};
    const ptl_oter silo[] = {r->silo, r->silo_finale};
    const ptl_oter caves[] = {r->cave, r->cave_rat};
    const ptl_oter station[] = {r->hall, r->platform};
    const ptl_oter slime[] = {r->rock, r->slimepit, r->slimepit_down};
    const bool acid = kind == SUB_ACID_ANTHILL;
    const ptl_oter ants[] = {r->ants, r->ants_food, r->ants_larvae[acid], r->ants_queen[acid]};
    const int i = kind >= SUB_LAB_STAIRS ? (int)kind - SUB_LAB_STAIRS
                  : kind >= SUB_LAB_CORE ? (int)kind - SUB_LAB_CORE
                                         : 0;
    const sub_lab *lab = &r->labs[i < SUB_LABS ? i : 0];
    const ptl_oter parts[PRODUCTS_MAX] = {lab->lab,          lab->stairs, lab->core,
                                          lab->finale,       lab->depot,  r->escape_cells,
                                          r->escape_entrance};
    const ptl_oter *list = parts;
    size_t count = 0;
#define PRODUCTS_ARE(of) (list = (of), count = sizeof(of) / sizeof *(of))
    switch (kind) {
    case SUB_STATION:
        PRODUCTS_ARE(station);
        break;
    case SUB_ANTHILL:
    case SUB_ACID_ANTHILL:
        PRODUCTS_ARE(ants);
        break;
    case SUB_SLIME:
        PRODUCTS_ARE(slime);
        break;
    case SUB_HIDDEN_STAIRS:
    case SUB_LAB_CORE:
    case SUB_ICE_LAB_CORE:
    case SUB_CENTRAL_LAB_CORE:
    case SUB_LAB_STAIRS:
    case SUB_ICE_LAB_STAIRS:
    case SUB_CENTRAL_LAB_STAIRS:
        PRODUCTS_ARE(parts);
        break;
    case SUB_MINE_ENTRANCE:
    case SUB_MINE_SHAFT:
        PRODUCTS_ARE(mine);
        break;
    case SUB_MINE_FINALE:
        PRODUCTS_ARE(spiral);
        break;
    case SUB_SILO:
        PRODUCTS_ARE(silo);
        break;
    case SUB_CAVE:
    case SUB_CAVE_RAT:
        PRODUCTS_ARE(caves);
        break;
    /* Terrains of these kinds ask for no oters but those of connections. */
    case SUB_NONE:
    case SUB_MANHOLE:
    case SUB_SUBWAY_CONNECTOR:
    case SUB_SEWER_CONNECTOR:
        break;
    }
#undef PRODUCTS_ARE
    memcpy(out, list, count * sizeof *list);
    return count;
}

void sub_products_visit(const gen_config *config, uint16_t terrain, gen_oter_visit *visit,
                        void *payload)
{
    const cat_terrain *t = &config->cat->terrains[terrain];
    for (size_t i = 0; i < t->count; i++) {
        ptl_oter made[PRODUCTS_MAX];
        const size_t count = products(made, config->sub_content,
                                      (sub_kind)config->sub_content->kinds[t->first + i]);
        for (size_t k = 0; k < count; k++)
            if (made[k] != CAT_NONE)
                visit(payload, made[k]);
    }
}

/* ---- as a part of a generator ---- */

static void make_sublevels(generator *g)
{
    g->sublevels = generator_memory(g, 1, sizeof *g->sublevels);
}

const gen_part sublevels_part = {.make = make_sublevels};
