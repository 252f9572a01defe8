/*
 * A small game in a terminal, which keeps all that happens in one world file: what the player
 * saw, noted, dug and built, and where they are. Each save (portolan/save.h) is stored as a
 * whole or not at all. Start it with the name of a file; build it against an installed
 * Portolan: cc walk.c $(pkg-config --cflags --libs portolan ncursesw) -o walk
 */
#define NCURSES_WIDECHAR 1
#include <portolan/portolan.h>

#include <curses.h>
#include <inttypes.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

/* The player sees SIGHT OMTs to each side; the map also shows land that they remember. */
enum { SIGHT = 15, WIDTH = 51, HEIGHT = 2 * SIGHT + 1, SIDE = PTL_LOCAL_SIDE };
enum { AUTOSAVE = 20, PLANES = 100 }; /* so many turns change fewer planes */

static const char HELP[] = "step hjkl, stride HJKL, level <>, note dig build undo save quit";
/* The player's state is one fact of the file. */
static const ptl_fact_key STATE = {"walk", "state", PTL_FACT_VIEWER, {0, 0}, {0, 0, 0}, "hero"};
#define FORMAT "turn %" PRId64 " omt %" PRId64 " %" PRId64 " %d tile %d %d health %d pits %d"

typedef struct player {
    int64_t turn;
    ptl_omt at;
    int x, y; /* tile of the OMT */
    int health, pits;
} player;

/* What was seen on one level of a chunk. */
typedef struct plane {
    ptl_marks_key key;
    int64_t changed; /* turn of the last change */
    uint8_t bits[PTL_MARKS_BYTES];
} plane;

typedef struct game {
    ptl_store *store;
    ptl_world *world;
    ptl_cache *cache;
    ptl_error err, refusal; /* refusal: why the last deed failed */
    player me;
    int64_t saved;                  /* turn of the last save */
    ptl_oter oters[WIDTH * HEIGHT]; /* the overmap around the player */
    ptl_local_map *map;             /* the OMT that the player is on */
    plane planes[PLANES];
    size_t plane_count; /* that were read; later ones take the place of the first */
} game;

/* ---- what the player sees ---- */

/* Finds what was seen of the level of an OMT's chunk, which is read from the file when it is
 * first asked for, and the number of the OMT in it: y * 180 + x. */
static plane *plane_of(size_t *cell, game *g, ptl_omt at)
{
    const ptl_chunk_pos chunk = ptl_omt_chunk(at);
    *cell = (size_t)((at.y - (int64_t)chunk.y * PTL_CHUNK_SIZE) * PTL_CHUNK_SIZE + at.x -
                     (int64_t)chunk.x * PTL_CHUNK_SIZE);
    for (plane *p = g->planes; p < g->planes + PLANES && p->key.viewer; p++)
        if (p->key.chunk.x == chunk.x && p->key.chunk.y == chunk.y && p->key.z == at.z)
            return p;
    plane *p = &g->planes[g->plane_count++ % PLANES];
    *p = (plane){.key = {STATE.viewer, PTL_MARKS_SEEN, chunk, at.z}};
    ptl_marks_load(p->bits, g->world, &p->key, &g->err);
    return p;
}

/* Reads what is around the player. The cache has the overmap, but for new land. */
static ptl_status look(game *g)
{
    const ptl_omt at = g->me.at;
    const ptl_area area = {at.x - WIDTH / 2, at.y - SIGHT, at.z, WIDTH, HEIGHT};
    const ptl_area_options o = {.size = sizeof o, .generate = true, .cache = g->cache};
    ptl_status status = ptl_area_get(g->oters, NULL, g->world, &area, &o, &g->err);
    ptl_local_free(g->map);
    g->map = NULL;
    return status == PTL_OK ? ptl_local_get(&g->map, g->world, at, NULL, &g->err) : status;
}

static bool draw_note(void *payload, const ptl_note *n)
{
    const ptl_omt *at = payload;
    if (n->at.z == at->z)
        mvprintw((int)(2 + SIGHT + n->at.y - at->y), (int)(WIDTH / 2 + n->at.x - at->x), "N %s",
                 n->text);
    return true;
}

/* Draws the land that was ever seen. What is near enough is seen now. */
static void draw_overmap(game *g)
{
    const ptl_omt at = g->me.at;
    const int64_t view[] = {at.x - WIDTH / 2, at.y - SIGHT, at.x + WIDTH / 2, at.y + SIGHT};
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        const int x = i % WIDTH, y = i / WIDTH;
        const bool is_near = abs(x - WIDTH / 2) <= SIGHT;
        ptl_terrain terrain = PTL_TERRAIN_INIT;
        size_t cell;
        plane *p = plane_of(&cell, g, (ptl_omt){view[0] + x, view[1] + y, at.z});
        const bool was_seen = p->bits[cell / 8] >> cell % 8 & 1;
        p->changed = is_near && !was_seen ? g->me.turn : p->changed;
        p->bits[cell / 8] |= (uint8_t)(is_near << cell % 8);
        ptl_catalogue_oter(&terrain, ptl_world_catalogue(g->world), g->oters[i]);
        attrset(is_near ? A_NORMAL : A_DIM);
        if (is_near || was_seen)
            mvaddnwstr(2 + y, x, (wchar_t[]){(wchar_t)terrain.symbol}, 1);
    }
    attrset(A_NORMAL);
    ptl_note_list(g->world, STATE.viewer, view, draw_note, &g->me.at, &g->err);
    mvchgat(2 + SIGHT, WIDTH / 2, 1, A_REVERSE, 0, NULL);
}

static bool put_text(void *window, const void *part, size_t size)
{
    waddnstr(window, part, (int)size);
    return true;
}

static void draw(game *g)
{
    const player *me = &g->me;
    const ptl_local_map *maps[] = {g->map};
    ptl_render_options o = {.size = sizeof o, .local = true, .maps = maps};
    o.x0 = o.x1 = me->at.x;
    o.y0 = o.y1 = me->at.y;
    o.z_first = o.z_last = me->at.z;
    WINDOW *tiles = subwin(stdscr, SIDE + 1, SIDE + 1, 2, WIDTH + 1);
    erase();
    mvprintw(0, 0, "turn %" PRId64 ", saved %" PRId64 ", health %d, pits %d, on %s", me->turn,
             g->saved, me->health, me->pits, ptl_local_oter(g->map));
    mvaddnstr(1, 0, g->refusal.status == PTL_OK ? HELP : g->refusal.message, COLS);
    draw_overmap(g);
    ptl_render_text_write(g->world, &o, false, put_text, tiles, &g->err);
    delwin(tiles);
    move(2 + me->y, WIDTH + 1 + me->x);
    refresh();
}

/* ---- deeds: each adds its part to a save ---- */

static const char *ask(const char *what)
{
    static char answer[80];
    answer[0] = '\0';
    mvprintw(1, 0, "%s: ", what);
    clrtoeol();
    echo();
    getnstr(answer, (int)sizeof answer - 1);
    noecho();
    return answer;
}

static ptl_status note(game *g, ptl_save *save)
{
    ptl_note own = {.size = sizeof own, .viewer = STATE.viewer, .at = g->me.at};
    own.text = ask("note");
    return ptl_save_note_set(save, &own, &g->err);
}

static ptl_status dig(game *g, ptl_save *save)
{
    g->me.pits++;
    g->me.health--;
    ptl_local_terrain_set(g->map, g->me.x, g->me.y, "t_pit");
    return ptl_save_local_set(save, g->map, &g->err);
}

/* Builds a special in the east of the player. If it can't stand there, the error says why. */
static ptl_status build(game *g, ptl_save *save)
{
    const ptl_omt at = {g->me.at.x + 1, g->me.at.y, g->me.at.z};
    return ptl_save_special_add(NULL, save, ask("build"), at, PTL_ROTATION_ANY, &g->err);
}

/* Of the edits that are in force, the last one that took none back. */
static bool keep_last(void *number, const ptl_edit *edit)
{
    if (edit->undoes == 0 && edit->undone_by == 0)
        *(int64_t *)number = edit->number;
    return true;
}

static ptl_status undo(game *g, ptl_save *save)
{
    int64_t last = 0;
    ptl_status status = ptl_edit_list(g->world, NULL, keep_last, &last, &g->err);
    return status == PTL_OK ? ptl_save_undo(save, last, &g->err) : status;
}

/* Saves a deed, the player's state, and all that was seen since the last save. */
static void save(game *g, ptl_status (*deed)(game *g, ptl_save *save))
{
    char text[200];
    ptl_save *it = NULL;
    const player *me = &g->me, before = g->me;
    const ptl_save_options o = {.size = sizeof o, .author = STATE.viewer, .turn = me->turn};
    ptl_status status = ptl_save_begin(&it, g->world, &o, &g->err);
    if (status == PTL_OK && deed)
        status = deed(g, it);
    snprintf(text, sizeof text, FORMAT, me->turn, me->at.x, me->at.y, me->at.z, me->x, me->y,
             me->health, me->pits);
    if (status == PTL_OK)
        status = ptl_save_fact_set(it, &STATE, text, strlen(text), &g->err);
    for (plane *p = g->planes; p < g->planes + PLANES && status == PTL_OK; p++)
        if (p->changed >= g->saved)
            status = ptl_save_marks_set(it, &p->key, p->bits, PTL_MARKS_ADD, &g->err);
    if (status == PTL_OK)
        status = ptl_save_commit(NULL, it, &g->err);
    if (status == PTL_OK) {
        g->saved = me->turn;
        return;
    }
    ptl_save_abort(it); /* nothing of it is stored */
    g->me = before;
    g->refusal = g->err;
}

static void step(int64_t *omt, int *tile, int by)
{
    *tile += by;
    *omt += (*tile >= SIDE) - (*tile < 0);
    *tile = (*tile + SIDE) % SIDE;
}

/* False: the game is over. */
static bool turn(game *g, int key)
{
    static const char MOVES[] = "hjklHJKL<>", DEEDS[] = "ndbusq";
    static const int DX[] = {-1, 0, 0, 1, -SIDE, 0, 0, SIDE, 0, 0};
    static const int DY[] = {0, 1, -1, 0, 0, SIDE, -SIDE, 0, 0, 0};
    ptl_status (*const ADD[])(game *, ptl_save *) = {note, dig, build, undo, NULL, NULL};
    const char *deed = strchr(DEEDS, key), *move = strchr(MOVES, key);
    if (key <= 0 || (!move && !deed))
        return key != ERR;
    g->refusal.status = PTL_OK;
    g->me.turn++;
    if (move) {
        const int up = (*move == '<') - (*move == '>');
        step(&g->me.at.x, &g->me.x, DX[move - MOVES]);
        step(&g->me.at.y, &g->me.y, DY[move - MOVES]);
        g->me.at.z += abs(g->me.at.z + up) <= PTL_Z_MAX ? up : 0;
    }
    if (deed || g->me.turn % AUTOSAVE == 0)
        save(g, deed ? ADD[deed - DEEDS] : NULL);
    return key != 'q' || g->refusal.status != PTL_OK;
}

/* Opens the file. If it is new, the game gets a world of Portolan's own content. */
static ptl_status start(game *g, const char *path)
{
    const ptl_open_options open = {.size = sizeof open, .mode = PTL_OPEN_CREATE};
    const ptl_import_options import = {.size = sizeof import, .builtin = true};
    ptl_fact_value state = {NULL, 0};
    player *me = &g->me;
    ptl_status status = ptl_store_open(&g->store, path, &open, &g->err);
    if (status == PTL_OK)
        status = ptl_import(NULL, g->store, &import, &g->err);
    if (status == PTL_OK)
        status = ptl_world_create(g->store, "walk", NULL, &g->err);
    if (status == PTL_OK || status == PTL_ERR_EXISTS)
        status = ptl_world_open(&g->world, g->store, "walk", NULL, &g->err);
    if (status == PTL_OK)
        status = ptl_cache_new(&g->cache, g->world, NULL, &g->err);
    if (status == PTL_OK && ptl_fact_value_load(&state, g->world, &STATE, &g->err) == PTL_OK)
        sscanf(state.data, FORMAT, &me->turn, &me->at.x, &me->at.y, &me->at.z, &me->x, &me->y,
               &me->health, &me->pits);
    ptl_fact_value_dispose(&state);
    g->saved = me->turn;
    return status;
}

int main(int argc, char **argv)
{
    static game g = {.me = {.at = {90, 90, 0}, .x = 12, .y = 12, .health = 20}};
    if (argc != 2)
        return fprintf(stderr, "usage: walk FILE\n"), 2;
    setlocale(LC_ALL, "");
    ptl_status status = start(&g, argv[1]);
    if (status == PTL_OK) {
        initscr();
        raw();
        noecho();
    }
    while (status == PTL_OK && (status = look(&g)) == PTL_OK) {
        draw(&g);
        if (!turn(&g, getch()))
            break;
    }
    endwin();
    if (status != PTL_OK)
        fprintf(stderr, "walk: %s\n", g.err.message);
    ptl_local_free(g.map);
    ptl_cache_free(g.cache);
    ptl_world_close(g.world);
    ptl_store_close(g.store);
    return status == PTL_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
