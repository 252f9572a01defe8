/* portolan lint: says what is wrong in content, by the checks of the import. */
#include "clients/cli/checks/findings.h"

static const option_spec options[] = {
    OPTIONS_CONTENT,
    OPTIONS_FINDINGS,
    {"verbose", NULL, "all findings, and each place of them", 'v'},
    {"codes", NULL, "only list all codes with what they mean", 0},
    OPTION_QUIET,
    OPTIONS_END,
};

static int print_codes(session *s, const finding_kinds *kinds)
{
    static const report_column columns[] = {COLUMN(code), COLUMN(severity), COLUMN_WRAP(title),
                                            COLUMNS_END};
    NEED(rows_style_from_args(&s->style, s->args, NULL));
    row_printer *p = rows_new(&s->style, columns, false);
    for (size_t i = 0; i < kinds->count; i++)
        (void)rows_put(p, CELLS(cell_text(kinds->items[i].code),
                                cell_text(findings_severity_name(kinds->items[i].severity)),
                                cell_text(kinds->items[i].title)));
    return session_printed(s, rows_finish(p));
}

static int lint(session *s, content *c, findings *f, const finding_kinds *kinds)
{
    if (kinds->failed)
        return args_no_memory(s->args);
    if (args_has(s->args, "codes"))
        return print_codes(s, kinds);
    NEED(findings_begin(f, s, c, kinds->items, kinds->count));
    NEED(content_open(c, s, CONTENT_REMARKS));
    for (size_t i = 0; i < c->issues.count; i++)
        findings_add(f, &c->issues.items[i].what);
    NEED(findings_settle(f));
    NEED(findings_print(f));
    if (!c->is_file && f->counts[PTL_ERROR] > 0)
        import_folders_advise(s->args, 0, f->counts[PTL_ERROR]);
    return findings_end(f);
}

static int run(session *s)
{
    content c = {.session = s};
    findings f = {.session = s};
    finding_kinds kinds;
    finding_kinds_list(&kinds, "");
    const int code = lint(s, &c, &f, &kinds);
    findings_dispose(&f);
    content_close(&c);
    free(kinds.items);
    return code;
}

static const value_type values[] = {
    {"format", VALUE_WORDS, FINDINGS_FORMATS, NULL}, {"DIR", VALUE_FILE, NULL, NULL}, {0}};

const command lint_command = {
    .name = "lint",
    .group = GROUP_ASK,
    .operands = "[FILE] [DIR...]",
    .summary = "Say what is wrong in content, for people and for a mod's CI.",
    .operand_help = CONTENT_OPERAND_HELP,
    .details =
        "Does all checks of 'portolan import', and writes nothing. Each finding has a code, "
        "such as MG301, whose meaning never changes; --codes lists them, and schema/checks.md "
        "says of each why it is told, what the games do, and an example. Of FILE, a world "
        "file, the remarks of its import are taken.\n\n"
        "The exit code is 1 if there is an error, or if there are more warnings than "
        "--max-warnings allows. Of many findings the table prints the first 20; what is said "
        "of many places is printed once. All are listed with --verbose and in other formats. "
        "--format github prints annotations for a workflow of GitHub; sarif is for code "
        "scanning; junit has a test case for each code and file, which fails if the command "
        "does because of it. Paths are as they were given: start it in the folder of the "
        "repository.\n\n"
        "With --baseline only what is new counts and is printed. --write-baseline writes such "
        "a file; a finding is known by its code, pack, file, id and message, so that it stays "
        "known if lines move. With --write-baseline alone nothing of what it writes counts.\n",
    .examples = "  portolan lint --builtin mods/mine\n"
                "  portolan lint --builtin mods/mine --format github\n"
                "  portolan lint --game ~/cataclysm --mods railroads --pack railroads\n"
                "  portolan lint --builtin mods/mine --write-baseline known.json\n"
                "  portolan lint --builtin mods/mine --baseline known.json\n"
                "  portolan lint --builtin mods/mine --format sarif -o lint.sarif\n",
    .options = options,
    .values = values,
    .large_pages = true,
    .run = run,
    .stopped = "what was found is not all: the same command begins again",
};
