/* portolan export --into and --undo: a world put into a game's save, and taken out again. */
#include "cli/line/output.h"
#include "cli/line/progress.h"
#include "cli/session/advice.h"
#include "cli/worlds/export.h"
#include "exchange/into.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { IDS_SHOWN = 6 /* of a kind */ };

typedef void (*printer)(const char *format, ...);

static const char *plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

/* A path as an argument of a command that the user may copy. */
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

/* The ids from lacking[first] on that are of its pack and kind: the first few by name. Returns
 * where the next ones begin. */
static size_t print_kind(printer print, const save_fit *fit, size_t first)
{
    const save_id *ids = &fit->lacking[first];
    size_t count = 0;
    while (first + count < fit->lacking_count && ids[count].pack == ids->pack &&
           strcmp(ids[count].kind, ids->kind) == 0)
        count++;
    print(" %zu %s%s (", count, ids->kind, plural(count));
    for (size_t i = 0; i < count && i < IDS_SHOWN; i++)
        print("%s%s", i > 0 ? ", " : "", ids[i].id);
    print(count > IDS_SHOWN ? ", ...)" : ")");
    return first + count;
}

/* The ids of a pack that the game may lack: they stand together. */
static void print_ids(printer print, const save_fit *fit, size_t pack)
{
    size_t at = 0;
    while (at < fit->lacking_count && fit->lacking[at].pack != pack)
        at++;
    print("%s: %" PRIu64 " id%s that the game may lack:", fit->packs[pack].id,
          fit->packs[pack].lacked, plural(fit->packs[pack].lacked));
    while (at < fit->lacking_count && fit->lacking[at].pack == pack) {
        at = print_kind(print, fit, at);
        print(at < fit->lacking_count && fit->lacking[at].pack == pack ? "," : "\n");
    }
}

void export_print_fit(const save_fit *fit, bool failed)
{
    const printer print = failed ? tell : out_printf;
    out_prose_begin(2);
    if (fit->mods) {
        print("mods of the save:");
        for (size_t i = 0; i < fit->mod_count; i++)
            print("%s %s", i > 0 ? "," : "", fit->mods[i]);
        print("\n");
    }
    print("content of the world:");
    for (size_t i = 0; i < fit->pack_count; i++) {
        const save_pack *p = &fit->packs[i];
        print("%s %s%s", i > 0 ? "," : "", p->id,
              p->listed ? ""
              : p->own  ? " (Portolan's own)"
              : i == 0  ? " (taken for the game's)"
                        : " (a mod)");
    }
    print("; %" PRIu64 " terrain%s and %" PRIu64 " special%s of it are used\n", fit->terrains,
          plural(fit->terrains), fit->specials, plural(fit->specials));
    for (size_t i = 0; i < fit->pack_count; i++)
        if (fit->packs[i].lacked > 0)
            print_ids(print, fit, i);
    out_prose_end();
}

/* ---- into ---- */

static void print_unseen(uint64_t unseen)
{
    if (unseen > 0)
        tell("%" PRIu64 " process%s of other users could not be looked into.\n", unseen,
             unseen == 1 ? "" : "es");
}

static void print_moved(const save_into_report *r, const char *save)
{
    char size[32];
    format_size(r->bytes, size);
    out_printf("moved to %s/%s: %" PRIu64 " overmap%s, %" PRIu64
               " file%s of what was seen of overmaps, %" PRIu64 " file%s of maps (%s)\n",
               save, r->folder, r->overmaps, plural(r->overmaps), r->seen, plural(r->seen),
               r->maps, plural(r->maps), size);
}

static void print_put(const save_into_report *r, const char *save)
{
    char size[32];
    out_prose_begin(0);
    if (r->recovered[0])
        out_printf("an interrupted call was taken back first (%s)\n", r->recovered);
    format_size(r->exported.bytes, size);
    out_printf("%" PRIu64 " overmap%s put into %s in %.2f s (%s)\n", r->exported.chunks,
               plural(r->exported.chunks), save, r->exported.seconds, size);
    print_moved(r, save);
    out_prose_end();
    export_print_fit(&r->fit, false);
    out_prose_begin(0);
    if (r->overmaps > 0 && r->met == 0)
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

/* What is wrong with the save, which only the advice about disks fits, of that about files. */
static void tell_error(const ptl_error *err)
{
    const char *advice = err->status == PTL_ERR_IO ? advice_on(err, "export") : NULL;
    tell("portolan export: %s\n",
         err->message[0] ? err->message : ptl_status_name(err->status));
    if (advice)
        tell("%s\n", advice);
}

static int into_failed(const session *s, const save_into_report *r)
{
    if (s->err.status == PTL_ERR_CANCELLED && stop_wanted())
        return stop_tell_how("the save is as it was");
    tell_error(&s->err);
    if (s->err.status == PTL_ERR_MISMATCH) {
        export_print_fit(&r->fit, true);
        tell("The game reports \"Loaded bad ter!\" for a terrain that it lacks, and puts "
             "another in its place.\n--force goes on all the same.\n");
    } else if (s->err.status == PTL_ERR_BUSY) {
        tell("--force goes on all the same; a game that runs writes over it when it saves.\n");
    }
    print_unseen(r->unseen);
    return EXIT_FAILED;
}

int export_into(session *s, const ptl_export_save_options *o, const char *save)
{
    progress shown;
    save_into_report r;
    const bool quiet = args_has(s->args, "quiet");
    save_into_options options = {
        .save = save, .exported = *o, .force = args_has(s->args, "force")};
    progress_init(&shown, quiet);
    options.exported.on_progress = progress_show;
    options.exported.payload = &shown;
    ptl_status status = save_into(s->world, &options, &r, &s->err);
    progress_end(&shown);
    int code = EXIT_DONE;
    if (status != PTL_OK) {
        code = into_failed(s, &r);
    } else {
        print_unseen(r.unseen);
        if (!quiet)
            print_put(&r, save);
    }
    save_fit_dispose(&r.fit);
    return code;
}

/* ---- undo ---- */

static int undo_failed(const save_undo_report *r, const ptl_error *err)
{
    if (err->status == PTL_ERR_CANCELLED && stop_wanted())
        return stop_tell_how("nothing was undone");
    tell_error(err);
    if (err->status == PTL_ERR_EXISTS)
        tell("To have what was there before all the same: move maps, o.* and *.seen.* of "
             "the save elsewhere, and then those in %s to where they were.\n",
             r->folder);
    print_unseen(r->unseen);
    return EXIT_FAILED;
}

static void print_undone(const save_undo_report *r, const char *save)
{
    out_prose_begin(0);
    if (r->interrupted)
        out_printf("%s: an interrupted call was taken back (%s)\n", save, r->folder);
    else
        out_printf("%s is as it was: %" PRIu64 " overmap%s removed, %" PRIu64
                   " file%s put back from %s\n",
                   save, r->removed, plural(r->removed), r->restored, plural(r->restored),
                   r->folder);
    if (r->left > 0)
        out_printf("%" PRIu64 " earlier one%s can be undone likewise\n", r->left,
                   plural(r->left));
    out_prose_end();
}

int export_undo(const args *a, const char *save)
{
    const save_undo_options options = {
        .save = save, .force = args_has(a, "force"), .stop = {stop_asked_for, NULL}};
    save_undo_report r;
    ptl_error err;
    if (save_undo(&options, &r, &err) != PTL_OK)
        return undo_failed(&r, &err);
    print_unseen(r.unseen);
    if (!args_has(a, "quiet"))
        print_undone(&r, save);
    return EXIT_DONE;
}
