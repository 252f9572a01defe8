/* portolan export: writes a world's chunks as files for a game or another program, or into a
 * game's save (--into), and takes them out of it again (--undo). */
#include "clients/cli/line/embedded.h"
#include "clients/cli/session/advice.h"
#include "clients/cli/session/session.h"
#include "clients/cli/session/tilesets.h"
#include "clients/server/site/site.h"
#include "core/error.h"
#include "os/clock.h"

#define EXPORT_FORMATS "dda-save, bn-save, geojson, gpkg, mbtiles, pmtiles, tiled, site"

static const option_spec options[] = {
    OPTION_WORLD,
    {"format", "FORMAT",
     "dda-save, bn-save (into a folder), or a map: geojson, gpkg, mbtiles, pmtiles, tiled; or "
     "site",
     0},
    {"into", "SAVE", "into a save of DDA 0.F, 0.I or Bright Nights: the folder of a world", 0},
    {"undo", "SAVE", "put back what the last --into replaced there", 0},
    {"viewer", "NAME", "with --into: also what this viewer has seen and noted", 0},
    {"character", "NAME", "with --viewer: the character that gets it (default: of that name)",
     0},
    {"rect", "X0,Y0,X1,Y1", "only the chunks of a rectangle, both ends included", 0},
    {"omt", "X0,Y0,X1,Y1", "of a site: only the local maps of a rectangle of OMTs", 0},
    {"levels", "A..B", "of a map: only these levels, in that order", 0},
    {"level", "Z", "the same: only this one (of tiles: 0)", 0},
    {"scale", "N", "of tiles: pixels per OMT, 1, 2, 4, 8 or 16 (default: 4)", 0},
    {"style", "STYLE", "of a map's colours: paper (default), dark (paper), terminal", 0},
    {"tileset", "DIR", "of a site: also a game's tile set, whose pictures it then holds", 0},
    {"force", NULL, "though OUT is there, SAVE is in use, or lacks ids", 0},
    OPTION_QUIET,
    OPTIONS_END,
};

/* A value of --format. */
typedef struct export_format {
    const char *name;
    bool is_map;
    ptl_atlas_format map; /* format of the map, if is_map is true */
    const char *unit;     /* only if is_map: the noun for what progress counts */
} export_format;

static const export_format formats[] = {
    {"dda-save", false, 0, NULL},
    {"bn-save", false, 0, NULL},
    {"geojson", true, PTL_ATLAS_GEOJSON, "chunks"},
    {"gpkg", true, PTL_ATLAS_GPKG, "chunks"},
    {"mbtiles", true, PTL_ATLAS_MBTILES, "tiles"},
    {"pmtiles", true, PTL_ATLAS_PMTILES, "tiles"},
    {"tiled", true, PTL_ATLAS_TILED, "levels of chunks"},
    {"site", false, 0, NULL},
};

/* Returns whether a format shows a map in a style. NULL is none. */
static bool has_style(const export_format *format)
{
    return format && (format->is_map ? format->map != PTL_ATLAS_TILED
                                     : strcmp(format->name, "site") == 0);
}

static int check_map_options(const args *a, const export_format *known, bool map)
{
    if ((args_has(a, "levels") || args_has(a, "level") || args_has(a, "scale")) && !map)
        return usage_error(a, "--levels, --level and --scale are for maps");
    if (args_has(a, "style") && !has_style(known))
        return usage_error(a, "--style is for geojson, gpkg, mbtiles, pmtiles and site");
    return EXIT_DONE;
}

static int check_into(const args *a, bool into)
{
    if (into && a->operand_count > 1)
        return usage_error(a, "--into SAVE takes no DIR");
    if (args_has(a, "viewer") && !into)
        return usage_error(a, "--viewer goes with --into");
    if (args_has(a, "character") && !args_has(a, "viewer"))
        return usage_error(a, "--character goes with --viewer");
    return EXIT_DONE;
}

/* Checks that the options fit together. The command has three forms: it writes chunks into a
 * save (--into), removes from a save what it wrote there (--undo), or writes files. */
static int check_form(const args *a, const export_format *known)
{
    const char *format = args_value(a, "format");
    const bool into = args_value(a, "into") != NULL, undo = args_value(a, "undo") != NULL;
    const bool site = known && strcmp(known->name, "site") == 0;
    const bool map = site || (known && known->is_map);
    if (format && !known)
        return usage_error(a, "--format '%s' is none of " EXPORT_FORMATS, format);
    NEED(check_map_options(a, known, map));
    if (args_has(a, "omt") && !site)
        return usage_error(a, "--omt is for sites");
    if (args_has(a, "tileset") && !site)
        return usage_error(a, "--tileset is for sites");
    if ((format != NULL) + into + undo > 1)
        return usage_error(a, "--format, --into and --undo exclude each other");
    if (undo && (a->operand_count > 0 || args_value(a, "world") || args_value(a, "rect")))
        return usage_error(a, "--undo SAVE goes alone: what was there is in SAVE itself");
    if (!undo && a->operand_count == 0)
        return usage_error(a, "which world file?");
    NEED(check_into(a, into));
    if (!into && !undo && !format)
        return usage_error(a, "say which format: --format " EXPORT_FORMATS "; or --into SAVE");
    if (format && a->operand_count < 2)
        return usage_error(a, map ? "which file?" : "which folder?");
    return EXIT_DONE;
}

/* Reads --levels or --level, and --scale, into the options of a map. */
static int export_read_levels(const args *a, ptl_atlas_options *o)
{
    int64_t span[2];
    NEED(levels_from_args(a, span));
    NEED(args_int32(a, "scale", 1, 16, &o->scale));
    NEED(style_from_args(a, &o->style));
    o->has_levels = args_has(a, "levels") || args_has(a, "level");
    o->z_first = (int32_t)span[0];
    o->z_last = (int32_t)span[1];
    return EXIT_DONE;
}

static int export_map(session *s, const export_format *format,
                      const ptl_game_save_write_options *which)
{
    ptl_atlas_report r = PTL_ATLAS_REPORT_INIT;
    ptl_atlas_options o = PTL_ATLAS_OPTIONS_INIT;
    o.path = s->args->operands[1];
    o.format = format->map;
    o.force = args_has(s->args, "force");
    o.has_rect = which->has_rect;
    o.x0 = which->x0;
    o.y0 = which->y0;
    o.x1 = which->x1;
    o.y1 = which->y1;
    o.on_progress = progress_show;
    o.payload = &s->shown;
    NEED(export_read_levels(s->args, &o));
    progress_begin(&s->shown, format->unit);
    const ptl_status status = ptl_atlas_write(&r, s->world, &o, &s->err);
    progress_end(&s->shown);
    if (status != PTL_OK)
        return session_failed_of(s, PTL_ERR_EXISTS, "--force replaces it.");
    if (s->shown.quiet)
        return EXIT_DONE;
    out_say("%ju overmaps written to %s in %.2f s (%.1f MB)", r.chunks, o.path, r.seconds,
            (double)r.bytes / 1e6);
    if (r.features > 0)
        out_say(": %ju features", r.features);
    if (r.tiles > 0)
        out_say(": %ju tiles", r.tiles);
    out_say("\n");
    return EXIT_DONE;
}

/* Quotes the path as an argument of a command that the user may copy. */
static void export_print_path(const char *path)
{
    out_text("'");
    for (const char *at = path; *at;) {
        const size_t plain = strcspn(at, "'");
        out_visible(at, plain);
        at += plain;
        if (*at++ != '\'')
            break;
        out_text("'\\''");
    }
    out_text("'");
}

typedef void (*printer)(const char *format, ...);

enum { IDS_SHOWN = 6 /* the most ids of each kind that are printed */ };

static bool is_of(const ptl_game_save_fit *fit, size_t lacking, size_t pack)
{
    ptl_game_save_id id = PTL_GAME_SAVE_ID_INIT;
    return ptl_game_save_fit_lacking(&id, fit, lacking) == PTL_OK && id.pack == pack;
}

/* Prints which ids of a pack the game may lack. In the list of `fit` the ids of one pack follow
 * each other. */
static void print_lacking(printer print, const ptl_game_save_fit *fit,
                          const ptl_game_save_pack *p, size_t pack)
{
    size_t at = 0;
    while (!is_of(fit, at, pack))
        at++;
    print("%s: %ju id%s that the game may lack:", p->id, p->lacked, plural(p->lacked));
    while (is_of(fit, at, pack)) {
        /* Prints for a kind of ids how many there are, and the first few of them. */
        ptl_game_save_id begin = PTL_GAME_SAVE_ID_INIT, id = PTL_GAME_SAVE_ID_INIT;
        ptl_game_save_fit_lacking(&begin, fit, at);
        size_t count = 0;
        while (ptl_game_save_fit_lacking(&id, fit, at + count) == PTL_OK &&
               id.pack == begin.pack && id.kind == begin.kind)
            count++;
        print(" %zu %s%s (", count,
              begin.kind == PTL_CONTENT_REGION    ? "region"
              : begin.kind == PTL_CONTENT_SPECIAL ? "special"
                                                  : "terrain",
              plural(count));
        for (size_t i = 0; i < count && i < IDS_SHOWN; i++) {
            ptl_game_save_fit_lacking(&id, fit, at + i);
            print("%s%s", i > 0 ? ", " : "", id.id);
        }
        print(count > IDS_SHOWN ? ", ...)" : ")");
        at += count;
        print(is_of(fit, at, pack) ? "," : "\n");
    }
}

/* Prints the packs of the world's content, and the ids that the game may lack. If `failed` is
 * set, the export failed because of these ids, so they are printed to standard error. fit may
 * be NULL. */
static void export_print_fit(const ptl_game_save_fit *fit, bool failed)
{
    const printer print = failed ? tell : out_printf;
    ptl_game_save_fit_info info = PTL_GAME_SAVE_FIT_INFO_INIT;
    ptl_game_save_pack p = PTL_GAME_SAVE_PACK_INIT;
    if (!fit || ptl_game_save_fit_describe(&info, fit) != PTL_OK)
        return;
    out_prose_begin(2);
    if (info.mod_count >= 0) {
        print("mods of the save:");
        const char *mod;
        for (size_t i = 0; (mod = ptl_game_save_fit_mod(fit, i)) != NULL; i++)
            print("%s %s", i > 0 ? "," : "", mod);
        print("\n");
    }
    print("content of the world:");
    for (size_t i = 0; ptl_game_save_fit_pack(&p, fit, i) == PTL_OK; i++)
        print("%s %s%s", i > 0 ? "," : "", p.id,
              p.listed ? ""
              : p.own  ? " (Portolan's own)"
              : p.game ? " (taken for the game's)"
                       : " (a mod)");
    print("; %ju terrain%s and %ju special%s of it are used\n", info.terrains,
          plural(info.terrains), info.specials, plural(info.specials));
    for (size_t i = 0; ptl_game_save_fit_pack(&p, fit, i) == PTL_OK; i++)
        if (p.lacked > 0)
            print_lacking(print, fit, &p, i);
    out_prose_end();
}

/* Writes the game's files into a folder, and says how the game can open them. */
static int export_save(session *s, const ptl_game_save_write_options *which)
{
    const char *folder = which->directory;
    ptl_game_save_write_options o = *which;
    ptl_game_save_write_report r = PTL_GAME_SAVE_WRITE_REPORT_INIT;
    ptl_game_save_fit *fit = NULL;
    const bool of_bn = strcmp(args_value(s->args, "format"), "bn-save") == 0;
    o.version = of_bn ? 29 : 0;
    o.on_progress = progress_show;
    o.payload = &s->shown;
    o.fit = s->shown.quiet ? NULL : &fit;
    const ptl_status status = ptl_game_save_write(&r, s->world, &o, &s->err);
    progress_end(&s->shown);
    if (status != PTL_OK) {
        session_failed_of(s, PTL_ERR_EXISTS,
                          "--force writes over those of the world's own chunks.");
    } else if (!s->shown.quiet) {
        out_say("%ju overmaps written to %s in %.2f s (%.1f MB): %ju cities, %ju buildings "
                "and specials, %ju radios, %ju monster groups\n",
                r.chunks, folder, r.seconds, (double)r.bytes / 1e6, r.cities, r.placements,
                r.radios, r.groups);
        export_print_fit(fit, false);
        out_say("How Cataclysm: %s opens them:\n"
                "  1. in the game: make a world%s and a character, save, quit\n"
                "  2. in that world's folder (save/NAME): move maps, o.* and *.seen.* away\n"
                "  3. copy o.* from %s there, and load that world in the game\n"
                "or, for 2 and 3, with what is replaced kept:\n"
                "  portolan export ",
                of_bn ? "Bright Nights" : "DDA 0.F",
                of_bn ? " in the older form of saves, without map.sqlite3," : "", folder);
        export_print_path(s->args->operands[0]);
        out_say(" --into save/NAME\n");
    }
    if (status == PTL_OK && r.placements_left_out > 0)
        tell("portolan export: %ju buildings and specials are left out: the file does not have "
             "the content any more that they are of\n",
             r.placements_left_out);
    ptl_game_save_fit_free(fit);
    return status == PTL_OK ? EXIT_DONE : EXIT_FAILED;
}

static void print_report(const site_report *r, const site_options *o, double seconds)
{
    if (r->worlds > 1)
        out_say("%ju worlds, ", r->worlds);
    out_say("%ju overmaps written to %s in %.2f s: %ju file%s (%.1f MB)\n", r->chunks, o->out,
            seconds, r->files, plural(r->files), (double)r->bytes / 1e6);
    if (r->maps > 0)
        out_say("%ju local maps that are stored are in it.\n", r->maps);
    if (r->left_out > 0)
        out_say("%ju more are not: a site takes %d of a world; --omt says which.\n",
                r->left_out, (int)SITE_MAPS_MAX);
    if (o->single)
        out_say("A browser opens it as it is.\n");
    else
        out_say("Give the folder to a web server: a browser opens no such page from a disk.\n");
}

typedef struct talk {
    progress shown; /* must be first: progress_show gets a pointer to the struct */
    uint64_t named;
} talk;

/* Serves as site_options.on_damaged. Prints which part of the file is damaged and left out, for
 * the first NAMED_MAX parts. */
static void on_damaged(void *payload, const char *world, ptl_omt at, const char *what)
{
    enum { NAMED_MAX = 20 };
    talk *t = payload;
    progress_end(&t->shown);
    if (t->named++ < NAMED_MAX)
        tell("portolan export: world '%s': %s at %jd,%jd,%d is damaged and left out\n", world,
             what, at.x, at.y, (int)at.z);
}

static int write_site(session *s, site_options *o)
{
    site_report r;
    talk told = {.named = 0};
    bytes notices = {.size = 0};
    const double started = clock_seconds();
    /* Collects the licence notices of Portolan and of Leaflet, the only library in the page. */
    static const char *const wanted[] = {"portolan", "leaflet"};
    for (const embedded_text *n = embedded_notices; n->name; n++)
        for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++)
            if (strcmp(n->name, wanted[i]) == 0)
                bytes_printf(&notices, "---- %s ----\n\n%s\n", n->name, n->text);
    o->notices = bytes_text(&notices);
    progress_init(&told.shown, s->shown.quiet);
    progress_begin(&told.shown, "tiles");
    o->on_progress = progress_show;
    o->on_damaged = on_damaged;
    o->payload = &told;
    const ptl_status status = o->notices ? site_write(o, &r, &s->err) : error_nomem(&s->err);
    progress_end(&told.shown);
    o->payload = NULL;
    o->notices = NULL;
    bytes_dispose(&notices);
    if (status != PTL_OK)
        return session_failed_of(s, PTL_ERR_EXISTS, "--force replaces it.");
    if (!s->shown.quiet)
        print_report(&r, o, clock_seconds() - started);
    if (r.damaged == 0)
        return EXIT_DONE;
    /* If the file has damaged parts, the web site was written without them, and the command
     * fails. */
    tell("portolan export: %ju of it %s damaged and left out; 'portolan repair FILE' brings "
         "back what can be.\n",
         r.damaged, r.damaged == 1 ? "is" : "are");
    return EXIT_FAILED;
}

/* Does `export FILE OUT --format site` for the chunks that `which` selects. */
static int export_site(session *s, const ptl_game_save_write_options *which)
{
    const args *a = s->args;
    const int64_t limit = (int64_t)PTL_CHUNK_COORD_MAX * PTL_CHUNK_SIZE;
    const bool named = args_value(a, "world") != NULL;
    const char *dot = strrchr(a->operands[1], '.');
    int64_t r[4];
    ptl_atlas_options levels = PTL_ATLAS_OPTIONS_INIT;
    site_options o = {.path = a->operands[0],
                      .out = a->operands[1],
                      .single = dot && dot > a->operands[1] && strcmp(dot, ".html") == 0,
                      .force = args_has(a, "force"),
                      .has_rect = which->has_rect,
                      .within = {{which->x0, which->y0}, {which->x1, which->y1}},
                      .has_omts = args_has(a, "omt"),
                      .should_stop = stop_asked_for};
    if (args_has(a, "scale"))
        return usage_error(a, "--scale is for pyramids");
    NEED(export_read_levels(a, &levels));
    if (levels.has_levels && levels.z_first > levels.z_last)
        return usage_error(a, "--levels A..B of a site go upwards");
    o.style = levels.style;
    o.z_first = levels.has_levels ? levels.z_first : PTL_Z_MIN;
    o.z_last = levels.has_levels ? levels.z_last : PTL_Z_MAX;
    if (o.has_omts) {
        NEED(rect_from_text(a, "omt", args_value(a, "omt"), limit, r));
        o.omts[0] = (ptl_omt){r[0], r[1], 0};
        o.omts[1] = (ptl_omt){r[2], r[3], 0};
    }
    NEED(named ? session_open_world(s, PTL_OPEN_READ, NULL) : session_open(s, PTL_OPEN_READ));
    o.world = named ? ptl_world_name(s->world) : NULL;
    ptl_tileset *set;
    NEED(tileset_from_args(s, &set));
    o.tileset = set;
    const int code = write_site(s, &o);
    ptl_tileset_close(set);
    return code;
}

/* Warns that a running game may have loaded the save, and says how many processes could not be
 * examined. */
static void print_games(uint64_t unseen, uint64_t games, const char *game)
{
    if (unseen == UINT64_MAX)
        tell("This system does not tell which processes run: whether a game has this save "
             "loaded is not known.\n");
    else if (unseen > 0)
        tell("%ju process%s of other users could not be looked into.\n", unseen,
             unseen == 1 ? "" : "es");
    if (games > 0)
        tell("A game runs: %s%s. It has no file of this save open, as games mostly have not: "
             "if this save is loaded in it, quit it without saving.\n",
             game, games > 1 ? ", and others" : "");
}

static void print_put(const ptl_game_save_put_report *r, const ptl_game_save_fit *fit,
                      const char *save)
{
    char size[32], moved[32];
    format_size(r->bytes, size);
    format_size(r->moved_bytes, moved);
    if (r->recovered[0])
        out_say("an interrupted call was taken back first (%s)\n", r->recovered);
    out_say("%ju overmap%s put into %s in %.2f s (%s)\n", r->chunks, plural(r->chunks), save,
            r->seconds, size);
    if (r->seen > 0)
        out_say("what was seen of %ju overmap%s, and %ju note%s, put there for a character\n",
                r->seen, plural(r->seen), r->notes, plural(r->notes));
    out_say("moved to %s/%s: %ju overmap%s, %ju file%s of what was seen of overmaps, %ju "
            "file%s of maps, %ju of map memory (%s)\n",
            save, r->folder, r->moved_overmaps, plural(r->moved_overmaps), r->moved_seen,
            plural(r->moved_seen), r->moved_maps, plural(r->moved_maps), r->moved_memory,
            moved);
    export_print_fit(fit, false);
    if (r->moved_overmaps > 0 && r->met == 0)
        out_say("None of the overmaps that were there is among them: the game makes one of "
                "its own where the character stands.\n");
    out_say("Now start the game and load that world. What the character had around it when "
            "the game was saved, monsters too, is in the character's file and stays.\n"
            "To take it back, before the game has saved again:\n"
            "  portolan export --undo ");
    export_print_path(save);
    out_say("\n");
}

/* Prints an error about the save. Advice is only added about disks: other advice is
 * about world files. */
static void tell_error(const ptl_error *err)
{
    const char *advice = err->status == PTL_ERR_IO ? advice_on(err, "export") : NULL;
    tell("portolan export: %s\n",
         err->message[0] ? err->message : ptl_status_name(err->status));
    if (advice)
        tell("%s\n", advice);
}

/* Does `export FILE --into SAVE` for the chunks that o selects, of the session's world. */
static int export_into(session *s, const ptl_game_save_write_options *o, const char *save)
{
    ptl_game_save_fit *fit = NULL;
    ptl_game_save_put_report r = PTL_GAME_SAVE_PUT_REPORT_INIT;
    const ptl_game_save_put_options put = {.size = sizeof put,
                                           .save = save,
                                           .has_rect = o->has_rect,
                                           .force = o->force,
                                           .x0 = o->x0,
                                           .y0 = o->y0,
                                           .x1 = o->x1,
                                           .y1 = o->y1,
                                           .on_progress = progress_show,
                                           .payload = &s->shown,
                                           .fit = &fit,
                                           .viewer = args_value(s->args, "viewer"),
                                           .character = args_value(s->args, "character")};
    const ptl_status status = ptl_game_save_put(&r, s->world, &put, &s->err);
    progress_end(&s->shown);
    const bool stopped = status == PTL_ERR_CANCELLED && stop_wanted();
    if (stopped)
        stop_tell_how("the save is as it was");
    else if (status != PTL_OK)
        tell_error(&s->err);
    if (status == PTL_ERR_MISMATCH) {
        export_print_fit(fit, true);
        tell("The game reports \"Loaded bad ter!\" for a terrain that it lacks, and puts "
             "another in its place.\n--force goes on all the same.\n");
    } else if (status == PTL_ERR_BUSY && !o->force) {
        tell("--force goes on all the same; a game that runs writes over it when it saves.\n");
    }
    if (!stopped)
        print_games(r.unseen, r.games, r.game);
    if (status == PTL_OK && !s->shown.quiet)
        print_put(&r, fit, save);
    ptl_game_save_fit_free(fit);
    return status == PTL_OK ? EXIT_DONE : EXIT_FAILED;
}

/* Does `export --undo SAVE`. */
static int export_undo(const args *a, const char *save)
{
    const ptl_game_save_undo_options undo = {.size = sizeof undo,
                                             .save = save,
                                             .should_stop = stop_asked_for,
                                             .force = args_has(a, "force")};
    ptl_game_save_undo_report r = PTL_GAME_SAVE_UNDO_REPORT_INIT;
    ptl_error err;
    if (ptl_game_save_undo(&r, &undo, &err) != PTL_OK) {
        if (err.status == PTL_ERR_CANCELLED && stop_wanted())
            return stop_tell_how("nothing was undone");
        tell_error(&err);
        if (err.status == PTL_ERR_EXISTS)
            tell("To have what was there before all the same: move maps, o.*, *.seen.*, *.mm1 "
                 "and *.sqlite3 of the save elsewhere, and then those in %s to where they "
                 "were.\n",
                 r.folder);
        print_games(r.unseen, r.games, r.game);
        return EXIT_FAILED;
    }
    print_games(r.unseen, r.games, r.game);
    if (!args_has(a, "quiet")) {
        if (r.interrupted)
            out_say("%s: an interrupted call was taken back (%s)\n", save, r.folder);
        else
            out_say("%s is as it was: %ju overmap%s removed, %ju file%s put back from %s\n",
                    save, r.removed, plural(r.removed), r.restored, plural(r.restored),
                    r.folder);
        if (r.left > 0)
            out_say("%ju earlier one%s can be undone likewise\n", r.left, plural(r.left));
    }
    return EXIT_DONE;
}

static int run(session *s)
{
    const args *a = s->args;
    const char *save = args_value(a, "into"), *undo = args_value(a, "undo");
    const char *name = args_value(a, "format"), *rect = args_value(a, "rect");
    /* NULL: --format is not given, or there is no such format. */
    const export_format *format = NULL;
    for (size_t i = 0; name && i < sizeof formats / sizeof formats[0]; i++)
        if (strcmp(formats[i].name, name) == 0)
            format = &formats[i];
    ptl_game_save_write_options o = PTL_GAME_SAVE_WRITE_OPTIONS_INIT;
    NEED(check_form(a, format));
    if (undo)
        return export_undo(a, undo);
    if (rect) {
        int64_t r[4];
        NEED(rect_from_text(a, "rect", rect, PTL_CHUNK_COORD_MAX, r));
        o.has_rect = true;
        o.x0 = (int32_t)r[0];
        o.y0 = (int32_t)r[1];
        o.x1 = (int32_t)r[2];
        o.y1 = (int32_t)r[3];
    }
    if (format && strcmp(format->name, "site") == 0)
        return export_site(s, &o);
    o.directory = save ? NULL : a->operands[1];
    o.force = args_has(a, "force");
    NEED(session_open_world(s, PTL_OPEN_READ, NULL));
    if (save)
        return export_into(s, &o, save);
    return format && format->is_map ? export_map(s, format, &o) : export_save(s, &o);
}

static const value_type values[] = {
    {"format", VALUE_WORDS, "dda-save|bn-save|geojson|gpkg|mbtiles|pmtiles|tiled|site", NULL},
    {0}};

const command export_command = {
    .name = "export",
    .group = GROUP_GAME,
    .operands = "FILE [OUT]",
    .operands_vary = true,
    .summary = "Write overmaps as a map, or as a game's own files.",
    .operand_help =
        "OUT  The folder that gets a game's files or a site, or the file of a map.\n",
    .details =
        "--format geojson and gpkg write a map for geographic programs (QGIS, GDAL): cities, "
        "buildings and specials as points, roads, rails and rivers as lines, ground and "
        "borders "
        "of overmaps as polygons. GeoJSON is in degrees, and lies on the tiles; a GeoPackage "
        "is "
        "in metres, 24 an OMT, and lies on a picture of `portolan render`. --format "
        "mbtiles and pmtiles write a pyramid of PNG tiles of one level, tiled a map of the "
        "editor Tiled with a layer for each level. A map appears under its name when it is "
        "complete, and replaces nothing without --force.\n\n"
        "--format site writes the page of `portolan serve` with its data into the folder OUT, "
        "for any web server; or, if OUT ends in .html, all of it as one file that a browser "
        "opens from a disk. It has all worlds of the file that have overmaps unless --world "
        "says which, all levels unless --levels does, and their stored local maps, 20,000 of "
        "a world at most, unless --omt says which; index.html is written last. A site has the "
        "styles paper and terminal; with --tileset DIR (a folder of a game's gfx, or the "
        "game's "
        "own folder) also that set's style for overmaps. The site then holds pictures drawn "
        "with the set: who publishes it must keep to the set's licence.\n\n"
        "--format dda-save: one file o.X.Y for each chunk: OMTs, cities, roads over the "
        "borders, radios, monster groups, buildings and specials. Each file is written under "
        "another name first, so that none is ever half there. --format bn-save: the same for "
        "Cataclysm: Bright Nights.\n\n"
        "They go to the folder OUT, which is made if it is missing; how the game opens them "
        "is printed.\n\n"
        "--into SAVE puts them into a save of Cataclysm: DDA 0.F or 0.I or of Bright Nights, "
        "the folder save/WORLD with a character in it, as it has its own, while the game does "
        "not run. What they replace (maps, o.X.Y, overmaps, *.seen.X.Y, *.mm1; or map.sqlite3 "
        "and the characters' *.sqlite3) is moved to SAVE/portolan-replaced-N; --undo SAVE puts "
        "all of it back, if nothing has changed "
        "since, also after a call that was interrupted. Before anything is moved: no process "
        "has a file of SAVE open, nothing was saved in the last seconds, the save lists the "
        "mods that the world's content is of. A game that runs is told: it may have SAVE "
        "loaded without having a file of it open. With --viewer the marks and notes of a "
        "viewer "
        "of the world become what a character of SAVE has seen and noted.\n",
    .examples = "  portolan export w.db home.geojson --format geojson\n"
                "  portolan export w.db home.gpkg --format gpkg\n"
                "  portolan export w.db home.pmtiles --format pmtiles --scale 8\n"
                "  portolan export w.db site --format site --levels -1..0\n"
                "  portolan export w.db maps --format dda-save\n"
                "  portolan export w.db maps --format dda-save --rect 0,0,0,0 --force\n"
                "  portolan export w.db nights --format bn-save\n"
                "  portolan export w.db --into cataclysm/save/Home\n"
                "  portolan export w.db --into cataclysm/save/Home --viewer Ann\n"
                "  portolan export --undo cataclysm/save/Home\n",
    .options = options,
    .values = values,
    .run = run,
    .stopped =
        "no map was written, and no site is complete; overmaps that were written stay in OUT "
        "(--force goes over them again), and a save is as it was",
};
