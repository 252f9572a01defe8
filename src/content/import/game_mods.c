/*
 * Takes mods of a game by their ids. A mod's id stands in its modinfo.json; the folder may be
 * called otherwise. A mod comes after those that it depends on; the mod that is the game's
 * content itself ("dda", "bn") is there already.
 */
#include "content/import/game.h"

#include "os/folder.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MODS_MAX = 10000, FOLDER_DEPTH = 3, WHY_SIZE = 160 };

/* ---- the mods that exist ---- */

static void add_mod(game_mods *m, const char *path, const char *folder)
{
    import *im = m->im;
    char why[WHY_SIZE];
    bool missing;
    const char *file = game_path(im, path, "modinfo.json");
    json_t *value = file ? game_json(file, &missing, why, sizeof why) : NULL;
    if (!value && file)
        diagnostic_add(im, PTL_WARNING, (diagnostic_place){.path = file}, "%s", why);
    if (!value || !source_own(im, value))
        return;
    /* The file is one object or a list of objects, of which the MOD_INFO is taken. */
    const json_t *info = value;
    for (size_t i = 0; json_is_array(value) && i < json_array_size(value); i++) {
        info = json_array_get(value, i);
        const char *type = json_string_value(json_object_get(info, "type"));
        if (type && strcmp(type, "MOD_INFO") == 0)
            break;
    }
    const char *id = json_string_value(json_object_get(info, "id"));
    if (!id)
        id = json_string_value(json_object_get(info, "ident"));
    if (!id || m->count == MODS_MAX)
        return;
    if (!source_grow(im, (void **)&m->items, m->count, &m->capacity, sizeof *m->items))
        return;
    /* For the content itself, "path" leads back to its own folder. */
    m->items[m->count++] = (game_mod){.id = id,
                                      .path = path,
                                      .folder = folder,
                                      .info = info,
                                      .base = json_is_true(json_object_get(info, "core"))};
}

static void find_mods(game_mods *m, const char *path, int depth)
{
    folder_list *list = folder_list_open(path);
    for (const char *name;
         list && !import_ended(m->im) && (name = folder_list_next(list)) != NULL;) {
        const char *copy = name[0] == '.' ? NULL : arena_strdup(m->im->arena, name);
        const char *inner = copy ? game_path(m->im, path, copy) : NULL;
        const char *info = inner ? game_path(m->im, inner, "modinfo.json") : NULL;
        if (game_has(info))
            add_mod(m, inner, copy);
        else if (inner && depth < FOLDER_DEPTH)
            find_mods(m, inner, depth + 1);
    }
    folder_list_close(list); /* NULL is fine: a file, or no folder of mods */
}

static int compare(const void *a, const void *b)
{
    const game_mod *x = a, *y = b;
    const int order = strcmp(x->id, y->id);
    return order != 0 ? order : strcmp(x->path, y->path);
}

static game_mod *find_mod(const game_mods *m, const char *id)
{
    for (size_t i = 0; i < m->count; i++)
        if (strcmp(m->items[i].id, id) == 0)
            return &m->items[i];
    return NULL;
}

/* ---- taking ---- */

/* Tells what became of an id that the game has dropped; false if the game does not say.
 * *now is its new name, or NULL if it was removed. */
static bool tell_gone(const game_mods *m, const char *id, const char **now)
{
    const char *reason = NULL;
    bool found = false;
    *now = NULL;
    for (size_t i = 0; i < json_array_size(m->gone) && !found; i++) {
        const json_t *one = json_array_get(m->gone, i);
        const bool pair = json_is_array(one); /* [old, new], or [old] alone */
        const char *old =
            json_string_value(pair ? json_array_get(one, 0) : json_object_get(one, "id"));
        if (!old || strcmp(old, id) != 0)
            continue;
        found = true;
        *now =
            json_string_value(pair ? json_array_get(one, 1) : json_object_get(one, "new_id"));
        reason = json_string_value(json_object_get(one, "removal_reason"));
    }
    if (found)
        diagnostic_add(m->im, PTL_WARNING, (diagnostic_place){.path = m->asked, .id = id},
                       "the game has this mod no longer: %s%s%s", *now ? "it is now '" : "",
                       *now     ? *now
                       : reason ? reason
                                : "it was removed",
                       *now ? "'" : "; it is left out");
    return found;
}

static void take(game_mods *m, const char *id, const char *needed_by)
{
    game_mod *mod = find_mod(m, id);
    if (!mod && strcmp(id, m->im->game) == 0)
        return; /* a snapshot without mods lacks even that one */
    if (!mod) {
        import *im = m->im;
        suggestion near;
        suggest_begin(&near, id);
        const char *other = NULL;
        for (size_t i = 0; i < m->count; i++) {
            suggest_offer(&near, m->items[i].id);
            if (strcmp(m->items[i].folder, id) == 0)
                other = m->items[i].id;
        }
        const diagnostic_place place = {.path = needed_by ? m->path : m->asked, .id = id};
        if (m->count == 0)
            diagnostic_add(im, PTL_ERROR, place, "no such mod: there are none in %s", m->path);
        else if (other)
            diagnostic_add(im, PTL_ERROR, place,
                           "no such mod; the folder of that name has the mod '%s'", other);
        else
            diagnostic_add(im, PTL_ERROR, place, "no such mod%s%s among the %zu in %s%s",
                           needed_by ? ", which is needed by " : "", needed_by ? needed_by : "",
                           m->count, m->path, suggest_text(im, &near));
        return;
    }
    if (mod->taken || mod->base)
        return;
    mod->taken = true;
    const json_t *needs = json_object_get(mod->info, "dependencies");
    for (size_t i = 0; i < json_array_size(needs); i++) {
        const char *need = json_string_value(json_array_get(needs, i));
        if (need)
            take(m, need, mod->id);
    }
    mod->root = m->im->source->root_count;
    roots_add(m->im, mod->path, ROOT_BASE);
}

static void take_asked(game_mods *m, const char *id)
{
    const char *now = NULL;
    if (find_mod(m, id) || !tell_gone(m, id, &now))
        now = id;
    if (now)
        take(m, now, NULL);
    const game_mod *mod = now ? find_mod(m, now) : NULL;
    if (mod && mod->taken && !import_ended(m->im))
        m->im->source->roots[mod->root].kind = ROOT_ASKED;
}

/* ---- what is asked for ---- */

/* Takes the mods that SAVE/mods.json lists, in both games. */
static void take_saved(game_mods *m)
{
    import *im = m->im;
    char why[WHY_SIZE];
    bool missing;
    m->asked = game_path(im, im->options->save, "mods.json");
    json_t *list = m->asked ? game_json(m->asked, &missing, why, sizeof why) : NULL;
    if (!m->asked)
        return;
    if (!list) {
        diagnostic_add(im, PTL_ERROR, (diagnostic_place){.path = m->asked}, "%s%s", why,
                       missing ? ": it is no folder of a saved world" : "");
        return;
    }
    if (!source_own(im, list))
        return;
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *id = json_string_value(json_array_get(list, i));
        if (id)
            take_asked(m, id);
        else
            diagnostic_add(im, PTL_ERROR, (diagnostic_place){.path = m->asked},
                           "entry %zu is no id of a mod", i + 1);
    }
    if (!json_is_array(list))
        diagnostic_add(im, PTL_ERROR, (diagnostic_place){.path = m->asked},
                       "is no list of mods");
}

/* Finds the list of ids that the game has dropped: DDA's, where it has been since 2024, or
 * where it was before. */
static void find_gone(game_mods *m, const game_place *place)
{
    static const char *const files[] = {"core/mod_migrations.json", "mods/replacements.json"};
    import *im = m->im;
    for (size_t i = 0; i < 2 && !m->gone; i++) {
        char why[WHY_SIZE];
        bool missing;
        const char *path = game_path(im, place->data, files[i]);
        json_t *list = path ? game_json(path, &missing, why, sizeof why) : NULL;
        if (list && !source_own(im, list))
            return;
        m->gone = list;
    }
}

void game_mods_find(game_mods *m, import *im, game_place *place)
{
    *m = (game_mods){.im = im, .path = game_path(im, place->data, "mods")};
    if (!m->path)
        return;
    find_mods(m, m->path, 0);
    find_gone(m, place);
    if (m->count > 1)
        qsort(m->items, m->count, sizeof *m->items, compare);
    for (size_t i = 0; i < m->count; i++)
        if (m->items[i].base)
            place->json_mod = m->items[i].id;
}

void game_mods_take(game_mods *m)
{
    const ptl_import_options *o = m->im->options;
    m->asked = "";
    for (size_t i = 0; i < o->mod_count; i++)
        take_asked(m, o->mods[i]);
    if (o->save)
        take_saved(m);
}

void game_mods_dispose(game_mods *m)
{
    free(m->items);
    m->items = NULL;
}
