/* Lists of contents and of what they define, over each backend; what can be asked in SQL. */
#include "support/suite.h"
#include "unit/world/any_store.h"

#include <string.h>

/* ---- contents ---- */

static bool on_content(void *payload, const ptl_content_info *c)
{
    notes *n = payload;
    ck_assert_uint_eq(strlen(c->digest), 64);
    ck_assert_int_eq(c->imported_at[4], '-');
    NOTE(n, "%d %d '%s' '%s' %d;", (int)c->is_current, (int)c->lenient, c->game, c->version,
         (int)c->placement);
    return go_on(n);
}

static bool on_pack(void *payload, const ptl_pack_info *p)
{
    notes *n = payload;
    NOTE(n, "%s %d %d;", p->directory[0] ? "other" : p->id, (int)(p->directory[0] != '\0'),
         (int)(p->objects > 0));
    return go_on(n);
}

static bool on_remark(void *payload, const ptl_remark *r)
{
    notes *n = payload;
    ck_assert_uint_gt(strlen(r->message), 0);
    NOTE(n, "%s %s:%d %s %s;", r->kind, strrchr(r->file, '/') + 1, (int)r->line, r->type,
         r->id);
    return go_on(n);
}

static bool on_key(void *payload, const ptl_unknown_key *k)
{
    notes *n = payload;
    NOTE(n, "%s.%s %d %s:%d;", k->type, k->key, (int)k->objects, strrchr(k->file, '/') + 1,
         (int)k->line);
    return go_on(n);
}

static bool on_undone(void *payload, const ptl_mapgen_undone *u)
{
    notes *n = payload;
    NOTE(n, "%s %d %s:%d;", u->what, (int)u->objects, strrchr(u->file, '/') + 1, (int)u->line);
    return go_on(n);
}

static bool on_region(void *payload, const ptl_region_name *r)
{
    notes *n = payload;
    NOTE(n, "%s %s %s %d;", r->name, r->region ? r->region : "-", r->kind, (int)r->is_default);
    return go_on(n);
}

static bool on_name(void *payload, const ptl_special_name *s)
{
    notes *n = payload;
    if (n->count == 0 || s->kind == PTL_SPECIAL_MUTABLE || strncmp(s->id, "solo", 4) == 0)
        NOTE(n, "%s %d;", s->id, (int)s->kind);
    return go_on(n);
}

static bool on_look(void *payload, const ptl_local_look *l)
{
    notes *n = payload;
    ck_assert_uint_gt(strlen(l->id), 0);
    if (strncmp(l->id, "t_solo", 6) == 0 || strncmp(l->id, "f_solo", 6) == 0 ||
        strcmp(l->id, "t_grass") == 0)
        NOTE(n, "%s %s '%s' %s %x;", l->kind, l->id, l->name, l->color[0] ? l->color : "-",
             (unsigned)l->symbol);
    return go_on(n);
}

/* Everything that the content's lists give. */
static void all_of_content(notes *n, ptl_store *store)
{
    *n = (notes){.count = 0};
    OK(ptl_content_list(store, on_content, n, &err));
    OK(ptl_pack_list(store, on_pack, n, &err));
    OK(ptl_remark_list(store, on_remark, n, &err));
    OK(ptl_unknown_key_list(store, on_key, n, &err));
    OK(ptl_mapgen_undone_list(store, on_undone, n, &err));
    OK(ptl_region_name_list(store, on_region, n, &err));
    OK(ptl_special_name_list(store, on_name, n, &err));
    OK(ptl_local_look_list(store, on_look, n, &err));
}

START_TEST(contents)
{
    static const char wrong[] =
        "[{\"type\": \"overmap_special\", \"id\": \"solo_b\", \"overmaps\": [{\"point\": "
        "[0, 0, 0], \"overmap\": \"no_such\"}], \"locations\": [\"land\"], \"occurrences\": "
        "[0, 1]},\n{\"type\": \"overmap_terrain\", \"id\": \"solo\", \"name\": \"x\", "
        "\"sym\": \".\", \"color\": \"green\", \"pool\": 3},\n"
        "{\"type\": \"overmap_special\", \"id\": \"solo_a\", \"overmaps\": [{\"point\": "
        "[0, 0, 0], \"overmap\": \"solo_north\"}], \"locations\": [\"land\"], \"occurrences\": "
        "[0, "
        "1]}]";
    place p;
    notes none, first, second, cut = {.most = 1};
    open_place(&p, _i);
    all_of_content(&none, p.store);
    ck_assert_str_eq(none.text, "");
    import_builtin(p.store);
    all_of_content(&first, p.store);
    ck_assert_ptr_nonnull(strstr(first.text, "1 0 '' '' 0;portolan 0 1;"));
    ck_assert_ptr_nonnull(strstr(first.text, ";default default region_settings 1;"));
    ck_assert_ptr_nonnull(strstr(first.text, " 1;")); /* one that grows */
    ck_assert_ptr_null(strstr(first.text, "solo"));
    ptl_world_close(create(p.store, "w", 1)); /* so that this content is kept */
    import_text(p.store, wrong, true);
    all_of_content(&second, p.store);
    ck_assert_ptr_nonnull(strstr(second.text, "0 0 '' '' 0;1 1 '' '' 0;portolan 0 1;"));
    ck_assert_ptr_nonnull(
        strstr(second.text, "unresolved lone.json:1 overmap_special solo_b;"));
    ck_assert_ptr_nonnull(strstr(second.text, ";overmap_terrain.pool 1 lone.json:2;"));
    ck_assert_ptr_nonnull(strstr(second.text, ";solo_a 0;"));
    ck_assert_int_eq(ptl_region_name_list(p.store, on_region, &cut, &err), PTL_ERR_CANCELLED);
    ck_assert_int_eq(cut.count, 1);
    close_place(&p);
}
END_TEST

/* Copies take from what they copy, wherever that stands; circles end. */
START_TEST(looks)
{
    static const char text[] =
        "[{\"type\": \"terrain\", \"id\": \"t_solo_a\", \"copy-from\": \"t_solo_b\", "
        "\"symbol\": \"LINE_XOXO\"},\n"
        "{\"type\": \"terrain\", \"id\": \"t_solo_b\", \"copy-from\": \"solo_root\", "
        "\"name\": {\"str\": \"b\"}},\n"
        "{\"type\": \"terrain\", \"abstract\": \"solo_root\", \"symbol\": [\"\u03b1\", "
        "\"x\"], \"color\": [\"red\", \"white\"]},\n"
        "{\"type\": \"terrain\", \"id\": \"t_solo_c\", \"copy-from\": \"t_solo_d\"},\n"
        "{\"type\": \"terrain\", \"id\": \"t_solo_d\", \"copy-from\": \"t_solo_c\", "
        "\"bgcolor\": \"green\"},\n"
        "{\"type\": \"furniture\", \"id\": \"f_solo\", \"symbol\": 7, \"color\": \"blue\"},\n"
        "{\"type\": \"furniture\", \"id\": \"f_solo\", \"copy-from\": \"f_solo\", "
        "\"symbol\": \"#\"},\n"
        "{\"type\": \"terrain\", \"id\": \"t_solo_b\", \"copy-from\": \"t_solo_b\", "
        "\"symbol\": \"LINE_XOOX\"},\n"
        "{\"type\": \"furniture\", \"id\": \"f_solo2\", \"copy-from\": \"none\", "
        "\"symbol\": \"LINE_OOOO\"}]";
    place p;
    notes n = {.count = 0}, cut = {.most = 1};
    open_place(&p, _i);
    import_text(p.store, text, true);
    OK(ptl_local_look_list(p.store, on_look, &n, &err));
    ck_assert_str_eq(n.text, "furniture f_solo '' blue 23;furniture f_solo2 '' - 0;"
                             "terrain t_grass 'grass' green 2e;terrain t_solo_a 'b' red 2502;"
                             "terrain t_solo_b 'b' red 2518;terrain t_solo_c '' i_green 0;"
                             "terrain t_solo_d '' i_green 0;");
    ck_assert_int_eq(ptl_local_look_list(p.store, on_look, &cut, &err), PTL_ERR_CANCELLED);
    close_place(&p);
}
END_TEST

/* What mapgen asks for and is not carried out is counted by object, with its first line. */
START_TEST(undone_mapgen)
{
    static const char mapgen[] =
        "[{\"type\": \"mapgen\", \"om_terrain\": \"field\", \"object\": {\"fill_ter\": "
        "\"t_dirt\",\n"
        "\"place_vehicles\": [{\"vehicle\": \"v\", \"x\": 1, \"y\": 1},\n"
        "{\"vehicle\": \"v\", \"x\": 1, \"y\": 1, \"place_beyond_bounds\": true},\n"
        "{\"vehicle\": \"v\", \"x\": 1, \"y\": 1, \"place_beyond_bounds\": true}]}},\n"
        "{\"type\": \"map_extra\", \"id\": \"mx_a\", \"generator\": {\"generator_method\": "
        "\"map_extra_function\", \"generator_id\": \"mx_none_such\"}}, "
        "{\"type\": \"map_extra\", \"id\": \"mx_b\", \"generator\": {\"generator_method\": "
        "\"map_extra_function\", \"generator_id\": \"mx_crater\"}}, "
        "{\"type\": \"palette\", \"id\": \"p\", \"npcs\": {\"a\": {\"class\": \"c\", "
        "\"add_trait\": "
        "\"t\"}}},\n"
        "{\"type\": \"mapgen\", \"om_terrain\": \"field\", \"weight\": {\"math\": "
        "[\"1 + 1\"]}, \"object\": {\"fill_ter\": "
        "\"t_dirt\", "
        "\"place_vehicles\": [{\"vehicle\": \"v\", \"x\": 1, \"y\": 1, "
        "\"place_beyond_bounds\": true}]}}]";
    place p;
    notes before = {.count = 0}, n = {.count = 0}, cut = {.most = 1};
    open_place(&p, _i);
    import_builtin(p.store);
    OK(ptl_mapgen_undone_list(p.store, on_undone, &before, &err));
    import_text(p.store, mapgen, true);
    OK(ptl_mapgen_undone_list(p.store, on_undone, &n, &err));
    ck_assert_msg(strstr(n.text, "place_beyond_bounds 2 lone.json:3;") != NULL, "%s", n.text);
    ck_assert_msg(strstr(n.text, "add_trait 1 lone.json:5;") != NULL, "%s", n.text);
    ck_assert_msg(strstr(n.text, "weight 1 lone.json:6;") != NULL, "%s", n.text);
    ck_assert_msg(strstr(n.text, "map extra mx_a 1 lone.json:") != NULL, "%s", n.text);
    ck_assert_ptr_null(strstr(n.text, "mx_b")); /* a crater is made */
    ck_assert_int_eq(n.count, before.count + 4);
    ck_assert_int_eq(ptl_mapgen_undone_list(p.store, on_undone, &cut, &err), PTL_ERR_CANCELLED);
    ck_assert_int_eq(cut.count, 1);
    close_place(&p);
}
END_TEST

/* The same in each backend. */
START_TEST(contents_are_equal)
{
    notes n[BACKENDS];
    for (int i = 0; i < BACKENDS; i++) {
        place p;
        open_place(&p, i);
        import_more(p.store);
        all_of_content(&n[i], p.store);
        close_place(&p);
        ck_assert_str_eq(n[i].text, n[0].text);
    }
    ck_assert_int_gt(n[0].count, 4);
}
END_TEST

/* ---- what can be asked in SQL ---- */

static void on_table(void *payload, const char *name, bool is_view)
{
    notes *n = payload;
    if (strcmp(name, "world") == 0 || strcmp(name, "v_city") == 0 ||
        strncmp(name, "sqlite", 6) == 0)
        NOTE(n, "%s %d;", name, (int)is_view);
}

static void on_column(void *payload, const char *name, const char *type)
{
    notes *n = payload;
    NOTE(n, "%s %s;", name, type);
}

START_TEST(tables_and_columns)
{
    place p;
    notes n = {.count = 0}, none = {.count = 0}, columns = {.count = 0};
    open_place(&p, _i);
    if (_i != FILE_BACKEND) {
        ck_assert_int_eq(ptl_table_list(p.store, on_table, &n, &err), PTL_ERR_UNSUPPORTED);
        ck_assert_str_eq(err.message, "a store in memory has no SQL");
        ck_assert_int_eq(ptl_table_column_list(p.store, "city", on_column, &n, &err),
                         PTL_ERR_UNSUPPORTED);
        close_place(&p);
        return;
    }
    OK(ptl_table_list(p.store, on_table, &n, &err));
    ck_assert_str_eq(n.text, "v_city 1;world 0;");
    OK(ptl_table_column_list(p.store, "no 'such", on_column, &none, &err));
    ck_assert_int_eq(none.count, 0);
    OK(ptl_table_column_list(p.store, "name", on_column, &columns, &err));
    ck_assert_str_eq(columns.text, "id INTEGER;name TEXT;checksum INTEGER;");
    close_place(&p);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("content lists");
    TCase *tcase = tcase_create("content lists");
    tcase_set_timeout(tcase, 60);
    tcase_add_loop_test(tcase, contents, 0, BACKENDS);
    tcase_add_loop_test(tcase, looks, 0, ALL_BACKENDS);
    tcase_add_loop_test(tcase, undone_mapgen, 0, ALL_BACKENDS);
    tcase_add_test(tcase, contents_are_equal);
    tcase_add_loop_test(tcase, tables_and_columns, 0, BACKENDS);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
