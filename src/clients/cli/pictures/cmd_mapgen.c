/* portolan mapgen: shows what an entry of mapgen makes, without a world (portolan/mapgen.h). */
#include "clients/cli/pictures/mapgen.h"
#include "clients/cli/pictures/picture.h"
#include "core/error.h"

static const option_spec options[] = {
    {"times", "N", "so many variants, 1..400, of the seeds from --seed on (default: 1)", 0},
    {"entry", "N", "the entry of this number, as --entries lists them (default: by weight)", 0},
    {"entries", NULL, "list the entries with their weights and places instead", 0},
    {"explain", "X,Y", "list what was put on this tile, by which line, with which chance", 0},
    {"check", NULL,
     "look for mistakes; of all that ID names, in which * stands for any letters", 0},
    {"rotate", "N", "by so many quarter turns clockwise, 0..3", 0},
    {"param", "NAME=VALUE...", "the value of a parameter", 0},
    {"neighbours", "DIRECTION=OTER...",
     "what stands to the north, north_east, ..., above, below, around; stood there before", 0},
    {"kind", "KIND", "of the id: terrain, special, update or nested (default: the first)", 0},
    {"level", "Z", "on this level, -10..10 (default: 0)", 0},
    {"seed", "S", "the seed of the first variant (default: 1)", 0},
    {"no-extras", NULL, "without map extras", 0},
    {"riot-damage", "off|on", "without or with the damage of riots", 0},
    {"grid", NULL, "with numbers of tiles, and lines between OMTs", 0},
    {"png", "OUT.png", "a picture in place of text; - is standard output", 0},
    {"watch", NULL, "draw again whenever a file of the content was saved", 0},
    {"seconds", "N", "with --watch: end by itself after so long (default: at Ctrl-C)", 0},
    {"plain", NULL, "the tiles alone, without heading and legend", 0},
    {"color", "WHEN", "of text: auto (default), always or never", 0},
    OPTION_WORLD,
    OPTIONS_CONTENT,
    OPTIONS_FINDINGS,
    {"verbose", NULL, "with --check: all findings, and each place of them", 'v'},
    OPTION_QUIET,
    OPTIONS_END,
};

/* ---- the command line ---- */

static int read_kind(const args *a, ptl_mapgen_kind *out)
{
    const char *word = args_value(a, "kind");
    int kind = word ? PTL_MAPGEN_TERRAIN : PTL_MAPGEN_ANY;
    while (word && kind < PTL_MAPGEN_KINDS &&
           strcmp(word, ptl_mapgen_kind_name((ptl_mapgen_kind)kind)) != 0)
        kind++;
    *out = (ptl_mapgen_kind)kind;
    return kind < PTL_MAPGEN_KINDS
               ? EXIT_DONE
               : usage_error(a, "--kind '%s' is none of terrain, special, update, nested",
                             word);
}

/* Collects the values of a repeated option. */
static int read_list(const args *a, const char *name, const char ***list,
                     const char *const **out, size_t *count)
{
    size_t at = 0;
    *list = calloc(a->given_count + 1, sizeof **list);
    if (!*list)
        return args_no_memory(a);
    for (const char *value; (value = args_next(a, name, &at));) {
        if (!strchr(value, '=') || value[0] == '=')
            return usage_error(a, "--%s '%s' has no '=' between two words", name, value);
        (*list)[(*count)++] = value;
    }
    *out = *list;
    return EXIT_DONE;
}

/* The command has several forms; these lists have the options that only one form has (--check,
 * a sheet, one map). */
static const char *const of_check[] = {"errors",  "max-warnings", "baseline", "write-baseline",
                                       "verbose", "output",       NULL};
static const char *const of_sheet[] = {"png", "plain", "grid", "color", "watch", NULL};
static const char *const of_map[] = {"entry",       "param", "neighbours",
                                     "rotate",      "level", "no-extras",
                                     "riot-damage", "kind",  NULL};

static int refuse(const args *a, const char *const *names, const char *why)
{
    for (size_t i = 0; names[i]; i++)
        if (args_has(a, names[i]))
            return usage_error(a, "--%s %s", names[i], why);
    return EXIT_DONE;
}

static int read_modes(const args *a)
{
    const bool entries = args_has(a, "entries"), explain = args_has(a, "explain");
    const bool check = args_has(a, "check"), sheet = !entries && !explain && !check;
    const bool watch = args_has(a, "watch");
    if (entries + explain + check > 1)
        return usage_error(a, "one of --entries, --explain and --check");
    if (!check)
        NEED(refuse(a, of_check, "goes with --check"));
    if (check)
        NEED(refuse(a, of_map, "does not go with --check, which makes maps of all sorts"));
    if (!sheet)
        NEED(refuse(a, of_sheet, "is for maps, not for a table"));
    if (args_has(a, "seconds") && !watch)
        return usage_error(a, "--seconds goes with --watch");
    if (watch && args_value(a, "png") && strcmp(args_value(a, "png"), "-") == 0)
        return usage_error(a, "--watch draws many pictures: --png needs a file for them");
    if ((entries || explain) && args_has(a, "times"))
        return usage_error(a, "--times is for maps, not for a table");
    if (sheet && (args_has(a, "format") || args_has(a, "json")))
        return usage_error(a, "maps are text, or a picture with --png: --format is for "
                              "--entries, --explain and --check");
    return EXIT_DONE;
}

static int read_options(mapgen_job *j)
{
    const args *a = j->s->args;
    ptl_mapgen_options *o = &j->options;
    const char *riots = args_value(a, "riot-damage"), *tile = args_value(a, "explain");
    NEED(read_modes(a));
    NEED(read_kind(a, &o->kind));
    NEED(args_int(a, "times", 1, MAPGEN_TIMES_MAX, &j->times));
    NEED(args_u64(a, "seed", &j->seed));
    NEED(args_int32(a, "entry", 1, INT32_MAX, &o->entry));
    NEED(args_int32(a, "rotate", 0, 3, &o->turns));
    NEED(args_int32(a, "level", PTL_Z_MIN, PTL_Z_MAX, &o->z));
    NEED(read_list(a, "param", &j->parameters, &o->parameters, &o->parameter_count));
    NEED(read_list(a, "neighbours", &j->neighbours, &o->neighbours, &o->neighbour_count));
    o->extras = !args_has(a, "no-extras");
    if (riots && strcmp(riots, "off") != 0 && strcmp(riots, "on") != 0)
        return usage_error(a, "--riot-damage '%s' is none of off|on", riots);
    if (riots)
        o->riot_damage = strcmp(riots, "on") == 0 ? PTL_RIOT_DAMAGE_ON : PTL_RIOT_DAMAGE_OFF;
    if (tile && !parse_ints(tile, 2, 0, PTL_LOCAL_SIDE - 1, j->tile))
        return usage_error(a, "--explain '%s' is not X,Y, the numbers of a tile: 0..23", tile);
    NEED(args_has(a, "png") ? picture_path_check(a, "png") : EXIT_DONE);
    NEED(color_from_args(a, &j->colours));
    return args_has(a, "check") ? EXIT_DONE : rows_style_from_args(&j->s->style, a, NULL);
}

/* ---- what is listed ---- */

/* Ends a table of rows. `status` is what the call returned that made the rows. Returns an exit
 * code. */
static int end_table(session *s, row_printer *p, ptl_status status)
{
    const bool good = rows_finish(p);
    if (stop_wanted())
        return stop_tell();
    if (status != PTL_OK && good)
        return session_failed(s);
    return session_printed(s, good);
}

static bool on_entry(void *payload, const ptl_mapgen_entry *e)
{
    return rows_put(payload,
                    CELLS(cell_text(e->key), cell_int(e->number), cell_int(e->weight),
                          cell_real(e->share), cell_text(e->file[0] ? e->file : NULL),
                          e->file[0] ? cell_int(e->line) : cell_none(),
                          cell_text(e->unfinished ? "has what Portolan does not carry out"
                                                  : NULL))) &&
           !stop_wanted();
}

static int list_entries(mapgen_job *j)
{
    static const report_column columns[] = {
        COLUMN(key),          COLUMN_AS(entry, "entry", -1, 0),
        COLUMN(weight),       COLUMN_AS(share, "share", 1, REPORT_PERCENT),
        COLUMN(file),         COLUMN(line),
        COLUMN_RANK(note, 1), COLUMNS_END};
    session *s = j->s;
    row_printer *p = rows_new(&s->style, columns, false);
    const ptl_status status = ptl_mapgen_entry_list(j->mapgen, on_entry, p, &s->err);
    return end_table(s, p, status);
}

static bool on_step(void *payload, const ptl_mapgen_step *t)
{
    return rows_put(payload, CELLS(cell_text(t->what), cell_text(t->id[0] ? t->id : NULL),
                                   cell_text(t->by), cell_text(t->key[0] ? t->key : NULL),
                                   cell_text(t->member[0] ? t->member : NULL),
                                   cell_text(t->symbol[0] ? t->symbol : NULL),
                                   cell_text(t->palette[0] ? t->palette : NULL),
                                   cell_real(t->chance), cell_real(t->way), cell_int(t->depth),
                                   cell_text(t->file[0] ? t->file : NULL),
                                   t->file[0] ? cell_int(t->line) : cell_none())) &&
           !stop_wanted();
}

static int explain(mapgen_job *j)
{
    static const report_column columns[] = {COLUMN(what),
                                            COLUMN(id),
                                            COLUMN(by),
                                            COLUMN(key),
                                            COLUMN(member),
                                            COLUMN(symbol),
                                            COLUMN(palette),
                                            COLUMN_AS(chance, "chance", 2, REPORT_PERCENT),
                                            COLUMN_AS(way, "of", 2, REPORT_PERCENT),
                                            COLUMN_DATA(depth),
                                            COLUMN(file),
                                            COLUMN(line),
                                            COLUMNS_END};
    session *s = j->s;
    const ptl_local_area area = ptl_mapgen_area(j->mapgen);
    if (area.x0 != area.x1 || area.y0 != area.y1 || area.z0 != area.z1)
        return usage_error(s->args, "a special has several OMTs: name one of its terrains");
    row_printer *p = rows_new(&s->style, columns, false);
    const ptl_omt at = {area.x0, area.y0, area.z0};
    const ptl_status status = ptl_mapgen_step_list(j->mapgen, at, j->seed, (int32_t)j->tile[0],
                                                   (int32_t)j->tile[1], on_step, p, &s->err);
    return end_table(s, p, status);
}

/* ---- all ---- */

static int open_mapgen(mapgen_job *j)
{
    session *s = j->s;
    NEED(content_open(&j->content, s, CONTENT_QUICK));
    NEED(content_world(&j->content));
    if (args_has(s->args, "check"))
        return EXIT_DONE;
    return ptl_mapgen_new(&j->mapgen, s->world, &j->options, &s->err) == PTL_OK
               ? EXIT_DONE
               : session_content_failed(s);
}

static void close_mapgen(mapgen_job *j)
{
    ptl_mapgen_free(j->mapgen);
    j->mapgen = NULL;
    content_close(&j->content);
    j->content = (content){.session = j->s, .sources = j->content.sources};
}

static int draw(mapgen_job *j)
{
    int code = open_mapgen(j);
    if (code == EXIT_DONE)
        code = mapgen_sheet(j);
    close_mapgen(j);
    return code;
}

static int run_mode(mapgen_job *j)
{
    const args *a = j->s->args;
    if (args_has(a, "check"))
        return mapgen_check(j, open_mapgen);
    if (args_has(a, "watch"))
        return mapgen_watch(j, draw);
    NEED(open_mapgen(j));
    return args_has(a, "entries")   ? list_entries(j)
           : args_has(a, "explain") ? explain(j)
                                    : mapgen_sheet(j);
}

static int run(session *s)
{
    /* After the first operand, the id of the mapgen to draw, come the operands that all
     * commands with content take. */
    const args *const given = s->args;
    args rest = *given;
    mapgen_job j = {.s = s, .options = PTL_MAPGEN_OPTIONS_INIT, .times = 1, .seed = 1};
    j.options.id = given->operands[0];
    j.content.session = s;
    int code = read_options(&j);
    rest.operands++;
    rest.operand_count--;
    s->args = &rest;
    if (code == EXIT_DONE)
        code = run_mode(&j);
    close_mapgen(&j);
    s->args = given;
    free(j.parameters);
    free(j.neighbours);
    return code;
}

static const value_type values[] = {
    {"format", VALUE_WORDS, FINDINGS_FORMATS, NULL},
    {"kind", VALUE_WORDS, "terrain|special|update|nested", NULL},
    {"DIR", VALUE_FILE, NULL, NULL},
    {0}};

const command mapgen_command = {
    .name = "mapgen",
    .group = GROUP_LOOK,
    .operands = "ID [FILE] [DIR...]",
    .summary = "Show what an entry of mapgen makes, without a world.",
    .operand_help = "ID  An overmap terrain, a fixed special, an update, or a nested "
                    "chunk.\n" CONTENT_OPERAND_HELP,
    .details =
        "Makes the local map of a terrain that stands alone, or of each OMT of a special, and "
        "prints it; with --times a sheet of variants, each with the next seed. An update or a "
        "nested chunk is drawn on what --neighbours before=OTER says, else on bare ground.\n\n"
        "With --explain the table lists all that was put on a tile, in the order in which it "
        "happened: what is last stands there. A chance is that of the alternative that was "
        "drawn, and of the piece; 'of' is the chance that its entry or chunk came at all.\n\n"
        "With --check maps are made of each entry that ID names, --times of each (3), and "
        "looked "
        "at: chunks that are cut off, things in walls, doors to nowhere, rooms that can't be "
        "reached, stairs that do not meet, characters that are never used, entries that are "
        "never drawn. Each kind has a code, MG501 to MG507, of schema/checks.md. The exit code "
        "is 1 by --errors and --max-warnings, as of 'lint'.\n",
    .examples = "  portolan mapgen cabin --builtin\n"
                "  portolan mapgen cabin --builtin --times 20 --png cabins.png\n"
                "  portolan mapgen cabin --builtin --explain 12,12\n"
                "  portolan mapgen cabin --builtin --entries --json\n"
                "  portolan mapgen cabin --builtin mods/mine --png a.png --watch --seconds 1\n"
                "  portolan mapgen '*' --builtin mods/mine --pack mine --check\n",
    .options = options,
    .values = values,
    .large_pages = true,
    .run = run,
    .stopped = "nothing is kept: the same command begins again",
};
