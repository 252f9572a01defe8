#include "clients/lookup/names.h"

#include <ctype.h>

/* A word counts as shared only if it has so many letters: "of" and "2" say nothing. */
enum { WORD_MIN = 3, SHARED = 100000 };

static void put_name(bytes *out, const char *text)
{
    for (const char *at = text; *at; at++) {
        const char c = at == text ? (char)toupper((unsigned char)*at) : *at;
        bytes_put(out, c == '_' ? " " : &c, 1);
    }
}

void names_put_id(bytes *out, const char *id)
{
    put_name(out, id);
}

static bool is_letter(char c)
{
    return isalnum((unsigned char)c) != 0;
}

/* Does the text contain the word of `size` letters, in upper or lower case? */
static bool has_word(const char *text, const char *word, size_t size)
{
    for (; *text; text++) {
        size_t i = 0;
        while (i < size && text[i] &&
               tolower((unsigned char)text[i]) == tolower((unsigned char)word[i]))
            i++;
        if (i == size)
            return true;
    }
    return false;
}

/* Returns how many words of the id the name contains. */
static size_t shared_words(const char *id, const char *name)
{
    size_t count = 0;
    for (const char *at = id; *at;) {
        size_t size = 0;
        while (is_letter(at[size]))
            size++;
        count += size >= WORD_MIN && has_word(name, at, size);
        at += size > 0 ? size : 1;
    }
    return count;
}

/* Is the terrain ground that lies elsewhere, too? */
static bool is_ground(const ptl_terrain *t)
{
    return t->map_class == PTL_MAP_FIELD || t->map_class == PTL_MAP_FOREST ||
           t->map_class == PTL_MAP_THICK_FOREST || t->map_class == PTL_MAP_SHORE;
}

/* The terrain of an OMT of a special that stands for the special's name; its name is "" if the
 * terrain has none, or lay there before. */
static ptl_terrain built_at(const ptl_catalogue *c, size_t special, size_t number)
{
    ptl_special_omt o = PTL_SPECIAL_OMT_INIT;
    ptl_terrain t = PTL_TERRAIN_INIT;
    size_t type;
    (void)ptl_catalogue_special_omt(&o, c, special, number);
    const ptl_status status = ptl_catalogue_oter(&t, c, o.oters[0]);
    if (status != PTL_OK || o.z != 0 ||
        (ptl_catalogue_find(&type, c, PTL_CONTENT_TERRAIN, t.type) == PTL_OK &&
         ptl_catalogue_set_has(c, o.allows, type)))
        t.name = "";
    return t;
}

void names_put_special(bytes *out, const ptl_catalogue *catalogue, size_t number)
{
    ptl_special s = PTL_SPECIAL_INIT;
    ptl_special_piece root = PTL_SPECIAL_PIECE_INIT;
    ptl_terrain t = PTL_TERRAIN_INIT;
    const char *best = "";
    bool on_ground = false;
    size_t most = 0;
    (void)ptl_catalogue_special(&s, catalogue, number);
    if (s.piece_count > 0 &&
        ptl_catalogue_special_piece(&root, catalogue, number, s.root) == PTL_OK &&
        ptl_catalogue_oter(&t, catalogue, root.oters[0]) == PTL_OK) {
        best = t.name;
        on_ground = is_ground(&t);
    }
    for (size_t i = 0; i < s.omt_count; i++) {
        t = built_at(catalogue, number, i);
        const size_t shared = shared_words(s.id, t.name);
        size_t score = shared > 0 ? SHARED * (2 * shared - is_ground(&t)) : 0;
        for (size_t k = 0; t.name[0] && k < s.omt_count; k++)
            score += strcmp(built_at(catalogue, number, k).name, t.name) == 0;
        if (t.name[0] && score > most) {
            most = score;
            best = t.name;
            on_ground = is_ground(&t);
        }
    }
    /* Many ids are names already: "Central Lab". Mere ground is no name: "Forest" of a farm. */
    const bool is_name = (isupper((unsigned char)s.id[0]) && !strchr(s.id, '_')) || on_ground;
    put_name(out, best[0] && (shared_words(s.id, best) > 0 || !is_name) ? best : s.id);
}
