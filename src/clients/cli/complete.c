/* Completion of the command line: finds what the word being typed can be, and prints the
 * candidates in the format that help.h describes. */
#include "clients/cli/help.h"
#include "clients/cli/line/output.h"
#include "clients/cli/line/rows.h"
#include "core/arena.h"
#include "core/array.h"
#include "core/utf8.h"
#include "core/visible.h"
#include "os/clock.h"
#include "os/file.h"
#include "portolan/lists.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Names of operands and values that mean the same in every command, and what they mean. A
 * command's own list of values is searched before this one. tests/cli compares the words with
 * what the commands accept. */
static const value_type common[] = {
    {"FILE", VALUE_FILE, NULL, NULL},
    {"DIR", VALUE_DIRECTORY, NULL, NULL},
    {"SPECIAL", VALUE_SPECIALS, NULL, NULL},
    {"world", VALUE_WORLDS, NULL, NULL},
    {"region", VALUE_REGIONS, NULL, NULL},
    {"placement", VALUE_WORDS, "quota|sectors", NULL},
    {"riot-damage", VALUE_WORDS, "off|on", NULL},
    {"format", VALUE_WORDS, ROWS_FORMATS, NULL},
    {"output", VALUE_FILE, NULL, NULL},
    {"wait", VALUE_WORDS, "forever", NULL},
    {"color", VALUE_WORDS, "auto|always|never", NULL},
    {"chart-format", VALUE_WORDS, "svg|png", NULL},
    {"sort", VALUE_WORDS, "id|placed|missing|ratio", NULL},
    {"TO", VALUE_FILE, NULL, NULL},
    {"OUT", VALUE_FILE, NULL, NULL},
    {"backup", VALUE_FILE, NULL, NULL},
    {"list", VALUE_FILE, NULL, NULL},
    {"png", VALUE_FILE, NULL, NULL},
    {"charts", VALUE_DIRECTORY, NULL, NULL},
    {"game", VALUE_DIRECTORY, NULL, NULL},
    {"into", VALUE_DIRECTORY, NULL, NULL},
    {"save", VALUE_DIRECTORY, NULL, NULL},
    {"undo", VALUE_DIRECTORY, NULL, NULL},
    {"watch", VALUE_DIRECTORY, NULL, NULL},
    {"FILE[:WORLD]", VALUE_SAMPLE, NULL, NULL},
    {"X,Y:N", VALUE_PLACEMENTS, NULL, NULL},
    {"center", VALUE_CITIES, NULL, NULL},
    {"only", VALUE_SPECIALS, NULL, NULL},
    {"special", VALUE_SPECIALS, NULL, NULL},
    {"sweep", VALUE_SWEEPS, NULL, NULL},
    {0},
};

/* A request for completion: the word being typed, and what the words before it say. */
typedef struct request {
    const command *command;
    const char *file;  /* first operand, the world file; NULL: it was not given yet */
    const char *typed; /* the word being typed */
    size_t head;       /* number of bytes of `typed` before the value: 7 in "--name=value" */
} request;

static const value_type *find_in(const value_type *types, const char *name, size_t size)
{
    for (const value_type *t = types; t && t->name; t++)
        if (strlen(t->name) == size && memcmp(t->name, name, size) == 0)
            return t;
    return NULL;
}

static const value_type *find_type(const command *cmd, const char *name, size_t size)
{
    const value_type *own = find_in(cmd->values, name, size);
    return own ? own : find_in(common, name, size);
}

/* ---- answers ---- */

/*
 * Reads names for completion out of a world file. The user waits at the prompt, so reading
 * ends after SECONDS_MAX. Completion changes nothing: a file that would first need a rollback
 * or a migration gives no names.
 */

/* Prints a candidate if it begins with the typed text. */
static void offer(const request *r, const char *value, size_t size, const char *meaning)
{
    const char *begin = r->typed + r->head;
    const size_t typed = strlen(begin);
    if (typed > size || memcmp(begin, value, typed) != 0)
        return;
    out_visible(r->typed, r->head);
    out_visible(value, size);
    out_printf("\t%s\n", meaning);
}

static bool offer_name(void *payload, const char *name, const char *meaning)
{
    offer(payload, name, strlen(name), meaning);
    return out_ok();
}

static void offer_words(const request *r, const char *words)
{
    while (*words) {
        const size_t size = strcspn(words, "|");
        offer(r, words, size, "");
        words += size + (words[size] == '|');
    }
}

static void list_commands(value_sink sink, void *payload)
{
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        if (!sink(payload, commands[i]->name, commands[i]->summary))
            return;
}

enum { BUSY_MS = 100, NAMES_MAX = 2000 };
static const double SECONDS_MAX = 0.5;

typedef struct named_city {
    const char *name; /* allocated in listener.memory */
    int32_t radius;
} named_city;

typedef struct listener {
    value_sink sink;
    void *payload;
    ptl_store *store;
    int count;  /* names offered so far */
    double end; /* clock time at which reading the world file ends, even if names are missing */
    arena *memory;   /* owned; has the strings of `mutables` and `cities` */
    strmap mutables; /* ids of mutable specials */
    named_city *cities;
    size_t city_count, city_room;
} listener;

static bool too_late(void *payload)
{
    return clock_seconds() > ((const listener *)payload)->end;
}

/* A name with characters that are unsafe to print can't be typed either, so it is not
 * offered. */
static bool is_plain(const char *text)
{
    const size_t size = strlen(text);
    for (size_t at = 0; at < size;) {
        uint32_t c;
        at += utf8_decode(text + at, size - at, &c);
        if (visible_unsafe(c))
            return false;
    }
    return true;
}

static bool offer_listed(listener *l, const char *name, const char *what)
{
    if (!is_plain(name) || !is_plain(what))
        return true;
    return l->count++ < NAMES_MAX && l->sink(l->payload, name, what);
}

static bool on_world(void *payload, const ptl_world_info *world)
{
    char what[64];
    snprintf(what, sizeof what, "world, seed %" PRIu64, world->options->seed);
    return offer_listed(payload, world->name, what);
}

static bool on_sweep(void *payload, const ptl_sweep_info *sweep)
{
    return offer_listed(payload, sweep->name, "sweep");
}

static bool on_special(void *payload, const ptl_special_name *special)
{
    if (special->kind == PTL_SPECIAL_BUILDING)
        return true;
    return offer_listed(payload, special->id,
                        special->kind == PTL_SPECIAL_MUTABLE ? "mutable special"
                                                             : "fixed special");
}

static bool on_region(void *payload, const ptl_region_name *region)
{
    const bool own = strcmp(region->kind, "region_settings") == 0;
    return !region->region ||
           offer_listed(payload, region->name, own ? "region" : region->kind);
}

static bool on_city(void *payload, const ptl_city_place *city)
{
    listener *l = payload;
    if (!ARRAY_ROOM(l->cities, l->city_room, l->city_count + 1))
        return false;
    const char *name = arena_strdup(l->memory, city->name);
    if (name && name[0])
        l->cities[l->city_count++] = (named_city){name, city->radius};
    return name != NULL;
}

static bool cities_of_world(void *payload, const ptl_world_info *world)
{
    listener *l = payload;
    return ptl_city_list(l->store, world->name, NULL, on_city, l, NULL) == PTL_OK;
}

/* Sorts by name. Of cities with the same name the largest comes first, which is the one
 * that is offered. */
static int by_city(const void *pa, const void *pb)
{
    const named_city *a = pa, *b = pb;
    const int order = strcmp(a->name, b->name);
    return order ? order : (a->radius < b->radius) - (a->radius > b->radius);
}

static bool keep_mutable(void *payload, const ptl_special_name *special)
{
    listener *l = payload;
    if (special->kind != PTL_SPECIAL_MUTABLE)
        return true;
    const char *id = arena_strdup(l->memory, special->id);
    return id && strmap_put(&l->mutables, id, 1) == 0;
}

static bool on_placement(void *payload, const ptl_special_place *s)
{
    listener *l = payload;
    char place[64];
    if (strmap_get(&l->mutables, s->id) == STRMAP_NONE)
        return true;
    snprintf(place, sizeof place, "%d,%d:%d", (int)s->chunk.x, (int)s->chunk.y, (int)s->number);
    return offer_listed(l, place, s->id);
}

static bool placements_of_world(void *payload, const ptl_world_info *world)
{
    listener *l = payload;
    return ptl_special_list(l->store, world->name, NULL, on_placement, l, NULL) == PTL_OK;
}

/* Calls the sink with each name of one kind (VALUE_WORLDS and so on) that a world file has, and
 * with what the name means, until the sink returns false. No names come from a file that can't
 * be read at once, or that would have to be changed before it can be read. */
static void complete_from_file(const char *path, value_kind which, value_sink sink,
                               void *payload)
{
    listener l = {.sink = sink, .payload = payload, .memory = arena_new()};
    const ptl_open_options open = {.size = sizeof open,
                                   .mode = PTL_OPEN_READ,
                                   .busy_timeout_ms = BUSY_MS,
                                   .should_stop = too_late,
                                   .payload = &l};
    strmap_init(&l.mutables);
    l.end = clock_seconds() + SECONDS_MAX;
    if (l.memory && ptl_store_is_ready(path) &&
        ptl_store_open(&l.store, path, &open, NULL) == PTL_OK) {
        /* Errors are ignored: what can't be read in time is just not offered. */
        if (which == VALUE_WORLDS)
            (void)ptl_world_list(l.store, on_world, &l, NULL);
        else if (which == VALUE_SWEEPS)
            (void)ptl_sweep_list(l.store, on_sweep, &l, NULL);
        else if (which == VALUE_SPECIALS)
            (void)ptl_special_name_list(l.store, on_special, &l, NULL);
        else if (which == VALUE_REGIONS)
            (void)ptl_region_name_list(l.store, on_region, &l, NULL);
        else if (which == VALUE_PLACEMENTS &&
                 ptl_special_name_list(l.store, keep_mutable, &l, NULL) == PTL_OK)
            (void)ptl_world_list(l.store, placements_of_world, &l, NULL);
        const bool cities = which == VALUE_CITIES &&
                            ptl_world_list(l.store, cities_of_world, &l, NULL) == PTL_OK;
        if (cities && l.city_count > 1)
            qsort(l.cities, l.city_count, sizeof *l.cities, by_city);
        bool more = cities;
        for (size_t i = 0; more && i < l.city_count; i++) {
            const named_city *c = &l.cities[i];
            char what[64];
            snprintf(what, sizeof what, "city of size %d", (int)c->radius);
            more =
                (i > 0 && strcmp(c->name, c[-1].name) == 0) || offer_listed(&l, c->name, what);
        }
        ptl_store_close(l.store);
    }
    strmap_dispose(&l.mutables);
    arena_free(l.memory);
    free(l.cities);
}

/* Prints the first line of the answer ("words", "files N" or "directories N"), then the
 * candidates. If `t` is NULL, it is not known what the value may be, and there are no
 * candidates. */
static void offer_value(request *r, const value_type *t)
{
    if (t && t->kind == VALUE_SAMPLE) {
        /* Offers files; or the worlds and sweeps of a file if the text before the last colon
         * names one, as in FILE:NAME. */
        const char *colon = strrchr(r->typed, ':');
        const size_t size = colon ? (size_t)(colon - r->typed) : 0;
        char path[4096] = "";
        file_facts facts;
        if (size < sizeof path)
            memcpy(path, r->typed, size);
        if (colon && size < sizeof path && file_look(&facts, path) &&
            facts.kind == FILE_REGULAR) {
            out_text("words\n");
            r->head = size + 1;
            complete_from_file(path, VALUE_WORLDS, offer_name, r);
            complete_from_file(path, VALUE_SWEEPS, offer_name, r);
        } else {
            out_printf("files %zu\n", r->head);
        }
        return;
    }
    if (t && (t->kind == VALUE_FILE || t->kind == VALUE_DIRECTORY)) {
        out_printf("%s %zu\n", t->kind == VALUE_FILE ? "files" : "directories", r->head);
        return;
    }
    out_text("words\n");
    if (t) {
        const char *comma = t->kind == VALUE_PARTS ? strrchr(r->typed + r->head, ',') : NULL;
        if (comma)
            r->head = (size_t)(comma - r->typed) + 1;
        if (t->kind == VALUE_WORDS)
            offer_words(r, t->words);
        else if (t->list)
            t->list(offer_name, r);
        else if (t->kind >= VALUE_WORLDS && r->file)
            complete_from_file(r->file, t->kind, offer_name, r);
    }
}

/* Offers values of the operand with this number, counted from 0 along the usage line. */
static void offer_operand(request *r, size_t number)
{
    const char *at = r->command->operands;
    operand_word word = {"", 0, false, false};
    for (size_t i = 0; i <= number; i++) {
        if (!operand_next(&at, &word)) {
            offer_value(r, NULL);
            return;
        }
        if (word.repeats)
            break;
    }
    if (memchr(word.text, '|', word.size)) {
        char words[80];
        snprintf(words, sizeof words, "%.*s", (int)word.size, word.text);
        out_text("words\n");
        offer_words(r, words);
        return;
    }
    offer_value(r, find_type(r->command, word.text, word.size));
}

static void offer_option(const request *r, const option_spec *o)
{
    char name[80];
    const int size = snprintf(name, sizeof name, "--%s", o->name);
    offer(r, name, (size_t)size, o->help);
}

/* ---- the line ---- */

/* What is known from the words that stand before the word being typed. */
typedef struct spoken {
    const option_spec *open; /* the last option, if it still needs values; else NULL */
    size_t operands;
    bool ended; /* the word "--" has come, after which no word is an option */
} spoken;

/* Reads the words before the typed one by the rules of args_parse. */
static spoken read_words(request *r, char **words, int count)
{
    spoken out = {NULL, 0, false};
    size_t missing = 0; /* how many values the last option still needs */
    for (int i = 0; i < count; i++) {
        const char *value = NULL;
        const option_spec *o = out.ended ? NULL : option_of(r->command, words[i], &value);
        if (missing > 0) {
            missing--;
        } else if (o) {
            /* If the value stands in the same word as the option (--name=value), there is one
             * value less that the next words must give. */
            missing = !o->value ? 0 : strchr(o->value, ' ') ? 2 : 1;
            missing -= missing > 0 && value;
            out.open = o;
        } else if (!out.ended && strcmp(words[i], "--") == 0) {
            out.ended = true;
        } else if (out.ended || words[i][0] != '-') {
            r->file = out.operands++ == 0 ? words[i] : r->file;
        }
    }
    out.open = missing > 0 ? out.open : NULL;
    return out;
}

/* Decides what the typed word is: the value of the option before it, a value after "--name=",
 * an option, or an operand. */
static void answer(request *r, char **words, int before)
{
    const spoken said = read_words(r, words, before);
    const option_spec *open = said.open;
    const char *value = NULL;
    if (open) {
        offer_value(r, find_type(r->command, open->name, strlen(open->name)));
        return;
    }
    const option_spec *typed = said.ended ? NULL : option_of(r->command, r->typed, &value);
    if (typed && typed->value && value) {
        r->head = (size_t)(value - r->typed);
        offer_value(r, find_type(r->command, typed->name, strlen(typed->name)));
    } else if (!said.ended && r->typed[0] == '-') {
        out_text("words\n");
        for (const option_spec *o = r->command->options; o->name; o++)
            offer_option(r, o);
        offer_option(r, &help_option);
    } else {
        offer_operand(r, said.operands);
    }
}

int complete_print(int count, char **words)
{
    static const option_spec none = OPTIONS_END;
    static const value_type values[] = {{"COMMAND", VALUE_LISTED, NULL, list_commands}, {0}};
    static const command help = {
        .name = "help", .operands = "COMMAND", .options = &none, .values = values};
    request r = {.typed = count > 0 ? words[count - 1] : ""};
    if (count < 2) {
        out_text("words\n");
        list_commands(offer_name, &r);
        offer(&r, "help", 4, "Tell more of a command.");
        offer(&r, "--help", 6, "show the help of all commands");
        offer(&r, "--version", 9, "show the version");
        offer(&r, "--licenses", 10, "show the licenses of all that is linked");
        return EXIT_DONE;
    }
    r.command = strcmp(words[0], "help") == 0 ? &help : command_named(words[0]);
    if (r.command)
        answer(&r, words + 1, count - 2);
    return EXIT_DONE;
}
