/* portolan status: what a file holds, in sections (status_sections.c). */
#include "clients/cli/line/commands.h"
#include "clients/cli/line/output.h"
#include "clients/cli/questions/status.h"
#include "clients/cli/session/names.h"
#include "core/bytes.h"
#include "core/suggest.h"
#include "os/file.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static void print_size(const char *path)
{
    file_facts facts;
    char size[32];
    if (file_look(&facts, path)) {
        format_size(facts.size, size);
        out_printf("%s: %s\n", path, size);
    } else {
        out_printf("%s\n", path);
    }
}

static void print_line(const char *name, const char *text)
{
    out_text(name);
    out_visible(text, strlen(text));
    out_text("\n");
}

static bool print_content(void *payload, const ptl_content_info *c)
{
    bool *any = payload;
    if (!c->is_current)
        return true;
    *any = true;
    print_line("content: ", c->digest);
    out_text("imported: ");
    out_visible(c->imported_at, strlen(c->imported_at));
    out_text(c->lenient ? " (lenient)\n" : "\n");
    if (!c->game[0])
        return true;
    out_printf("game: %s%s", strcmp(c->game, "dda") == 0 ? "Dark Days Ahead" : "Bright Nights",
               c->version[0] ? ", " : "");
    out_visible(c->version, strlen(c->version));
    out_printf("; new worlds place specials by %s\n", placement_name(c->placement));
    return true;
}

static int print_heads(status_report *r, bool any_content, size_t worlds)
{
    const char *path = r->s.args->operands[0];
    bool any = false;
    print_size(path);
    if (!any_content)
        out_printf("content: none yet; portolan import '%s' --builtin\n", path);
    if (ptl_content_list(r->s.store, print_content, &any, &r->s.err) != PTL_OK)
        return session_failed(&r->s);
    if (worlds == 0)
        out_printf("worlds: none yet; portolan new '%s' NAME --seed N\n", path);
    return session_tell_journal(&r->s);
}

static void print_json_heads(const status_report *r)
{
    file_facts facts;
    const char *path = r->s.args->operands[0];
    out_text("\"file\": ");
    out_json_text(path);
    if (file_look(&facts, path))
        out_printf(",\n\"bytes\": %" PRId64, (int64_t)facts.size);
}

/* ---- all of it ---- */

static int no_world(status_report *r, const char *name)
{
    tell("portolan status: %s has no world '%s'\n", r->s.args->operands[0], name);
    names_suggest_world(&r->s, name);
    return EXIT_FAILED;
}

typedef struct holdings {
    const status_report *r;
    bool content;
    size_t worlds; /* that are shown */
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

static int print_sections(status_report *r, const bool *chosen, bool first)
{
    int code = EXIT_DONE;
    for (size_t i = 0; i < STATUS_SECTIONS && code == EXIT_DONE; i++) {
        if (!chosen[i])
            continue;
        code = status_print(r, &status_sections[i], first);
        first = false;
    }
    return code;
}

static int print_all(status_report *r, const bool *chosen)
{
    const args *a = r->s.args;
    const bool json = r->style.format == ROWS_JSON, alone = args_has(a, "section");
    holdings h = {.r = r};
    int code = EXIT_DONE;
    if (ptl_content_list(r->s.store, see_content, &h, &r->s.err) != PTL_OK ||
        ptl_world_list(r->s.store, see_world, &h, &r->s.err) != PTL_OK)
        return session_failed(&r->s);
    if (h.worlds == 0 && r->world)
        return no_world(r, r->world);
    out_text(json ? "{" : "");
    if (json && !alone)
        print_json_heads(r);
    else if (!alone)
        code = print_heads(r, h.content, h.worlds);
    if (code == EXIT_DONE)
        code = print_sections(r, chosen, alone);
    if (json)
        out_text("}\n");
    return code;
}

/* ---- the command line ---- */

static int unknown_section(const args *a, const char *name)
{
    const char *names[STATUS_SECTIONS + 1] = {NULL};
    for (size_t i = 0; i < STATUS_SECTIONS; i++)
        names[i] = status_sections[i].key;
    const char *near = suggest_nearest(name, names);
    return usage_error(a, "there is no section '%s'%s%s", name, near ? "; did you mean " : "",
                       near ? near : "");
}

static int read_sections(bool chosen[STATUS_SECTIONS], const status_report *r, const args *a)
{
    const char *name;
    size_t at = 0, count = 0;
    while ((name = args_next(a, "section", &at)) != NULL) {
        size_t i = 0;
        while (i < STATUS_SECTIONS && strcmp(status_sections[i].key, name) != 0)
            i++;
        if (i == STATUS_SECTIONS)
            return unknown_section(a, name);
        chosen[i] = true;
    }
    for (size_t i = 0; i < STATUS_SECTIONS; i++) {
        const status_section *part = &status_sections[i];
        const bool usual = !args_has(a, "section") && !part->option &&
                           (i > 0 || r->style.format != ROWS_TABLE); /* it is in the head */
        chosen[i] |= usual || (part->option && args_has(a, part->option));
        count += chosen[i];
    }
    if (r->style.format != ROWS_TABLE && r->style.format != ROWS_JSON && count > 1)
        return usage_error(a, "--format %s has one section at a time: say --section NAME",
                           rows_format_name(r->style.format));
    return EXIT_DONE;
}

static void list_sections(void (*put)(const char *lines))
{
    bytes text;
    bytes_init(&text);
    bytes_put_text(&text, "\nSections of --section:");
    for (size_t i = 0; i < STATUS_SECTIONS; i++)
        bytes_printf(&text, "%s %s", i ? "," : "", status_sections[i].key);
    bytes_put_text(&text, "\n");
    const char *lines = bytes_text(&text);
    put(lines ? lines : "");
    bytes_dispose(&text);
}

static int run(const args *a)
{
    status_report r = {.world = args_value(a, "world")};
    bool chosen[STATUS_SECTIONS] = {false};
    int64_t runs = 5;
    int code = args_int(a, "runs", 0, 1000000, &runs);
    if (code == EXIT_DONE)
        code = rows_style_from_args(&r.style, a, NULL);
    if (code == EXIT_DONE)
        code = read_sections(chosen, &r, a);
    if (code != EXIT_DONE)
        return code;
    r.runs = (uint64_t)runs;
    code = session_open(&r.s, a, PTL_OPEN_READ);
    if (code == EXIT_DONE)
        code = print_all(&r, chosen);
    session_close(&r.s);
    return code;
}

static void list_section_names(value_sink sink, void *payload)
{
    for (size_t i = 0; i < STATUS_SECTIONS; i++)
        if (!sink(payload, status_sections[i].key, ""))
            return;
}

static const value_type values[] = {
    {"section", VALUE_LISTED, NULL, list_section_names},
    VALUES_END,
};

const command status_command = {
    .name = "status",
    .group = GROUP_LOOK,
    .operands = "FILE",
    .operands_min = 1,
    .operands_max = 1,
    .summary = "Say what a file holds: content, worlds, chunks, sweeps, runs.",
    .details =
        "A chunk is unfinished if it was made with --stop-after; generate completes it. An\n"
        "imported one comes from a game's save (import-save) and is never generated. A stale "
        "one\n"
        "was generated with other content than the file holds now, or by an older generator;\n"
        "'portolan regenerate FILE --stale' makes it anew. What repair could not bring back "
        "is\n"
        "listed as set aside. A stale sweep was made with other content or by an older "
        "generator.\n",
    .examples = "  portolan status w.db\n"
                "  portolan status w.db --world home --runs 20\n"
                "  portolan status w.db --stale\n",
    .more_details = list_sections,
    .options = options,
    .values = values,
    .run = run,
    .stopped = "what it printed is not all",
};
