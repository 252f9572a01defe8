#include "core/array.h"
#include "core/bytes.h"
#include "mapgen/groups/groups_impl.h"

#include <stdlib.h>

enum { NUMBER_MAX = 1000000, DEPTH_MAX = 16, USUAL_TOTAL = 1000 };

/* Bits that say when an entry of a monster group counts: four bits for times of day, then four
 * for seasons. If an entry states times of day, it counts only at these; if it states seasons,
 * only in these. */
enum { AT_NIGHT = 1, AT_DAWN = 2, AT_DAY = 4, AT_DUSK = 8, TIMES = 15, SEASONS = 240 };

typedef struct monster_entry {
    uint32_t id;
    uint32_t data; /* JSON text of the entry's `spawn_data` */
    /* True: the entry's id is that of another group; false: it is that of a monster. */
    bool group;
    int32_t freq, cost, pack_low, pack_high;
    /* The entry counts from hour `starts` to hour `ends` of the game; ends 0: for ever. */
    int64_t starts, ends;
    uint32_t conditions;
} monster_entry;

typedef struct monster_group {
    uint32_t otherwise; /* id of the group's default monster; ID_NONE: none */
    int32_t total;      /* the total that the group states for its frequencies; 0: their sum
                           counts */
    uint32_t later;     /* the group that replaces this one from some time on; ID_NONE: none */
    int64_t later_from; /* hours after which `later` replaces the group */
    monster_entry *entries; /* owned */
    uint32_t count;
    size_t room;
} monster_group;

void groups_free_monsters(mapgen_groups *g)
{
    for (uint32_t i = 1; i <= g->monsters.count; i++)
        free(((monster_group *)(void *)g->monsters.things)[i].entries);
    by_id_dispose(&g->monsters);
}

static int32_t number_of(json_view v, int32_t otherwise)
{
    return mapgen_whole(v, otherwise, 0, NUMBER_MAX);
}

/* Returns the length, in seconds, of the unit of time with whose name the text begins; 0: it
 * begins with no such name. */
static int64_t unit_of(const char *text, size_t size)
{
    static const struct {
        const char *name;
        int64_t seconds;
    } units[] = {{"turn", 1},    {"second", 1},    {"minute", 60},      {"hour", 3600},
                 {"day", 86400}, {"week", 604800}, {"season", 7862400}, {"s", 1},
                 {"t", 1},       {"m", 60},        {"h", 3600},         {"d", 86400}};
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        const size_t length = strlen(units[i].name);
        const bool whole = length > 1 || size == 1 || text[length] == ' ';
        if (size >= length && strncmp(text, units[i].name, length) == 0 && whole)
            return units[i].seconds;
    }
    return 0;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Returns whole hours of a number, which counts units of `unit` hours, or of a text such as
 * "2 days 12 hours"; 0 if the value is neither. */
static int64_t hours_of(mapgen_groups *m, json_view v, int64_t unit)
{
    enum { HOUR = 3600 };
    size_t size = 0, i = 0;
    const char *text = json_view_text(v, &m->text, &size);
    int64_t seconds = 0;
    if (!text)
        return number_of(v, 0) * unit;
    while (i < size) {
        int64_t number = 0;
        const size_t first = i;
        for (; i < size && is_digit(text[i]) && number < NUMBER_MAX; i++)
            number = 10 * number + (text[i] - '0');
        const bool any = i > first;
        while (any && i < size && text[i] == ' ')
            i++;
        const int64_t each = any && i < size ? unit_of(text + i, size - i) : 0;
        if (each == 0)
            return 0;
        seconds += number * each;
        /* Skips the rest of the word for the unit of time, such as "days", and all that stands
         * before the next number. */
        while (i < size && !is_digit(text[i]))
            i++;
    }
    return seconds / HOUR;
}

/* Returns the group of an id, or NULL if there is none. */
static const monster_group *find_group(const mapgen_groups *g, uint32_t id)
{
    return by_id_find(&g->monsters, id, sizeof(monster_group));
}

/* Reads an entry of a monster group. Newer contents call its frequency a weight. */
static monster_entry read_entry(mapgen_groups *m, json_view v)
{
    json_members entry;
    json_members_of(&entry, v);
    monster_entry e = {.pack_low = 1, .pack_high = 1};
    const json_view group = json_members_get(&entry, "group"),
                    weight = json_members_get(&entry, "weight");
    e.group = group.document != NULL;
    e.id = groups_id(m, e.group ? group : json_members_get(&entry, "monster"));
    e.freq = number_of(weight.document ? weight : json_members_get(&entry, "freq"), 1);
    e.cost = number_of(json_members_get(&entry, "cost_multiplier"), 1);
    json_walk w = json_walk_of(json_members_get(&entry, "pack_size"));
    if (json_walk_next(&w))
        e.pack_low = e.pack_high = number_of(w.value, 1);
    if (json_walk_next(&w))
        e.pack_high = number_of(w.value, 1);
    e.starts = hours_of(m, json_members_get(&entry, "starts"), 1);
    e.ends = hours_of(m, json_members_get(&entry, "ends"), 1);
    const json_view data = json_members_get(&entry, "spawn_data");
    if (json_view_kind(data) == VIEW_OBJECT)
        e.data = mapgen_json_id(m->pool, data);
    static const char *const names[] = {"NIGHT",  "DAWN",   "DAY",    "DUSK",
                                        "SPRING", "SUMMER", "AUTUMN", "WINTER"};
    enum { NAMES = sizeof names / sizeof names[0] };
    uint32_t bits = 0;
    for (json_walk k = json_walk_of(json_members_get(&entry, "conditions"));
         json_walk_next(&k);)
        bits |= 1u << mapgen_word_of(k.value, names, NAMES);
    e.conditions = bits & (TIMES | SEASONS);
    return e;
}

bool groups_add_monsters(mapgen_groups *m, json_view object)
{
    json_view name = json_view_get(object, "id");
    if (!name.document)
        name = json_view_get(object, "name");
    const uint32_t id = groups_id(m, name);
    monster_group *g = id != ID_NONE ? by_id_make(&m->monsters, id, sizeof *g) : NULL;
    if (!g)
        return id == ID_NONE;
    if (json_view_kind(json_view_get(object, "override")) == VIEW_TRUE)
        g->count = 0;
    const json_view otherwise = json_view_get(object, "default");
    if (otherwise.document)
        g->otherwise = groups_id(m, otherwise);
    if (json_view_kind(json_view_get(object, "replace_monster_group")) == VIEW_TRUE) {
        enum { DAY = 24 };
        g->later = groups_member_id(m, object, "new_monster_group_id");
        g->later_from = hours_of(m, json_view_get(object, "replacement_time"), DAY);
    }
    const json_view total = json_view_get(object, "freq_total");
    bool good = true, weights = false;
    for (json_walk w = json_walk_of(json_view_get(object, "monsters"));
         json_walk_next(&w) && good;) {
        good = ARRAY_ROOM(g->entries, g->room, (size_t)g->count + 1);
        if (good)
            g->entries[g->count++] = read_entry(m, w.value);
        weights = weights || json_view_get(w.value, "weight").document;
    }
    /* In the JSON of a group, `freq` is a part of a total that the group states, usually a
     * thousand; `weight` is a part of the sum of all weights. */
    if (total.document)
        g->total = number_of(total, 0);
    else
        g->total = weights ? 0 : USUAL_TOTAL;
    return good;
}

/* ---- drawing ---- */

static bool is_valid(const monster_entry *e, mapgen_time time, uint32_t at)
{
    const bool hour = !(e->conditions & TIMES) || (e->conditions & at & TIMES);
    const bool season = !(e->conditions & SEASONS) || (e->conditions & at & SEASONS);
    return hour && season && e->freq > 0 && time.hours >= e->starts &&
           (e->ends == 0 || time.hours < e->ends);
}

/* Returns the bits of the time of day and of the season. */
static uint32_t bits_of(mapgen_time time)
{
    enum { DAWN = 6, DAY = 7, DUSK = 19, NIGHT = 20, SEASON_BIT = 4 };
    const uint32_t hour = time.hour < DAWN    ? AT_NIGHT
                          : time.hour < DAY   ? AT_DAWN
                          : time.hour < DUSK  ? AT_DAY
                          : time.hour < NIGHT ? AT_DUSK
                                              : AT_NIGHT;
    return hour | 1u << (SEASON_BIT + (time.season & 3));
}

/* Returns the number by which an entry's frequency is divided to get its probability; 0: no
 * entry can be chosen. */
static int64_t total_of(const monster_group *g, mapgen_time time, uint32_t at)
{
    int64_t sum = 0;
    for (uint32_t i = 0; i < g->count; i++)
        sum += is_valid(&g->entries[i], time, at) ? g->entries[i].freq : 0;
    const int64_t total = g->total > 0 ? g->total : sum;
    return total <= 0 || total > INT32_MAX ? 0 : total;
}

static const monster_entry *choose(const monster_group *g, rng *random, mapgen_time time)
{
    const uint32_t at = bits_of(time);
    const int64_t total = total_of(g, time, at);
    if (total == 0)
        return NULL;
    int64_t wanted = rng_below(random, (uint64_t)total);
    for (uint32_t i = 0; i < g->count; i++) {
        const monster_entry *e = &g->entries[i];
        if (!is_valid(e, time, at))
            continue;
        if (wanted < e->freq)
            return e;
        wanted -= e->freq;
    }
    return NULL;
}

uint32_t mapgen_monsters_size(mapgen_groups *groups, uint32_t group)
{
    groups_ask(groups, MAPGEN_SORT_MONSTER_GROUPS);
    const monster_group *g = find_group(groups, group);
    return g ? g->count : 0;
}

int32_t mapgen_pack_count(int32_t number)
{
    return number > 1 ? number : 1;
}

int32_t mapgen_pack_cost(const mapgen_pack_choice *choice, int32_t number)
{
    const int64_t cost = (int64_t)number * choice->cost;
    return cost > NUMBER_MAX ? NUMBER_MAX : cost > 1 ? (int32_t)cost : 1;
}

/* Fills in the monster of an entry, and chooses at random how many come at once. */
static void take_entry(mapgen_pack *out, rng *random, const monster_entry *e)
{
    const int64_t pack = e->pack_low == e->pack_high
                             ? e->pack_low
                             : rng_range(random, e->pack_low, e->pack_high);
    const mapgen_pack_choice choice = {.cost = e->cost};
    out->monster = e->id;
    out->data = e->data;
    out->count = mapgen_pack_count((int32_t)pack);
    out->cost = mapgen_pack_cost(&choice, (int32_t)pack);
}

/* Returns a monster's id, or ID_NONE if it stands for no monster. */
static uint32_t monster_of(const mapgen_groups *groups, uint32_t id)
{
    const char *text = id_pool_text(groups->pool, id);
    return strcmp(text, "mon_null") == 0 || strcmp(text, "null") == 0 ? ID_NONE : id;
}

bool mapgen_draw_pack(mapgen_pack *out, mapgen_groups *groups, rng *random, uint32_t group,
                      mapgen_time time)
{
    groups_ask(groups, MAPGEN_SORT_MONSTER_GROUPS);
    const monster_group *g = find_group(groups, group);
    const bool known = g != NULL;
    *out = (mapgen_pack){ID_NONE, 1, 1, ID_NONE};
    /* If the chosen entry is a group, a monster is chosen at random from that group. The
     * depth is limited, as a group may contain itself. */
    uint32_t id = group;
    for (int depth = 0; g && depth < DEPTH_MAX; depth++) {
        groups_tell(groups, id);
        const monster_group *later = g->later != ID_NONE && time.hours >= g->later_from
                                         ? find_group(groups, g->later)
                                         : NULL;
        if (later) {
            id = g->later;
            g = later;
            continue;
        }
        const monster_entry *e = choose(g, random, time);
        const uint32_t otherwise = g->otherwise;
        g = NULL;
        if (!e)
            out->monster = otherwise;
        else if (e->group)
            g = find_group(groups, id = e->id);
        else
            take_entry(out, random, e);
    }
    out->monster = monster_of(groups, out->monster);
    return known;
}

/* ---- the probabilities of all choices ---- */

/* A monster group may have entries that are groups again. This walk goes through all groups
 * inside a group, one depth after the other, and finds how likely each is to be drawn from. */
typedef struct pack_walk {
    mapgen_groups *groups;
    mapgen_time time;
    mapgen_pack_visit *visit;
    void *payload;
    /* Index: id of a group. How likely the walk is to choose from that group when it goes one
     * depth further down. */
    double *next;
    uint32_t *ids; /* ids of the groups from which `next` has a probability */
    size_t reach, count, room;
} pack_walk;

static void walk_to(pack_walk *w, uint32_t id, double share)
{
    if (!find_group(w->groups, id)) {
        const mapgen_pack_choice nothing = {ID_NONE, 1, 1, 1, share};
        w->visit(w->payload, &nothing);
        return;
    }
    if (!ARRAY_ROOM_ZEROED(w->next, w->reach, (size_t)id + 1) ||
        !ARRAY_ROOM(w->ids, w->room, w->count + 1)) {
        w->groups->failed = true;
        return;
    }
    if (w->next[id] == 0)
        w->ids[w->count++] = id;
    w->next[id] += share;
}

/* Calls `visit` for each monster that may be chosen directly from one group, and remembers the
 * groups inside it. The group is drawn from with the probability `share`. */
static void walk_group(pack_walk *w, uint32_t id, double share)
{
    const monster_group *g = find_group(w->groups, id);
    if (g->later != ID_NONE && w->time.hours >= g->later_from &&
        find_group(w->groups, g->later)) {
        walk_to(w, g->later, share);
        return;
    }
    const uint32_t at = bits_of(w->time);
    const int64_t total = total_of(g, w->time, at);
    int64_t left = total;
    for (uint32_t i = 0; i < g->count && left > 0; i++) {
        const monster_entry *e = &g->entries[i];
        if (!is_valid(e, w->time, at))
            continue;
        const int64_t taken = e->freq < left ? e->freq : left;
        const double part = share * (double)taken / (double)total;
        left -= taken;
        if (e->group) {
            walk_to(w, e->id, part);
            continue;
        }
        const mapgen_pack_choice choice = {monster_of(w->groups, e->id), e->pack_low,
                                           e->pack_high, e->cost, part};
        w->visit(w->payload, &choice);
    }
    if (left > 0 || total == 0) {
        const double rest = total > 0 ? share * (double)left / (double)total : share;
        const mapgen_pack_choice otherwise = {monster_of(w->groups, g->otherwise), 1, 1, 1,
                                              rest};
        w->visit(w->payload, &otherwise);
    }
}

bool mapgen_packs_visit(mapgen_groups *groups, uint32_t group, mapgen_time time,
                        mapgen_pack_visit *visit, mapgen_share_visit *drawn, void *payload)
{
    groups_ask(groups, MAPGEN_SORT_MONSTER_GROUPS);
    if (!find_group(groups, group))
        return false;
    pack_walk w = {.groups = groups, .time = time, .visit = visit, .payload = payload};
    walk_to(&w, group, 1);
    /* Groups that are nested DEPTH_MAX deep give no monsters any more, as in
     * mapgen_draw_pack. */
    for (int depth = 0; depth <= DEPTH_MAX && w.count > 0 && !groups->failed; depth++) {
        uint32_t *ids = w.ids;
        const size_t count = w.count;
        double *shares = malloc(count * sizeof *shares);
        groups->failed = groups->failed || !shares;
        for (size_t i = 0; i < count && shares; i++) {
            shares[i] = w.next[ids[i]];
            w.next[ids[i]] = 0;
        }
        w.ids = NULL;
        w.count = w.room = 0;
        for (size_t i = 0; i < count && shares; i++) {
            const mapgen_pack_choice nothing = {ID_NONE, 1, 1, 1, shares[i]};
            if (depth == DEPTH_MAX) {
                visit(payload, &nothing);
                continue;
            }
            drawn(payload, ids[i], shares[i]);
            walk_group(&w, ids[i], shares[i]);
        }
        free(shares);
        free(ids);
    }
    free(w.next);
    free(w.ids);
    return !groups->failed;
}

/* ---- spawn_data: what content says about a monster on a map ---- */

/* Returns a number from a JSON value: the value itself if it is a number, or a random number
 * between its two elements if it is a list [low, high]. */
static int32_t draw_number(rng *random, json_view v)
{
    enum { MOST = 1000000000 };
    json_walk w = mapgen_walk_each(v);
    const int32_t low = json_walk_next(&w) ? mapgen_whole(w.value, 0, 0, MOST) : 0;
    const int32_t high = json_walk_next(&w) ? mapgen_whole(w.value, low, low, MOST) : low;
    return low == high ? low : rng_range(random, low, high);
}

static void put_raw(bytes *out, json_view v)
{
    const size_t start = json_view_offset(v), end = json_end(v.document, v.at);
    bytes_put(out, v.document->text + start, end - start);
}

/* Writes a JSON object unchanged, except that the value of its member `name` becomes a random
 * number, drawn from the range that this value states. */
static void put_drawn(bytes *out, rng *random, json_view object, const char *name)
{
    bool first = true;
    bytes_put_text(out, "{");
    for (json_walk w = json_walk_of(object); json_walk_next(&w); first = false) {
        bytes_put_text(out, first ? "" : ",");
        put_raw(out, w.key);
        bytes_put_text(out, ":");
        if (json_view_is(w.key, name))
            bytes_printf(out, "%d", (int)draw_number(random, w.value));
        else
            put_raw(out, w.value);
    }
    bytes_put_text(out, "}");
}

uint32_t mapgen_draw_spawn_data(mapgen_groups *groups, rng *random, uint32_t json)
{
    const char *text = id_pool_text(groups->pool, json);
    if (text[0] != '{' || !json_reader_whole(groups->reader, text, strlen(text), NULL))
        return ID_NONE;
    const json_document document = json_reader_document(groups->reader);
    bytes out;
    bytes_init(&out);
    const json_view data = json_view_of(&document);
    bool first = true;
    bytes_put_text(&out, "{");
    for (json_walk w = json_walk_of(data); json_walk_next(&w); first = false) {
        bytes_put_text(&out, first ? "" : ",");
        put_raw(&out, w.key);
        bytes_put_text(&out, ":");
        if (!json_view_is(w.key, "ammo") || json_view_kind(w.value) != VIEW_ARRAY) {
            put_raw(&out, w.value);
            continue;
        }
        bytes_put_text(&out, "[");
        for (json_walk a = json_walk_of(w.value); json_walk_next(&a);) {
            bytes_put_text(&out, a.index > 0 ? "," : "");
            if (json_view_kind(a.value) == VIEW_OBJECT)
                put_drawn(&out, random, a.value, "qty");
            else
                put_raw(&out, a.value);
        }
        bytes_put_text(&out, "]");
    }
    bytes_put_text(&out, "}");
    uint32_t id = ID_NONE;
    if (!out.failed)
        id = id_pool_put(groups->pool, (const char *)out.data, out.size);
    groups->failed = groups->failed || out.failed;
    bytes_dispose(&out);
    return id;
}
