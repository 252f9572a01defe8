/* Imports the content before the change and the content after it, each into a temporary world
 * file. The texts of their files are kept in memory. */
#include "clients/cli/change/change.h"
#include "core/array.h"

static const option_spec game_option = {"game", "DIR", "", 0};

/* Makes a command line that reads the content of one side: all that both sides share, and the
 * folders that --before (or --after) names. The folder of a game becomes the option --game. */
static int make_args(change_side *side, const args *a, const char *option)
{
    size_t operands = a->operand_count;
    const char *value;
    side->args = *a;
    side->operands = calloc(a->operand_count + a->given_count + 1, sizeof *side->operands);
    side->given = calloc(a->given_count + 1, sizeof *side->given);
    if (!side->operands || !side->given)
        return args_no_memory(a);
    if (a->operand_count > 0)
        memcpy(side->operands, a->operands, a->operand_count * sizeof *side->operands);
    if (a->given_count > 0)
        memcpy(side->given, a->given, a->given_count * sizeof *side->given);
    side->args.operands = side->operands;
    side->args.given = side->given;
    for (size_t at = 0; (value = args_next(a, option, &at)) != NULL;) {
        if (!import_is_game(value)) {
            side->operands[operands++] = value;
            continue;
        }
        if (args_has(&side->args, "game"))
            return usage_error(a, "--%s '%s' is a game, and there is one already", option,
                               value);
        side->given[side->args.given_count++] = (given_option){&game_option, value, NULL};
    }
    side->args.operand_count = operands;
    return EXIT_DONE;
}

/* Imports the content of one side once more, not leniently, to get all remarks. What is kept of
 * its files stays that of the first import, which goes on behind what is no JSON. */
static int take_remarks(change_side *side)
{
    session *s = &side->session;
    ptl_import_options o = side->content.named.import;
    ptl_import_report report = PTL_IMPORT_REPORT_INIT;
    o.lenient = false;
    o.check = true;
    o.on_diagnostic = import_issues_add;
    o.should_stop = stop_asked_for;
    o.payload = &side->issues;
    o.sources = NULL;
    const ptl_status status = ptl_import(&report, NULL, &o, &s->err);
    if (stop_wanted())
        return stop_tell();
    if (side->issues.failed)
        return session_no_memory(s);
    return status == PTL_OK || (status == PTL_ERR_CONTENT && report.errors > 0)
               ? EXIT_DONE
               : session_failed(s);
}

static int open_side(change *c, change_side *side, const char *option)
{
    session *s = &side->session;
    NEED(make_args(side, c->s->args, option));
    session_init(s, &side->args);
    if (ptl_sources_new(&side->sources, &s->err) != PTL_OK)
        return session_failed(s);
    side->content.sources = side->sources;
    NEED(content_open(&side->content, s, CONTENT_STORE));
    if (side->content.is_file)
        return usage_error(c->s->args,
                           "%s is a world file: 'portolan compare' compares those; --%s takes "
                           "folders of content",
                           side->args.operands[0], option);
    return take_remarks(side);
}

int change_sides_open(change *c)
{
    static const char *const options[SIDES] = {"before", "after"};
    const args *a = c->s->args;
    if (!args_has(a, "before") && !args_has(a, "after"))
        return usage_error(a, "which change? Say --before FOLDER and --after FOLDER");
    for (int i = 0; i < SIDES; i++)
        NEED(open_side(c, &c->sides[i], options[i]));
    return EXIT_DONE;
}

static void close_side(change_side *side)
{
    ptl_coverage_free(side->coverage);
    ptl_tally_free(side->tally);
    ptl_sample_close(side->sample);
    ptl_sources_free(side->sources);
    if (side->content.session)
        content_close(&side->content);
    import_issues_dispose(&side->issues);
    strmap_dispose(&side->objects_at);
    free(side->objects);
    free(side->definitions);
    free(side->operands);
    free(side->given);
}

void change_sides_close(change *c)
{
    for (int i = 0; i < SIDES; i++)
        close_side(&c->sides[i]);
}
