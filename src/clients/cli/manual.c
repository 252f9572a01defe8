/*
 * portolan_manual: makes the man pages from the command table while Portolan is built. It
 * is not installed.
 *
 *   portolan_manual COMMAND NOTES OUTPUT   the page of a command
 *   portolan_manual portolan NOTES OUTPUT  the overview of all commands
 *
 * NOTES is a file of tools/man: roff with what the table does not say. "" means no file. Lines
 * of this form divide it into parts:
 *
 *   .\" @NAME
 *
 * On a command's page the first part follows the description, a part --OPTION follows
 * the table's text on that option, and the part "end" follows the options. On the
 * overview the commands come before the part "commands", and the names of their pages
 * before the part "pages".
 */
#include "clients/cli/help.h"
#include "clients/cli/line/output.h"
#include "core/bytes.h"
#include "os/file.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- notes ---- */

enum { PARTS_MAX = 60 };

static const char MARK[] = "\n.\\\" @";

/* The parts of the file NOTES, which the lines that begin with MARK divide. */
typedef struct notes {
    struct {
        const char *name; /* name of the part; "" for the first one */
        const char *text; /* text of the part, in whole lines */
    } parts[PARTS_MAX];
    size_t count;
} notes;

/* Cuts the text of NOTES, which begins with a newline, into parts at its lines .\" @NAME.
 * Returns false, after a message, if there are more than PARTS_MAX parts. */
static bool cut_notes(notes *out, char *text)
{
    char *next = strstr(text, MARK);
    *out = (notes){.parts = {{"", text + 1}}, .count = 1};
    for (; next && out->count < PARTS_MAX; out->count++) {
        char *name = next + sizeof MARK - 1, *end = strchr(name, '\n');
        next[1] = '\0';
        next = end ? strstr(end, MARK) : NULL;
        out->parts[out->count].name = name;
        out->parts[out->count].text = end ? end + 1 : "";
        if (end)
            *end = '\0';
    }
    if (next)
        tell("portolan_manual: notes have more than %d parts: raise PARTS_MAX\n", PARTS_MAX);
    return !next;
}

/* Returns the text of the part of the notes that has this name; NULL if there is none. */
static const char *find_part(const notes *n, const char *name)
{
    for (size_t i = 0; i < n->count; i++)
        if (strcmp(n->parts[i].name, name) == 0)
            return n->parts[i].text;
    return NULL;
}

/* Prints the part of the notes that has this name. Returns false if there is none. */
static bool put_part(const notes *n, const char *name)
{
    const char *text = find_part(n, name);
    if (text)
        out_raw(text, strlen(text));
    return text != NULL;
}

/* Checks that each part of the notes is named after an option of the command: a part of any
 * other name would never be printed. */
static bool parts_are_known(const notes *n, const command *cmd)
{
    for (size_t i = 0; i < n->count; i++) {
        const char *name = n->parts[i].name, *value;
        if (strcmp(name, "") != 0 && strcmp(name, "end") != 0 &&
            (strncmp(name, "--", 2) != 0 || !option_of(cmd, name, &value) || value)) {
            tell("portolan_manual: notes on '%s', which '%s' does not have\n", name, cmd->name);
            return false;
        }
    }
    return true;
}

/* ---- roff ---- */

/* Prints text of the command table. Each character that roff would interpret is escaped. */
static void put_text(const char *text, size_t size)
{
    static const char special[] = "\\-'\"^~`";
    static const char *const escapes[] = {"\\e",   "\\-",   "\\(aq", "\\(dq",
                                          "\\(ha", "\\(ti", "\\(ga"};
    if (size > 0 && text[0] == '.')
        out_text("\\&");
    for (size_t i = 0; i < size; i++) {
        const char *at = strchr(special, text[i]);
        if (at)
            out_text(escapes[at - special]);
        else
            out_visible(text + i, 1);
    }
}

static void put_word(const char *text)
{
    put_text(text, strlen(text));
}

/* Prints lines. Lines that begin with a blank stay as they are; others are joined to
 * paragraphs, as help_print_paragraphs does. */
static void put_lines(const char *lines)
{
    bool as_it_is = false;
    while (*lines) {
        const size_t size = strcspn(lines, "\n");
        if ((lines[0] == ' ') != as_it_is) {
            as_it_is = !as_it_is;
            out_text(as_it_is ? ".nf\n" : ".fi\n");
        }
        put_text(lines, size);
        out_text(size > 0 ? "\n" : ".PP\n");
        lines += size + (lines[size] == '\n');
    }
    out_text(as_it_is ? ".fi\n" : "");
}

/* The date of the pages, which mandoc asks for: the day on which the manual's text was last
 * revised. The date of the build would make two builds differ. */
#define WRITTEN "2026-11-23"

static void put_title(const char *name, const char *summary)
{
    out_text(".\\\" Made by portolan_manual (src/clients/cli/manual.c).\n.TH PORTOLAN");
    out_text(*name ? "\\-" : "");
    for (const char *c = name; *c; c++)
        put_text(&(char){(char)toupper((unsigned char)*c)}, 1);
    out_text(" 1 \"" WRITTEN "\" \"Portolan\" \"User Commands\"\n.SH NAME\nportolan");
    out_text(*name ? "\\-" : "");
    put_word(name);
    out_text(" \\- ");
    put_text(&(char){(char)tolower((unsigned char)summary[0])}, 1);
    put_text(summary + 1, strcspn(summary + 1, ".\n"));
    out_text("\n");
}

/* ---- the page of a command ---- */

/* Prints what each operand is. Operands with the same meaning are explained together. An
 * operand that the command's table does not explain is an error of the build. */
static bool put_operands(const command *cmd)
{
    const char *at = cmd->operands, *before = NULL;
    out_text(".SH OPERANDS\n");
    for (operand_word word; operand_next(&at, &word);) {
        /* Find the operand's line in operand_help. */
        const char *line = cmd->operand_help ? cmd->operand_help : "";
        while (*line && (strncmp(line, word.text, word.size) != 0 ||
                         strncmp(line + word.size, "  ", 2) != 0)) {
            line += strcspn(line, "\n");
            line += *line == '\n';
        }
        const char *meaning = *line ? line + word.size + 2 : NULL;
        if (!meaning && word.size == 4 && memcmp(word.text, "FILE", 4) == 0)
            meaning = "The world file.";
        if (!meaning) {
            tell("portolan_manual: operand_help of '%s' does not say what %.*s is\n", cmd->name,
                 (int)word.size, word.text);
            return false;
        }
        if (meaning != before) {
            out_text(".TP\n\\fI");
            put_text(word.text, word.size);
            out_text("\\fR\n");
            put_text(meaning, strcspn(meaning, "\n"));
            out_text("\n");
        }
        before = meaning;
    }
    return true;
}

static void put_option(const option_spec *o, const notes *n)
{
    char name[80];
    snprintf(name, sizeof name, "--%s", o->name);
    out_text(".TP\n");
    if (o->letter)
        out_printf("\\fB\\-%c\\fR, ", o->letter);
    out_text("\\fB");
    put_word(name);
    out_text("\\fR");
    if (o->value) {
        out_text(" \\fI");
        put_word(o->value);
        out_text("\\fR");
    }
    out_text("\n");
    put_word(o->help);
    out_text(find_part(n, name) ? ".\n" : "\n");
    (void)put_part(n, name);
}

/* Prints references to man pages: to those of all other commands in the group of the command
 * `but` or, if `but` is NULL, to those of all commands. */
static void put_pages(int group, const command *but)
{
    const char *separator = "";
    if (but) {
        out_text(".BR portolan (1)\n(formats, files, environment, signals)");
        separator = ",\n";
    }
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        if (commands[i] == but || (but && (int)commands[i]->group != group))
            continue;
        out_text(separator);
        out_text(".BR portolan\\-");
        put_word(commands[i]->name);
        out_text(" (1)");
        separator = ",\n";
    }
    out_text("\n");
}

static bool put_command(const command *cmd, const notes *n)
{
    if (!parts_are_known(n, cmd))
        return false;
    put_title(cmd->name, cmd->summary);
    out_text(".SH SYNOPSIS\n\\fBportolan ");
    put_word(cmd->name);
    out_text("\\fR");
    const char *at = cmd->operands;
    for (operand_word word; operand_next(&at, &word);) {
        const bool literal = memchr(word.text, '|', word.size) != NULL;
        out_printf(" %s%s", word.optional ? "[" : "", literal ? "\\fB" : "\\fI");
        put_text(word.text, word.size);
        out_printf("\\fR%s%s", word.repeats ? "..." : "", word.optional ? "]" : "");
    }
    out_text(" [\\fIoptions\\fR]\n");
    out_text(".SH DESCRIPTION\n");
    put_lines(cmd->summary);
    if (cmd->details) {
        out_text(".PP\n");
        put_lines(cmd->details);
    }
    if (cmd->more_details)
        cmd->more_details(put_lines);
    (void)put_part(n, "");
    if (!put_operands(cmd))
        return false;
    out_text(".SH OPTIONS\n");
    for (const option_spec *o = cmd->options; o->name; o++)
        put_option(o, n);
    put_option(&help_option, n);
    (void)put_part(n, "end");
    if (cmd->examples) {
        out_text(".SH EXAMPLES\n");
        put_lines(cmd->examples);
    }
    out_text(".SH EXIT STATUS\n0: done; 1: failed, or stopped; 2: wrong use.\n.PP\n"
             "Ctrl\\-C, or another signal, stops the command within a second; ");
    put_word(cmd->stopped);
    out_text(".\n.SH SEE ALSO\n");
    put_pages((int)cmd->group, cmd);
    return true;
}

/* ---- the overview of all commands ---- */

static bool put_overview(const notes *n)
{
    put_title("", "persistent world store for Cataclysm-style overmaps");
    bool whole = put_part(n, "");
    for (int group = 0; group < GROUP_COUNT; group++) {
        out_text(".SS ");
        put_word(command_group_title((command_group)group));
        out_text("\n");
        for (size_t i = 0; i < COMMAND_COUNT; i++) {
            if ((int)commands[i]->group != group)
                continue;
            out_text(".TP\n.BR portolan\\-");
            put_word(commands[i]->name);
            out_text(" (1)\n");
            put_word(commands[i]->summary);
            out_text("\n");
        }
    }
    whole = put_part(n, "commands") && whole;
    put_pages(0, NULL);
    whole = put_part(n, "pages") && whole;
    if (!whole)
        tell("portolan_manual: the notes of the page of all lack a part\n");
    return whole;
}

int main(int argc, char **argv)
{
    bytes text = {.size = 0};
    notes n = {.count = 0};
    bool done = false;
    const command *cmd = argc == 4 ? command_named(argv[1]) : NULL;
    bytes_put_u8(&text, '\n'); /* the text begins with a newline, so that a line .\" @NAME is
                                  found in its first line, too */
    if (argc != 4 || (!cmd && strcmp(argv[1], "portolan") != 0))
        tell("portolan_manual: give a command, or portolan, its notes and the page to write\n");
    else if (!freopen(argv[3], "w", stdout))
        tell("portolan_manual: %s: %s\n", argv[3], strerror(errno));
    else if (argv[2][0] == '\0')
        done = true;
    else {
        size_t size = 0;
        char *read = file_read_small(argv[2], SIZE_MAX - 1, &size);
        done = read != NULL;
        if (done)
            bytes_put(&text, read, size);
        else
            tell("portolan_manual: %s: %s\n", argv[2], strerror(errno));
        free(read);
    }
    done = done && bytes_text(&text) && cut_notes(&n, (char *)text.data);
    if (done)
        done = cmd ? put_command(cmd, &n) : put_overview(&n);
    bytes_dispose(&text);
    return out_finish() == EXIT_DONE && done ? EXIT_DONE : EXIT_FAILED;
}
