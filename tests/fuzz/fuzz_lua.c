/*
 * Scripts of content. An input is a script: it is checked, and run three times, which must say
 * and draw the same, however Lua hashes its strings that time. What it says of itself is UTF-8
 * of one line; what does not compile does not run.
 */
#include "core/utf8.h"
#include "fuzz/fuzz.h"
#include "unit/mapgen/script_fixture.h"

#include <string.h>

/* A hundredth of what a map's scripts have: an endless loop is as good after that. */
enum { STEPS = SCRIPT_STEPS / 100, RUNS = 3 };

typedef struct result {
    script_outcome outcome;
    uint64_t digest;
    uint32_t steps;
} result;

static result run(const char *text, size_t size, char message[SCRIPT_MESSAGE])
{
    script_fixture f;
    script_begin(&f, size);
    f.steps = STEPS;
    result r = {.outcome = script_text(&f, text, size)};
    r.digest = script_digest(&f);
    r.steps = f.steps;
    fuzz_check(f.steps <= STEPS, "steps are spent, not won", NULL);
    memcpy(message, f.message, SCRIPT_MESSAGE);
    script_end(&f);
    return r;
}

static void check_message(const char *message)
{
    fuzz_check(memchr(message, '\0', SCRIPT_MESSAGE) != NULL, "a message ends", NULL);
    const size_t size = strlen(message);
    for (size_t at = 0; at < size;) {
        uint32_t c;
        at += utf8_decode(message + at, size - at, &c);
        fuzz_check(c != UTF8_BAD && c >= ' ', "a message is a line of text", message);
    }
}

/* At the limit of memory, and of tables, runs may differ (schema/mapgen.md, "Lua"). */
static bool is_exact(const char *message)
{
    return !strstr(message, "memory") && !strstr(message, "tables");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char first[SCRIPT_MESSAGE], again[SCRIPT_MESSAGE];
    const char *text = size > 0 ? (const char *)data : "";
    script_fault fault;
    const script_outcome checked = script_check(text, size, &fault);
    const result r = run(text, size, first);
    check_message(first);
    check_message(fault.message);
    fuzz_check((r.outcome == SCRIPT_FAILED) == (first[0] != '\0'), "a failure has a message",
               first);
    if (checked == SCRIPT_FAILED)
        fuzz_check(r.outcome == SCRIPT_FAILED && fault.line > 0 && fault.message[0] != '\0',
                   "what does not compile does not run", fault.message);
    for (int i = 1; i < RUNS && is_exact(first); i++) {
        const result other = run(text, size, again);
        fuzz_check(other.outcome == r.outcome && other.digest == r.digest &&
                       other.steps == r.steps,
                   "a script does the same each time", again);
    }
    return 0;
}
