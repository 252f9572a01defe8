/* portolan import-save: reads a game's overmaps as chunks of a world. */
#include "clients/cli/session/session.h"
#include "core/arena.h"
#include "core/array.h"

enum { IDS_SHOWN = 20, ID_SHOWN = 200 };

static const option_spec options[] = {
    OPTION_WORLD,
    {"lenient", NULL, "an unknown terrain becomes its level's default", 0},
    {"force", NULL, "remove generated chunks beside; they are made anew when asked for", 0},
    {"viewer", "NAME", "whose marks and notes become what the character has seen and noted", 0},
    {"character", "NAME", "only what this character has seen, of several", 0},
    {"only-seen", NULL, "only what characters have seen and noted, no overmaps", 0},
    OPTION_ACCEPT_CONTENT,
    OPTION_WAIT,
    OPTION_QUIET,
    OPTIONS_END,
};

/* ---- what the content lacks ---- */

typedef struct lacking {
    ptl_game_save_unknown kind;
    const char *id, *place; /* `place`: the first place in the save that has this id */
    uint64_t count;
} lacking;

/* What this command hands to the library for its callbacks. */
typedef struct calls {
    progress shown; /* must be first: progress_show gets a pointer to the struct */
    arena *memory;  /* owned; has all strings */
    strmap numbers; /* finds an id's index in `items`, by the id and its kind */
    lacking *items; /* owned */
    size_t count, room;
    bool failed; /* memory is out, so some ids are missing */
} calls;

/* Counts an id that the content lacks, and keeps where the save has it first. */
static void on_lack(void *payload, const ptl_game_save_lack *lack)
{
    calls *c = payload;
    /* The key of an id is a letter for its kind and then the id itself, cut after ID_SHOWN
     * bytes. */
    char key[ID_SHOWN + 2];
    snprintf(key, sizeof key, "%c%s", 'a' + (int)lack->kind, lack->id);
    uint32_t number = strmap_get(&c->numbers, key);
    if (number == STRMAP_NONE) {
        number = (uint32_t)c->count;
        const char *kept = c->memory ? arena_strdup(c->memory, key) : NULL;
        const char *place = kept ? arena_strdup(c->memory, lack->place) : NULL;
        if (!place || !ARRAY_ROOM(c->items, c->room, c->count + 1) ||
            strmap_put(&c->numbers, kept, number) != 0) {
            c->failed = true;
            return;
        }
        c->items[c->count++] = (lacking){lack->kind, kept + 1, place, 0};
    }
    c->items[number].count += lack->count;
}

static int by_count(const void *a, const void *b)
{
    const lacking *x = a, *y = b;
    if (x->count != y->count)
        return x->count < y->count ? 1 : -1;
    return strcmp(x->id, y->id);
}

static void print_unknown(const calls *c, ptl_game_save_unknown kind, const char *what)
{
    size_t found = 0;
    for (size_t i = 0; i < c->count; i++) {
        const lacking *l = &c->items[i];
        if (l->kind != kind || found++ >= IDS_SHOWN)
            continue;
        if (found == 1)
            out_say("%s\n", what);
        out_say("    %s (%ju), first at %s\n", l->id, l->count, l->place);
    }
    if (found > IDS_SHOWN)
        out_say("    and %zu more\n", found - IDS_SHOWN);
}

/* ---- the summary ---- */

static void remark(uint64_t count, const char *what)
{
    if (count > 0)
        out_say("  %ju %s\n", count, what);
}

static void print_summary(const ptl_game_save_import_report *r, calls *c, bool only_seen)
{
    if (c->count > 0)
        qsort(c->items, c->count, sizeof *c->items, by_count);
    if (!only_seen)
        out_say(
            "%ju overmaps imported in %.2f s, with %ju edges: %ju cities, %ju buildings and "
            "specials, %ju radios, %ju monster groups\n",
            r->chunks, r->seconds, r->edges, r->cities, r->placements, r->radios, r->groups);
    if (r->seen > 0)
        out_say(
            "%s%ju character%s: what was seen of %ju overmap%s became marks, and %ju note%s\n",
            only_seen ? "" : "  ", r->viewers, plural(r->viewers), r->seen, plural(r->seen),
            r->notes, plural(r->notes));
    remark(r->notes_left_out, "notes were left out: without a text, too long, with control "
                              "characters, or not the first on their OMT");
    remark(r->extras_left_out, "map extras that characters know of were left out");
    remark(r->removed, "generated chunks beside them were removed");
    remark(r->unknown_terrains, "OMTs of unknown terrain became their level's default");
    remark(r->points_left_out, "OMTs of specials that can't be told apart: no placements");
    remark(r->groups_moved, "monster groups beyond a border went to the overmap there");
    remark(r->groups_left_out, "monster groups outside all of the overmaps were left out");
    remark(r->members_left_out, "monsters, people, vehicles, camps and scents were left out");
    remark(r->migrated_terrains, "OMTs had the id of a terrain that has another one now");
    remark(r->migrated_points, "OMTs of specials had an id that is another one now");
    remark(r->specials_gone, "OMTs of specials that the game has given up: no placements");
    remark(r->details_left_out, "entries of what Portolan does not keep were left out");
    print_unknown(c, PTL_UNKNOWN_TERRAIN, "  terrains that the content lacks, and their OMTs:");
    print_unknown(c, PTL_UNKNOWN_SPECIAL, "  specials that the content lacks, and their OMTs:");
    print_unknown(c, PTL_UNKNOWN_REGION,
                  "  regions that the content lacks, and their overmaps:");
    print_unknown(c, PTL_UNKNOWN_MEMBER,
                  "  members of overmaps that portolan does not know, and their entries:");
    if (c->failed)
        out_say("  (memory was out: ids are missing here)\n");
}

static int run(session *s)
{
    const args *a = s->args;
    calls c = {.memory = arena_new()};
    ptl_game_save_import_report r = PTL_GAME_SAVE_IMPORT_REPORT_INIT;
    const ptl_world_open_options open = {.size = sizeof open,
                                         .accept_content = args_has(a, "accept-content")};
    const ptl_game_save_import_options o = {.size = sizeof o,
                                            .directory = a->operands[1],
                                            .lenient = args_has(a, "lenient"),
                                            .force = args_has(a, "force"),
                                            .on_progress = progress_show,
                                            .payload = &c,
                                            .on_lack = on_lack,
                                            .viewer = args_value(a, "viewer"),
                                            .character = args_value(a, "character"),
                                            .only_seen = args_has(a, "only-seen")};
    strmap_init(&c.numbers);
    int code = session_open_world(s, PTL_OPEN_WRITE, &open);
    if (code == EXIT_DONE) {
        progress_init(&c.shown, s->shown.quiet);
        const ptl_status status = ptl_game_save_import(&r, s->world, &o, &s->err);
        progress_end(&c.shown);
        if (status == PTL_OK && !s->shown.quiet)
            print_summary(&r, &c, o.only_seen);
        code = session_done(s, status);
        if (status == PTL_ERR_EXISTS && strstr(s->err.message, "generated"))
            tell("--force removes such chunks; they are made anew when asked for.\n");
        if (status == PTL_ERR_CONTENT && strstr(s->err.message, "has no terrain"))
            tell("--lenient puts the level's default there.\n");
        if (status == PTL_ERR_ARGUMENT && strstr(s->err.message, "several characters"))
            tell("--character says which one; without --viewer each gets its own name.\n");
    }
    strmap_dispose(&c.numbers);
    free(c.items);
    arena_free(c.memory);
    return code;
}

const command import_save_command = {
    .name = "import-save",
    .group = GROUP_GAME,
    .operands = "FILE DIR",
    .summary = "Read a game's own overmaps into a world that goes on from them.",
    .operand_help = "DIR  The folder with the game's overmaps.\n",
    .details =
        "Every file o.X.Y of DIR, or of map.sqlite3 in DIR (Cataclysm: DDA, Bright Nights and\n"
        "their like), becomes a chunk, with its cities, radios, monster groups, buildings and\n"
        "specials. What crosses its borders is taken from its OMTs; chunks that are generated\n"
        "beside it continue that. All of the directory, or, if anything is wrong, none of it:\n"
        "  FILE:LINE:COLUMN: what is wrong\n\n"
        "What a character has seen and explored (CHARACTER.seen.X.Y) becomes marks, and its\n"
        "notes become notes, of a viewer with the character's name or of --viewer; 'marks' "
        "and\n"
        "'note' list them. They replace what the viewer has in these overmaps. --only-seen "
        "reads\n"
        "them again after more play, and 'export --into SAVE --viewer NAME' writes them.\n",
    .examples = "  portolan import-save w.db maps --world played\n",
    .options = options,
    .run = run,
    .stopped = "nothing was imported: the file is as it was",
};
