#include "unit/mapgen/script_fixture.h"

#include <stdio.h>
#include <string.h>

void script_begin(script_fixture *f, uint64_t seed)
{
    memset(f, 0, sizeof *f);
    bytes_init(&f->said);
    bytes_init(&f->items);
    f->steps = SCRIPT_STEPS;
    f->random = rng_from_key(seed);
}

void script_end(script_fixture *f)
{
    bytes_dispose(&f->said);
    bytes_dispose(&f->items);
}

static bool set(char at[20], const char *id, size_t length)
{
    if (strncmp(id + 1, "_no", 3) == 0)
        return false;
    snprintf(at, 20, "%.*s", (int)length, id);
    return true;
}

static bool set_tile(void *payload, bool terrain, int x, int y, const char *id, size_t length)
{
    script_fixture *f = payload;
    return set((terrain ? f->terrain : f->furniture)[y][x], id, length);
}

static void place_items(void *payload, const script_items *i)
{
    script_fixture *f = payload;
    bytes_printf(&f->items, "%s %d %d,%d %d,%d %d\n", i->group, (int)i->chance, i->x, i->y,
                 i->x2, i->y2, i->on_flat);
}

static void say(void *payload, const char *text, size_t length)
{
    script_fixture *f = payload;
    bytes_put(&f->said, text, length);
    bytes_put_u8(&f->said, '\n');
}

script_outcome script_text(script_fixture *f, const char *text, size_t size)
{
    const script_map map = {f, 24, 24, set_tile, place_items, say};
    const script_request request = {.text = text,
                                    .size = size,
                                    .terrain = "house_north",
                                    .turn = 77,
                                    .random = &f->random,
                                    .steps = &f->steps,
                                    .map = &map,
                                    .stop = f->stop};
    return script_run(&request, f->message);
}

uint64_t script_digest(script_fixture *f)
{
    uint64_t key = hash_bytes(f->terrain, sizeof f->terrain);
    key = hash_add(key, hash_bytes(f->furniture, sizeof f->furniture));
    key = hash_add(key, hash_bytes(f->said.data, f->said.size));
    key = hash_add(key, hash_bytes(f->items.data, f->items.size));
    key = hash_add(key, hash_string(f->message));
    return hash_add(key, f->random.state);
}

const char *script_busy(void)
{
    return "local t, s = {}, 0\n"
           "for i = 1, 60 do t['key' .. game.rng(1, 500)] = i t[game.rng(1, 40)] = i t[i / 4] "
           "= i "
           "end\n"
           "t[true], t[false] = 1, 2\n"
           "for k, v in pairs(t) do print(k, v) if game.one_in(3) then t[k] = nil end end\n"
           "for i = 1, 30 do t['x' .. i] = i t['x' .. i - 1] = nil t[i * 3 % 17] = i print(#t) "
           "end\n"
           "local k, v = next(t) while k ~= nil do s = s + v k, v = next(t, k) end print(s)\n"
           "print(tostring(t), tostring(print), tostring(map), t, map, string, 0/0, -(0/0))\n"
           "print(pcall(function() return t.a.b end)) print(pcall(error, {}))\n"
           "for i = 0, 23 do for j = 0, 23 do\n"
           "  if (i - 12)^2 + (j - 12)^2 < 90 then map:ter_set(i, j, 't_' .. math.random(9)) "
           "end\n"
           "end end\n"
           "local u = {} for i = 1, 150 do u[i] = game.rng(1, 20) end\n"
           "table.sort(u, function(a, b) return game.one_in(2) end) print(table.concat(u, ' "
           "'))\n"
           "print((('the quick brown fox'):gsub('%w+', function(w) return w:upper() .. #w "
           "end)))\n"
           "print(string.format('%5.2f %g %s', math.random(), 1e15 / 7, {}))\n"
           "map:rough_circle('t_pit', 8, 8, 6) map:place_items('g', 40, 1, 1, 9, 9)\n";
}
