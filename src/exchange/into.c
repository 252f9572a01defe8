/* ptl_game_save_put and ptl_game_save_undo: put overmaps into a save, and undo that.
 * into_impl.h describes the states that a save goes through. */
#include "core/sized.h"
#include "core/utf8.h"
#include "exchange/into_impl.h"
#include "os/clock.h"
#include "os/process.h"
#include "world/world.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct putting {
    ptl_world *world;
    const ptl_game_save_put_options *options;
    ptl_game_save_put_report *report;
    ptl_game_save_fit
        *fit; /* owned; tells whether the save lists the content that the overmaps use
               */
    save_folder *save;
    replaced r;
    into_databases databases; /* owned; empty if the save has none */
    into_seen seen;           /* owned; what a viewer has seen */
    file_id source; /* identity of the world file: if it lies in the save's folder, it must not
                       be moved with the other files */
    bool has_source;
} putting;

/* ---- preparing ---- */

/* Makes the folder SAVE/portolan-replaced-N with the first free number. */
static ptl_status make_folder(putting *p, int number, ptl_error *err)
{
    replaced *r = &p->r;
    for (;; number++) {
        if (number > INTO_NUMBER_MAX)
            return error_set(err, PTL_ERR_LIMIT, "%s has %d folders " INTO_PREFIX "N already",
                             p->save->path, INTO_NUMBER_MAX);
        snprintf(r->name, sizeof r->name, INTO_PREFIX "%d", number);
        if (folder_make_in(p->save->fd, r->name))
            break;
        if (errno != EEXIST)
            return into_failed(p->save->path, r->name, "", err);
    }
    r->path = save_text("%s/%s", p->save->path, r->name);
    r->fd = r->path ? folder_open_in(p->save->fd, r->name) : -1;
    if (r->fd < 0) {
        const ptl_status failed =
            r->path ? into_failed(p->save->path, r->name, "", err) : error_nomem(err);
        folder_remove_in(p->save->fd, r->name);
        return failed;
    }
    snprintf(p->report->folder, sizeof p->report->folder, "%s", r->name);
    return PTL_OK;
}

/* The callback (exported_visit) of ptl_game_save_put: adds a file that was just written for an
 * overmap to the manifest, with the file's digest. */
static ptl_status note_file(void *payload, const exported_file *file, ptl_error *err)
{
    putting *p = payload;
    char path[SAVE_NAME_SIZE + sizeof INTO_BELOW];
    digest_state state;
    save_entry entry = {.size = file->size};
    snprintf(path, sizeof path, "%s%s", p->save->layout.below ? INTO_BELOW "/" : "",
             file->name);
    save_fit_note(p->fit, file->chunk, file->features);
    if (p->save->layout.databases)
        return save_entries_add(&p->databases.overmaps, path, NULL, err);
    digest_init(&state);
    digest_update(&state, file->data, file->size);
    digest_final(&state, &entry.digest);
    return save_entries_add(&p->r.m.written, path, &entry, err);
}

/* Writes the files of the new overmaps, or the databases that have them, into the folder `new`,
 * and lists them in the manifest. */
static ptl_status make_overmaps(putting *p, ptl_error *err)
{
    const save_layout *layout = &p->save->layout;
    save_form form = layout->form;
    const save_entry below = {.folder = true};
    char *folder =
        save_text("%s/" INTO_NEW "%s", p->r.path, layout->below ? "/" INTO_BELOW : "");
    const ptl_game_save_put_options *given = p->options;
    const ptl_game_save_write_options o = {.size = sizeof o,
                                           .directory = folder,
                                           .has_rect = given->has_rect,
                                           .x0 = given->x0,
                                           .y0 = given->y0,
                                           .x1 = given->x1,
                                           .y1 = given->y1,
                                           .on_progress = given->on_progress,
                                           .payload = given->payload};
    ptl_game_save_write_report made = PTL_GAME_SAVE_WRITE_REPORT_INIT;
    ptl_status status = folder ? PTL_OK : error_nomem(err);
    if (status == PTL_OK && layout->databases)
        status = into_databases_begin(&p->databases, &p->r, err);
    form.database = p->databases.map;
    THEN(status, export_overmaps(p->world, &o, &form, &made, note_file, p, err));
    if (status == PTL_OK && layout->below)
        status = save_entries_add(&p->r.m.written, INTO_BELOW, &below, err);
    p->report->chunks = made.chunks;
    p->report->bytes = made.bytes;
    p->report->seconds = made.seconds;
    if (status == PTL_OK && layout->databases)
        status = into_databases_fill(&p->databases, &p->r, &p->seen, p->report, err);
    else if (status == PTL_OK && p->seen.viewer)
        status = into_seen_put(&p->seen, NULL, &p->r, p->report, err);
    save_entries_sort(&p->r.m.written);
    free(folder);
    return status;
}

static ptl_status prepare(putting *p, ptl_error *err)
{
    manifest *m = &p->r.m;
    m->state = INTO_PREPARING;
    m->changed = p->save->changed;
    /* The world's name is cut at the first byte that is not UTF-8, and to the size of
     * m->world: otherwise the manifest could not be read again. */
    char *out = m->world;
    const size_t room = sizeof m->world;
    const char *name = p->world->row.name;
    const size_t size = strlen(name);
    size_t at = 0;
    for (uint32_t c = 0; at < size;) {
        const size_t length = utf8_decode(name + at, size - at, &c);
        if (c == UTF8_BAD || at + length >= room)
            break;
        at += length;
    }
    memcpy(out, name, at);
    out[at] = '\0';
    snprintf(m->content, sizeof m->content, "%s", p->world->cat->digest);
    TRY(manifest_write(m, p->r.path, err));
    TRY(replaced_open_fresh(&p->r, err));
    TRY(make_overmaps(p, err));
    ptl_game_save_fit *fit = p->fit;
    ptl_status status = save_fit_mods(fit, p->save->fd, p->save->path, err);
    THEN(status, save_fit_find(fit, p->world, err));
    if (status == PTL_OK && fit->lacking_count > 0 && !p->options->force)
        status =
            error_set(err, PTL_ERR_MISMATCH,
                      "%s: %zu id%s of the overmaps come%s from content that the save "
                      "does not list",
                      p->save->path, fit->lacking_count, fit->lacking_count == 1 ? "" : "s",
                      fit->lacking_count == 1 ? "s" : "");
    return status;
}

/* ---- moving ---- */

static ptl_status list_entry(putting *p, const char *name, entry_kind kind, ptl_error *err)
{
    const file_id *source = p->has_source ? &p->source : NULL;
    const entry_walk walk = {p->save->path, &p->save->stop, source, &p->r.m.moved};
    const size_t before = p->r.m.moved.count;
    bool found = false;
    TRY(entry_walk_from(&walk, p->save->fd, name, &found, err));
    if (!found)
        return PTL_OK;
    const bool folder = kind == ENTRY_MAPS || kind == ENTRY_OVERMAPS;
    if (p->r.m.moved.list[before].folder != folder && kind != ENTRY_MEMORY)
        return error_set(err, PTL_ERR_ARGUMENT, "%s/%s is %s: no game makes such a thing",
                         p->save->path, name, folder ? "no folder" : "a folder");
    for (size_t i = before; i < p->r.m.moved.count; i++) {
        const save_entry *e = &p->r.m.moved.list[i];
        ptl_game_save_put_report *report = p->report;
        const char *slash = strrchr(e->path, '/');
        ptl_chunk_pos pos;
        if (e->folder)
            continue;
        if ((kind == ENTRY_OVERMAP || kind == ENTRY_OVERMAPS) &&
            save_name_parse_any(slash ? slash + 1 : e->path, &pos)) {
            report->moved_overmaps++;
            /* Counts the moved file in report->met if a new overmap was written for the same
             * place. The new file may be compressed and the old one plain, or the other way
             * round. */
            char form[SAVE_NAME_SIZE], path[SAVE_NAME_SIZE + sizeof INTO_BELOW];
            save_form_name(form, &p->save->layout.form, pos);
            snprintf(path, sizeof path, "%s%s", p->save->layout.below ? INTO_BELOW "/" : "",
                     form);
            report->met += save_entries_find(&p->r.m.written, path) != NULL;
        }
        report->moved_bytes += e->size;
        report->moved_seen += kind == ENTRY_SEEN;
        report->moved_maps += kind == ENTRY_MAPS;
        report->moved_memory += kind == ENTRY_MEMORY;
    }
    return PTL_OK;
}

enum { RECENT = 5 /* seconds */ };

typedef struct game_search {
    const save_folder *save;
    char root[PATH_MAX]; /* real path of SAVE, followed by a slash */
    game_signs *signs;
} game_search;

static bool is_game(const char *name)
{
    return strncmp(name, "cataclysm", strlen("cataclysm")) == 0;
}

static ptl_status refuse(const game_search *g, const process_facts *process, const char *target,
                         ptl_error *err)
{
    return error_set(err, PTL_ERR_BUSY, "%s: process %s (%s) has %s open", g->save->path,
                     process->number, process->name, target + strlen(g->root));
}

static bool is_below(const game_search *g, const char *target)
{
    return strncmp(target, g->root, strlen(g->root)) == 0;
}

/* Returns PTL_ERR_BUSY if the process has a file in the folder SAVE, or below it, open. */
static ptl_status check_files(const game_search *g, const process_facts *process,
                              ptl_error *err)
{
    char target[PATH_MAX];
    folder_list *list = process_files_open(process);
    ptl_status status = PTL_OK;
    if (!list) {
        g->signs->unseen += errno == EACCES || errno == EPERM;
        return errno == ENOMEM ? error_nomem(err) : PTL_OK;
    }
    for (const char *name; status == PTL_OK && (name = folder_list_next(list)) != NULL;)
        if (folder_list_link(target, sizeof target, list, name) && is_below(g, target))
            status = refuse(g, process, target, err);
    folder_list_close(list);
    return status;
}

static ptl_status check_processes(const game_search *g, ptl_error *err)
{
    process_facts process;
    ptl_status status = PTL_OK;
    folder_list *list = process_list_open();
    if (!list) {
        g->signs->unseen = UINT64_MAX;
        return errno == ENOMEM ? error_nomem(err) : PTL_OK;
    }
    while (status == PTL_OK && process_list_next(&process, list)) {
        const bool by_name = is_game(process.name);
        if ((by_name || is_game(process.program)) && g->signs->games++ == 0)
            snprintf(g->signs->game, sizeof g->signs->game, "process %s (%.*s)", process.number,
                     UTF8_CUT(by_name ? process.name : process.program, 60));
        status = check_files(g, &process, err);
        if (status == PTL_OK) {
            /* Newer games map compressed files into memory and then close them. So the files
             * that a process has mapped are looked at, too. */
            char target[PATH_MAX];
            process_maps *maps = process_maps_open(&process);
            while (maps && status == PTL_OK && process_maps_next(target, sizeof target, maps))
                if (is_below(g, target))
                    status = refuse(g, &process, target, err);
            process_maps_close(maps);
        }
    }
    folder_list_close(list);
    return status;
}

/*
 * Looks for signs that a game has the save loaded. The game locks nothing, and closes each file
 * after reading it. So two signs give PTL_ERR_BUSY: a process has a file of the save open or
 * mapped, or the save was written within the last RECENT seconds. If a game runs without these
 * signs, it may have this save loaded or another one; that is only reported in *signs. A game
 * on another machine cannot be noticed at all.
 */
static ptl_status game_check(const save_folder *f, game_signs *signs, ptl_error *err)
{
    game_search g = {.save = f, .signs = signs};
    *signs = (game_signs){.unseen = 0};
    char *root = file_real_path(f->path);
    if (!root)
        return into_failed(f->path, ".", "", err);
    const int size = snprintf(g.root, sizeof g.root, "%s/", root);
    free(root);
    if (size < 0 || (size_t)size >= sizeof g.root)
        return error_set(err, PTL_ERR_LIMIT, "%s: its path is too long", f->path);
    TRY(check_processes(&g, err));
    /* The game writes the file of the world and that of the character whenever it saves. */
    save_entries names = {NULL, 0, 0};
    const int64_t now = clock_epoch();
    ptl_status status = folder_names(&names, f->fd, f->path, err);
    for (size_t i = 0; i < names.count && status == PTL_OK; i++) {
        const char *name = names.list[i].path;
        file_facts facts;
        if (!entry_is_of_play(name) || !file_look_in(&facts, f->fd, name))
            continue;
        const int64_t age = now - facts.changed.seconds;
        if (age > -RECENT && age < RECENT)
            status = error_set(err, PTL_ERR_BUSY,
                               "%s/%s was written just now: does the game save? Quit it, and "
                               "try again in %d seconds",
                               f->path, name, RECENT);
    }
    save_entries_dispose(&names);
    return status;
}

static ptl_status look_for_games(putting *p, ptl_error *err)
{
    game_signs signs = {.unseen = 0};
    const ptl_status status = p->options->force ? PTL_OK : game_check(p->save, &signs, err);
    p->report->unseen = signs.unseen;
    p->report->games = signs.games;
    snprintf(p->report->game, sizeof p->report->game, "%s", signs.game);
    return status;
}

/* Does ptl_game_save_put move the thing of this name and kind out of the save's folder? */
static bool is_moved(const putting *p, const char *name, entry_kind kind)
{
    const save_layout *layout = &p->save->layout;
    if (kind == ENTRY_DATABASE)
        return layout->databases && into_is_database(p->save->fd, name);
    return kind != ENTRY_OTHER &&
           (kind != ENTRY_OVERMAPS || save_version_of(layout->form.version)->of_0i);
}

/* Replaces the old files. Looks for running games once more, because making the overmaps may
 * have taken long. Then lists the files that must be moved away, writes this plan into the
 * manifest, and moves all files. */
static ptl_status replace(putting *p, ptl_error *err)
{
    TRY(look_for_games(p, err));
    save_entries names = {NULL, 0, 0};
    ptl_status status = folder_names(&names, p->save->fd, p->save->path, err);
    for (size_t i = 0; i < names.count && status == PTL_OK; i++) {
        const char *name = names.list[i].path;
        const entry_kind kind = entry_kind_of(name);
        if (is_moved(p, name, kind))
            status = list_entry(p, name, kind, err);
    }
    save_entries_sort(&p->r.m.moved);
    save_entries_dispose(&names);
    TRY(status);
    TRY(into_databases_check(p->save, err));
    TRY(into_databases_unchanged(&p->databases, err));
    TRY(replaced_set_state(&p->r, INTO_PLANNED, err));
    /*
     * Moves the old files away, and the new files to where the old ones were. The folder with
     * the manifest is synced first, so that the moves can be undone after an interruption.
     * Only top-level entries are renamed: everything below them moves with them.
     */
    const replaced *r = &p->r;
    const save_entries *moved = &r->m.moved, *written = &r->m.written;
    TRY(replaced_sync(r, err));
    for (size_t i = 0; i < moved->count; i++)
        if (!strchr(moved->list[i].path, '/'))
            TRY(rename_to_free(p->save->fd, r->fd, moved->list[i].path, r->path, err));
    for (size_t i = 0; i < written->count; i++)
        if (!strchr(written->list[i].path, '/'))
            TRY(rename_to_free(r->fresh, p->save->fd, written->list[i].path, p->save->path,
                               err));
    TRY(replaced_sync(r, err));
    return replaced_set_state(&p->r, INTO_COMPLETE, err);
}

/* ---- the whole course ---- */

/* Undoes what interrupted calls of ptl_game_save_put and ptl_game_save_undo have done, the
 * newest call first. `out` becomes the name of the folder of the call that was undone last.
 * *highest becomes the highest number of a folder whose call was completed; 0 if there is none.
 */
static ptl_status recover(const save_folder *save, char out[PTL_GAME_SAVE_FOLDER_SIZE],
                          int *highest, ptl_error *err)
{
    int *numbers = NULL;
    size_t count = 0;
    *highest = 0;
    ptl_status status = replaced_list(&numbers, &count, save, err);
    for (size_t i = count; i > 0 && status == PTL_OK; i--) {
        replaced r;
        status = replaced_open(&r, save, numbers[i - 1], err);
        if (status != PTL_OK)
            break;
        *highest = r.m.state == INTO_COMPLETE && *highest == 0 ? numbers[i - 1] : *highest;
        if (r.m.state == INTO_COMPLETE) {
            replaced_close(&r);
            continue;
        }
        snprintf(out, PTL_GAME_SAVE_FOLDER_SIZE, "%s", r.name);
        status = replaced_take_back(&r, err);
    }
    free(numbers);
    return status;
}

static ptl_status put(putting *p, ptl_error *err)
{
    int highest = 0;
    TRY(recover(p->save, p->report->recovered, &highest, err));
    /* The last call of ptl_game_save_put was broken off, so the save lacked some files until it
     * was undone just now. Only now can be found out whether its overmaps are in files or
     * databases. */
    if (p->report->recovered[0])
        TRY(save_folder_check(p->save, err));
    if (p->seen.viewer)
        TRY(into_seen_choose(&p->seen.character, p->save, p->seen.viewer, p->options->character,
                             err));
    TRY(make_folder(p, highest + 1, err));
    ptl_status status = prepare(p, err);
    THEN(status, replace(p, err));
    if (status == PTL_OK)
        return PTL_OK;
    ptl_error again;
    error_clear(&again);
    /* From here on requests to stop are ignored: what follows undoes the changes of the failed
     * call, and must not be interrupted. */
    p->save->stop = (stop_hook){NULL, NULL};
    if (replaced_take_back(&p->r, &again) != PTL_OK && err)
        error_prefix(err, status,
                     "interrupted (portolan export --undo '%s' takes it back, once what "
                     "hinders it is gone: %s)",
                     p->save->path, again.message);
    return status;
}

static ptl_status put_into(putting *p, ptl_error *err)
{
    ptl_world *world = p->world;
    const ptl_game_save_put_options *o = p->options;
    p->has_source = file_id_of_path(&p->source, ptl_store_path(world->store));
    ptl_status status = save_folder_open(
        p->save, o->save, ops(world->store)->transaction->stop_hook(world->store), err);
    THEN(status, save_folder_check(p->save, err));
    THEN(status, look_for_games(p, err));
    THEN(status, into_databases_check(p->save, err));
    THEN(status, put(p, err));
    into_databases_dispose(&p->databases);
    free(p->seen.character);
    replaced_close(&p->r);
    save_folder_close(p->save);
    return status;
}

ptl_status ptl_game_save_put(ptl_game_save_put_report *report, ptl_world *world,
                             const ptl_game_save_put_options *options, ptl_error *err)
{
    ptl_game_save_put_options o = PTL_GAME_SAVE_PUT_OPTIONS_INIT;
    ptl_game_save_put_report r = PTL_GAME_SAVE_PUT_REPORT_INIT;
    save_folder save;
    putting p = {.world = world, .options = &o, .report = &r, .save = &save};
    p.r = (replaced){.save = &save, .fd = -1, .fresh = -1};
    error_clear(err);
    TRY(SIZED_TAKE(ptl_game_save_put_options, &o, options, err));
    TRY(SIZED_CHECK(ptl_game_save_put_report, report, err));
    if (!o.save)
        return error_set(err, PTL_ERR_ARGUMENT, "no folder of a save");
    p.seen = (into_seen){.world = world,
                         .viewer = o.viewer,
                         .has_rect = o.has_rect,
                         .rect = {o.x0, o.y0, o.x1, o.y1}};
    ptl_status status = save_fit_new(&p.fit, world->cat, err);
    THEN(status, put_into(&p, err));
    if (o.fit)
        *o.fit = p.fit;
    else
        ptl_game_save_fit_free(p.fit);
    SIZED_FILL(ptl_game_save_put_report, report, &r);
    return status;
}

/* ---- undoing ---- */

ptl_status ptl_game_save_undo(ptl_game_save_undo_report *report,
                              const ptl_game_save_undo_options *options, ptl_error *err)
{
    ptl_game_save_undo_options o = PTL_GAME_SAVE_UNDO_OPTIONS_INIT;
    ptl_game_save_undo_report r = PTL_GAME_SAVE_UNDO_REPORT_INIT;
    error_clear(err);
    TRY(SIZED_TAKE(ptl_game_save_undo_options, &o, options, err));
    TRY(SIZED_CHECK(ptl_game_save_undo_report, report, err));
    if (!o.save)
        return error_set(err, PTL_ERR_ARGUMENT, "no folder of a save");
    save_folder save;
    replaced last;
    game_signs signs = {.unseen = 0};
    int *numbers = NULL;
    size_t count = 0;
    ptl_status status =
        save_folder_open(&save, o.save, (stop_hook){o.should_stop, o.payload}, err);
    if (status == PTL_OK && !o.force)
        status = game_check(&save, &signs, err);
    r.unseen = signs.unseen;
    r.games = signs.games;
    snprintf(r.game, sizeof r.game, "%s", signs.game);
    THEN(status, into_databases_check(&save, err));
    /* Takes back the call of ptl_game_save_put that made the newest folder portolan-replaced-N,
     * whether this call was completed or interrupted. */
    THEN(status, replaced_list(&numbers, &count, &save, err));
    if (status == PTL_OK && count == 0)
        status =
            error_set(err, PTL_ERR_NOT_FOUND,
                      "%s has no folder " INTO_PREFIX "N: there is nothing to undo", save.path);
    THEN(status, replaced_open(&last, &save, numbers[count - 1], err));
    if (status == PTL_OK) {
        snprintf(r.folder, sizeof r.folder, "%s", last.name);
        r.interrupted = last.m.state != INTO_COMPLETE;
        r.removed = last.m.overmaps;
        for (size_t i = 0; i < last.m.written.count; i++)
            r.removed += !last.m.written.list[i].folder &&
                         entry_kind_of(last.m.written.list[i].path) != ENTRY_DATABASE &&
                         entry_kind_of(last.m.written.list[i].path) != ENTRY_SEEN;
        for (size_t i = 0; i < last.m.moved.count; i++)
            r.restored += !last.m.moved.list[i].folder;
        r.left = count - 1;
        status = replaced_take_back(&last, err);
    }
    free(numbers);
    save_folder_close(&save);
    SIZED_FILL(ptl_game_save_undo_report, report, &r);
    return status;
}
