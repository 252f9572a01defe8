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

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

/* ---- notes ---- */

typedef struct part {
    const char *name; /* "" for the first part */
    size_t name_size;
    const char *text; /* whole lines */
    size_t size;
} part;

static const char MARK[] = ".\\\" @";

/* Reads the part that begins at *at and moves *at behind it. Returns false at the end. */
static bool next_part(const char **at, part *out)
{
    const char *text = *at;
    *out = (part){"", 0, text, 0};
    if (*text == '\0')
        return false;
    if (strncmp(text, MARK, sizeof MARK - 1) == 0) {
        out->name = text + sizeof MARK - 1;
        out->name_size = strcspn(out->name, "\n");
        text = out->name + out->name_size;
        text += *text == '\n';
    }
    out->text = text;
    while (*text && strncmp(text, MARK, sizeof MARK - 1) != 0) {
        text += strcspn(text, "\n");
        text += *text == '\n';
    }
    out->size = (size_t)(text - out->text);
    *at = text;
    return true;
}

static bool is_named(const part *p, const char *name)
{
    return strlen(name) == p->name_size && memcmp(name, p->name, p->name_size) == 0;
}

static bool find_part(const char *notes, const char *name, part *out)
{
    while (next_part(&notes, out))
        if (is_named(out, name))
            return true;
    return false;
}

/* Prints the part of this name. Returns false if there is none. */
static bool put_part(const char *notes, const char *name)
{
    part p;
    if (!find_part(notes, name, &p))
        return false;
    out_raw(p.text, p.size);
    return true;
}

/* Checks that each part belongs to an option of the command, since others would
 * never be printed. */
static bool parts_are_known(const char *notes, const command *cmd)
{
    for (part p; next_part(&notes, &p);) {
        bool known = is_named(&p, "") || is_named(&p, "end");
        for (const option_spec *o = cmd->options; o->name && !known; o++)
            known = p.name_size > 2 && strncmp(p.name, "--", 2) == 0 &&
                    strlen(o->name) == p.name_size - 2 &&
                    memcmp(o->name, p.name + 2, p.name_size - 2) == 0;
        if (!known) {
            tell("portolan_manual: notes on '%.*s', which '%s' does not have\n",
                 (int)p.name_size, p.name, cmd->name);
            return false;
        }
    }
    return true;
}

/* ---- roff ---- */

/* Prints text of the table with all that roff would interpret escaped. */
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

/* Prints lines by the rules of help_print_paragraphs: those that begin with a blank
 * stay as they are. */
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

/* Operands with the same meaning share one entry. An operand that the table does not explain
 * is an error of the build. */
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

static void put_option(const option_spec *o, const char *notes)
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
    part more;
    const bool found = find_part(notes, name, &more);
    out_text(found ? ".\n" : "\n");
    if (found)
        out_raw(more.text, more.size);
}

/* Prints the references to other pages: those of the group without the page `but`; all of them
 * if `but` is NULL. */
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

static bool put_command(const command *cmd, const char *notes)
{
    if (!parts_are_known(notes, cmd))
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
    (void)put_part(notes, "");
    if (!put_operands(cmd))
        return false;
    out_text(".SH OPTIONS\n");
    for (const option_spec *o = cmd->options; o->name; o++)
        put_option(o, notes);
    put_option(&help_option, notes);
    (void)put_part(notes, "end");
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

/* ---- the page of all ---- */

static bool put_overview(const char *notes)
{
    put_title("", "persistent world store for Cataclysm-style overmaps");
    bool whole = put_part(notes, "");
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
    whole = put_part(notes, "commands") && whole;
    put_pages(0, NULL);
    whole = put_part(notes, "pages") && whole;
    if (!whole)
        tell("portolan_manual: the notes of the page of all lack a part\n");
    return whole;
}

int main(int argc, char **argv)
{
    bytes notes = {.size = 0};
    bool done = false;
    const command *cmd = argc == 4 ? command_named(argv[1]) : NULL;
    if (argc != 4 || (!cmd && strcmp(argv[1], "portolan") != 0))
        tell("portolan_manual: give a command, or portolan, its notes and the page to write\n");
    else if (!freopen(argv[3], "w", stdout))
        tell("portolan_manual: %s: %s\n", argv[3], strerror(errno));
    else if (argv[2][0] == '\0')
        done = true;
    else {
        char piece[4096];
        FILE *file = fopen(argv[2], "r");
        for (size_t size; file && (size = fread(piece, 1, sizeof piece, file)) > 0;)
            bytes_put(&notes, piece, size);
        done = file && !ferror(file);
        if (!done)
            tell("portolan_manual: %s: %s\n", argv[2], strerror(errno));
        done = file && fclose(file) == 0 && done;
    }
    const char *text = bytes_text(&notes);
    if (done && text)
        done = cmd ? put_command(cmd, text) : put_overview(text);
    bytes_dispose(&notes);
    return out_finish() == EXIT_DONE && done && text ? EXIT_DONE : EXIT_FAILED;
}
