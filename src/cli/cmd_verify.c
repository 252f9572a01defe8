/* portolan verify: checks every row of a file. */
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/session.h"

static const option_spec options[] = {
    {"quiet", NULL, "print problems only", 'q'},
    OPTIONS_END,
};

static void on_problem(void *payload, const ptl_problem *problem)
{
    (void)payload;
    out_printf("%s: invariant %d: %s\n", problem->where, problem->invariant, problem->message);
}

static int run(const args *a)
{
    session s;
    ptl_verify_counts counts = {0, 0, 0, 0};
    int code = session_open(&s, a, PTL_OPEN_READ);
    if (code == EXIT_DONE && ptl_verify(s.store, on_problem, NULL, &counts, &s.err) != PTL_OK)
        code = session_failed(&s);
    if (code == EXIT_DONE) {
        if (!args_has(a, "quiet"))
            out_printf("checked %llu chunks, %llu levels, %llu edges: %llu problem%s\n",
                       (unsigned long long)counts.chunks, (unsigned long long)counts.levels,
                       (unsigned long long)counts.edges, (unsigned long long)counts.problems,
                       counts.problems == 1 ? "" : "s");
        code = counts.problems ? EXIT_FAILED : EXIT_DONE;
    }
    session_close(&s);
    return code;
}

const command verify_command = {
    .name = "verify",
    .operands = "FILE",
    .operands_min = 1,
    .operands_max = 1,
    .summary = "Check the whole file; exit code 1 if anything is damaged.",
    .details = "Checks SQLite's own structure and every chunk, level, edge and dictionary row\n"
               "against the numbered invariants of schema/format.md. One line per problem.\n",
    .options = options,
    .run = run,
};
