/* portolan lint: says what is wrong in content, by the checks of the import. */
#include "clients/cli/checks/findings.h"

static const option_spec options[] = {
    OPTIONS_CONTENT,
    OPTIONS_FINDINGS,
    {"verbose", NULL, "all findings, and each place of them", 'v'},
    OPTION_QUIET,
    OPTIONS_END,
};

static int lint(session *s, content *c, findings *f)
{
    NEED(findings_begin(f, s, c, NULL, 0));
    NEED(content_open(c, s, CONTENT_REMARKS));
    for (size_t i = 0; i < c->issues.count; i++)
        findings_add(f, &c->issues.items[i].what);
    NEED(findings_settle(f));
    NEED(findings_print(f));
    return findings_end(f);
}

static int run(session *s)
{
    content c = {.session = s};
    findings f = {.session = s};
    const int code = lint(s, &c, &f);
    findings_dispose(&f);
    content_close(&c);
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
        "Does the checks of 'portolan import', and writes nothing. The exit code is 1 if there "
        "are errors, or more warnings than --max-warnings allows.\n",
    .examples = "  portolan lint --builtin mods/mine\n",
    .options = options,
    .values = values,
    .run = run,
    .stopped = "what was found is not all: the same command begins again",
};
