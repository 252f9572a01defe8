/* portolan status: prints in sections what a file holds (status_sections.c). */
#include "clients/cli/questions/status.h"

static const option_spec options[] = {
    {"world", "NAME", "only this world; fails if the file has none of this name", 0},
    {"runs", "N", "how many of the last runs to list (default: 5)", 0},
    {"stale", NULL, "list the stale chunks, too", 0},
    {"regions", NULL, "list the regions and dimensions that worlds can have, too", 0},
    {"issues", NULL, "list what the import remarked on, too", 0},
    {"unknown", NULL, "list keys that nothing reads, too", 0},
    {"changes", NULL, "list what the content defines otherwise than the one before, too", 0},
    {"mapgen", NULL, "list what mapgen asks for and is not carried out, too", 0},
    {"section", "NAME...", "this section alone; csv, jsonl and raw need it (named above)", 0},
    OPTIONS_ROWS,
    OPTIONS_END,
};

/* ---- heads ---- */

static bool print_content(void *payload, const ptl_content_info *c)
{
    bool *any = payload;
    if (!c->is_current)
        return true;
    *any = true;
    out_printf("content: %s\nimported: %s%s\n", c->digest, c->imported_at,
               c->lenient ? " (lenient)" : "");
    if (c->game[0])
        out_printf("game: %s%s%s; new worlds place specials by %s\n",
                   strcmp(c->game, "dda") == 0 ? "Dark Days Ahead" : "Bright Nights",
                   c->version[0] ? ", " : "", c->version, placement_name(c->placement));
    return true;
}

static int print_heads(status_report *r, bool any_content, size_t worlds)
{
    const char *path = r->s->args->operands[0];
    file_facts facts;
    bool any = false;
    char size[32] = "";
    if (file_look(&facts, path))
        format_size(facts.size, size);
    out_printf("%s%s%s\n", path, size[0] ? ": " : "", size);
    if (!any_content)
        out_printf("content: none yet; portolan import '%s' --builtin\n", path);
    NEED(session_done(r->s, ptl_content_list(r->s->store, print_content, &any, &r->s->err)));
    if (worlds == 0)
        out_printf("worlds: none yet; portolan new '%s' NAME --seed N\n", path);
    return session_tell_journal(r->s);
}

/* ---- all of it ---- */

typedef struct holdings {
    const status_report *r;
    bool content;
    size_t worlds; /* number of worlds shown */
} holdings;

static bool see_content(void *payload, const ptl_content_info *c)
{
    holdings *h = payload;
    h->content = h->content || c->is_current;
    return true;
}

static bool see_world(void *payload, const ptl_world_info *w)
{
    holdings *h = payload;
    h->worlds += status_shows(h->r, w->name);
    return true;
}

/* Prints the chosen sections. For people a head with the file's main facts comes first, unless
 * --section is given. */
static int print_all(status_report *r, const bool *chosen)
{
    session *s = r->s;
    const bool json = s->style.format == ROWS_JSON, alone = args_has(s->args, "section");
    holdings h = {.r = r};
    int code = EXIT_DONE;
    NEED(session_done(s, ptl_content_list(s->store, see_content, &h, &s->err)));
    NEED(session_done(s, ptl_world_list(s->store, see_world, &h, &s->err)));
    if (h.worlds == 0 && r->world) {
        tell("portolan status: %s has no world '%s'\n", s->args->operands[0], r->world);
        names_suggest_world(s, r->world);
        return EXIT_FAILED;
    }
    out_text(json ? "{" : "");
    if (json && !alone) {
        file_facts facts;
        const char *path = r->s->args->operands[0];
        out_text("\"file\": ");
        out_json_text(path);
        if (file_look(&facts, path))
            out_printf(",\n\"bytes\": %jd", (int64_t)facts.size);
    } else if (!alone)
        code = print_heads(r, h.content, h.worlds);
    r->first = alone;
    for (size_t i = 0; i < STATUS_SECTIONS && code == EXIT_DONE; i++)
        if (chosen[i])
            code = status_print(r, &status_sections[i]);
    if (json)
        out_text("}\n");
    return code;
}

/* ---- the command line ---- */

static void list_sections(void (*put)(const char *lines))
{
    bytes text = {.size = 0};
    bytes_put_text(&text, "\nSections of --section:");
    for (size_t i = 0; i < STATUS_SECTIONS; i++)
        bytes_printf(&text, "%s %s", i ? "," : "", status_sections[i].key);
    bytes_put_text(&text, "\n");
    const char *lines = bytes_text(&text);
    put(lines ? lines : "");
    bytes_dispose(&text);
}

static int run(session *s)
{
    const args *a = s->args;
    status_report r = {.s = s, .world = args_value(a, "world")};
    bool chosen[STATUS_SECTIONS] = {false};
    int64_t runs = 5;
    NEED(args_int(a, "runs", 0, 1000000, &runs));
    NEED(rows_style_from_args(&s->style, a, NULL));
    const char *name;
    size_t at = 0, count = 0;
    while ((name = args_next(a, "section", &at)) != NULL) {
        size_t i = 0;
        while (i < STATUS_SECTIONS && strcmp(status_sections[i].key, name) != 0)
            i++;
        if (i == STATUS_SECTIONS) {
            const char *names[STATUS_SECTIONS + 1] = {NULL};
            for (i = 0; i < STATUS_SECTIONS; i++)
                names[i] = status_sections[i].key;
            return usage_unknown(a, "section", name, names);
        }
        chosen[i] = true;
    }
    for (size_t i = 0; i < STATUS_SECTIONS; i++) {
        const status_section *part = &status_sections[i];
        const bool usual = !args_has(a, "section") && !part->option &&
                           (i > 0 || r.s->style.format != ROWS_TABLE); /* in the heading */
        chosen[i] |= usual || (part->option && args_has(a, part->option));
        count += chosen[i];
    }
    if (r.s->style.format != ROWS_TABLE && r.s->style.format != ROWS_JSON && count > 1)
        return usage_error(a, "--format %s has one section at a time: say --section NAME",
                           rows_format_name(r.s->style.format));
    r.runs = (uint64_t)runs;
    NEED(session_open(s, PTL_OPEN_READ));
    return print_all(&r, chosen);
}

static void list_section_names(value_sink sink, void *payload)
{
    for (size_t i = 0; i < STATUS_SECTIONS; i++)
        if (!sink(payload, status_sections[i].key, ""))
            return;
}

static const value_type values[] = {{"section", VALUE_LISTED, NULL, list_section_names}, {0}};

const command status_command = {
    .name = "status",
    .group = GROUP_LOOK,
    .operands = "FILE",
    .summary = "Say what a file holds: content, worlds, chunks, sweeps, runs.",
    .details =
        "A chunk is unfinished if it was made with --stop-after; generate completes it. An "
        "imported one comes from a game's save (import-save) and is never generated. A stale "
        "one was generated with other content than the file holds now, or by an older "
        "generator; 'portolan regenerate FILE --stale' makes it anew. What repair could not "
        "bring back is listed as set aside. A stale sweep was made with other content or by "
        "an older generator.\n",
    .examples = "  portolan status w.db\n"
                "  portolan status w.db --world home --runs 20\n"
                "  portolan status w.db --stale\n",
    .more_details = list_sections,
    .options = options,
    .values = values,
    .run = run,
    .stopped = "what it printed is not all",
};
