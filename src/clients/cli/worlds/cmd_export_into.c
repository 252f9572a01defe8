/* portolan export --into and --undo: puts a world into a game's save, and takes it out
 * again. */
#include "clients/cli/session/advice.h"
#include "clients/cli/worlds/export.h"

enum { IDS_SHOWN = 6 /* of each kind */ };

typedef void (*printer)(const char *format, ...);

/* Quotes the path as an argument of a command that the user may copy. */
void export_print_path(const char *path)
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

/* ---- what fits ---- */

/* Prints the lacking ids that have the pack and the kind of the id `first`, the first few of
 * them by name. Returns the index after them. */
static size_t print_kind(printer print, const ptl_save_fit *fit, size_t first)
{
    ptl_save_id begin = PTL_SAVE_ID_INIT, id = PTL_SAVE_ID_INIT;
    ptl_save_fit_lacking(&begin, fit, first);
    size_t count = 0;
    while (ptl_save_fit_lacking(&id, fit, first + count) == PTL_OK && id.pack == begin.pack &&
           id.kind == begin.kind)
        count++;
    print(" %zu %s%s (", count,
          begin.kind == PTL_CONTENT_REGION    ? "region"
          : begin.kind == PTL_CONTENT_SPECIAL ? "special"
                                              : "terrain",
          plural(count));
    for (size_t i = 0; i < count && i < IDS_SHOWN; i++) {
        ptl_save_fit_lacking(&id, fit, first + i);
        print("%s%s", i > 0 ? ", " : "", id.id);
    }
    print(count > IDS_SHOWN ? ", ...)" : ")");
    return first + count;
}

static bool is_of(const ptl_save_fit *fit, size_t lacking, size_t pack)
{
    ptl_save_id id = PTL_SAVE_ID_INIT;
    return ptl_save_fit_lacking(&id, fit, lacking) == PTL_OK && id.pack == pack;
}

/* The ids of a pack that the game may lack: they stand together. */
static void print_lacking(printer print, const ptl_save_fit *fit, const ptl_save_pack *p,
                          size_t pack)
{
    size_t at = 0;
    while (!is_of(fit, at, pack))
        at++;
    print("%s: %ju id%s that the game may lack:", p->id, p->lacked, plural(p->lacked));
    while (is_of(fit, at, pack)) {
        at = print_kind(print, fit, at);
        print(is_of(fit, at, pack) ? "," : "\n");
    }
}

void export_print_fit(const ptl_save_fit *fit, bool failed)
{
    const printer print = failed ? tell : out_printf;
    ptl_save_fit_info info = PTL_SAVE_FIT_INFO_INIT;
    ptl_save_pack p = PTL_SAVE_PACK_INIT;
    if (!fit || ptl_save_fit_describe(&info, fit) != PTL_OK)
        return;
    out_prose_begin(2);
    if (info.mod_count >= 0) {
        print("mods of the save:");
        const char *mod;
        for (size_t i = 0; (mod = ptl_save_fit_mod(fit, i)) != NULL; i++)
            print("%s %s", i > 0 ? "," : "", mod);
        print("\n");
    }
    print("content of the world:");
    for (size_t i = 0; ptl_save_fit_pack(&p, fit, i) == PTL_OK; i++)
        print("%s %s%s", i > 0 ? "," : "", p.id,
              p.listed ? ""
              : p.own  ? " (Portolan's own)"
              : p.game ? " (taken for the game's)"
                       : " (a mod)");
    print("; %ju terrain%s and %ju special%s of it are used\n", info.terrains,
          plural(info.terrains), info.specials, plural(info.specials));
    for (size_t i = 0; ptl_save_fit_pack(&p, fit, i) == PTL_OK; i++)
        if (p.lacked > 0)
            print_lacking(print, fit, &p, i);
    out_prose_end();
}

/* ---- into ---- */

/* Tells what is not known of games that run: one of them may have the save loaded. */
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

static void print_put(const ptl_save_put_report *r, const ptl_save_fit *fit, const char *save)
{
    char size[32], moved[32];
    format_size(r->bytes, size);
    format_size(r->moved_bytes, moved);
    out_prose_begin(0);
    if (r->recovered[0])
        out_printf("an interrupted call was taken back first (%s)\n", r->recovered);
    out_printf("%ju overmap%s put into %s in %.2f s (%s)\n", r->chunks, plural(r->chunks), save,
               r->seconds, size);
    out_printf("moved to %s/%s: %ju overmap%s, %ju file%s of what was seen of overmaps, %ju "
               "file%s of maps, %ju of map memory (%s)\n",
               save, r->folder, r->moved_overmaps, plural(r->moved_overmaps), r->moved_seen,
               plural(r->moved_seen), r->moved_maps, plural(r->moved_maps), r->moved_memory,
               moved);
    out_prose_end();
    export_print_fit(fit, false);
    out_prose_begin(0);
    if (r->moved_overmaps > 0 && r->met == 0)
        out_printf("None of the overmaps that were there is among them: the game makes one of "
                   "its own where the character stands.\n");
    out_printf("Now start the game and load that world. What the character had around it when "
               "the game was saved, monsters too, is in the character's file and stays.\n"
               "To take it back, before the game has saved again:\n"
               "  portolan export --undo ");
    export_print_path(save);
    out_text("\n");
    out_prose_end();
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

static void into_failed(const session *s, const ptl_save_put_report *r, const ptl_save_fit *fit)
{
    if (s->err.status == PTL_ERR_CANCELLED && stop_wanted()) {
        stop_tell_how("the save is as it was");
        return;
    }
    tell_error(&s->err);
    if (s->err.status == PTL_ERR_MISMATCH) {
        export_print_fit(fit, true);
        tell("The game reports \"Loaded bad ter!\" for a terrain that it lacks, and puts "
             "another in its place.\n--force goes on all the same.\n");
    } else if (s->err.status == PTL_ERR_BUSY) {
        tell("--force goes on all the same; a game that runs writes over it when it saves.\n");
    }
    print_games(r->unseen, r->games, r->game);
}

int export_into(session *s, const ptl_save_write_options *o, const char *save)
{
    ptl_save_fit *fit = NULL;
    ptl_save_put_report r = PTL_SAVE_PUT_REPORT_INIT;
    const ptl_save_put_options options = {.size = sizeof options,
                                          .save = save,
                                          .has_rect = o->has_rect,
                                          .force = o->force,
                                          .x0 = o->x0,
                                          .y0 = o->y0,
                                          .x1 = o->x1,
                                          .y1 = o->y1,
                                          .on_progress = progress_show,
                                          .payload = &s->shown,
                                          .fit = &fit};
    const ptl_status status = ptl_save_put(&r, s->world, &options, &s->err);
    const int code = status == PTL_OK ? EXIT_DONE : EXIT_FAILED;
    progress_end(&s->shown);
    if (status != PTL_OK)
        into_failed(s, &r, fit);
    else
        print_games(r.unseen, r.games, r.game);
    if (status == PTL_OK && !s->shown.quiet)
        print_put(&r, fit, save);
    ptl_save_fit_free(fit);
    return code;
}

/* ---- undo ---- */

int export_undo(const args *a, const char *save)
{
    const ptl_save_undo_options options = {.size = sizeof options,
                                           .save = save,
                                           .should_stop = stop_asked_for,
                                           .force = args_has(a, "force")};
    ptl_save_undo_report r = PTL_SAVE_UNDO_REPORT_INIT;
    ptl_error err;
    if (ptl_save_undo(&r, &options, &err) != PTL_OK) {
        if (err.status == PTL_ERR_CANCELLED && stop_wanted())
            return stop_tell_how("nothing was undone");
        tell_error(&err);
        if (err.status == PTL_ERR_EXISTS)
            tell("To have what was there before all the same: move maps, o.*, *.seen.* and "
                 "*.mm1 of the save elsewhere, and then those in %s to where they were.\n",
                 r.folder);
        print_games(r.unseen, r.games, r.game);
        return EXIT_FAILED;
    }
    print_games(r.unseen, r.games, r.game);
    if (!args_has(a, "quiet")) {
        out_prose_begin(0);
        if (r.interrupted)
            out_printf("%s: an interrupted call was taken back (%s)\n", save, r.folder);
        else
            out_printf("%s is as it was: %ju overmap%s removed, %ju file%s put back from %s\n",
                       save, r.removed, plural(r.removed), r.restored, plural(r.restored),
                       r.folder);
        if (r.left > 0)
            out_printf("%ju earlier one%s can be undone likewise\n", r.left, plural(r.left));
        out_prose_end();
    }
    return EXIT_DONE;
}
