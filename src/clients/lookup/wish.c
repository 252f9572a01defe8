/* Parsing and matching of search words. The comparison ignores the case of ASCII letters only,
 * so that it does not depend on the locale. */
#include "clients/lookup/wish.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

/* A word that is only a dash is searched for; it does not exclude anything. */
bool wish_parse(wish *out, const char *text)
{
    const size_t size = strlen(text);
    bool wanted = false;
    *out = (wish){.count = 0};
    if (size >= WISH_SIZE)
        return false;
    for (size_t i = 0; i < size; i++)
        out->text[i] = (char)tolower((unsigned char)text[i]);
    for (char *at = out->text; *(at += strspn(at, " ")) != '\0';) {
        char *end = at + strcspn(at, " ");
        const bool excluded = at[0] == '-' && end > at + 1;
        if (out->count == WISH_WORDS)
            return false;
        out->words[out->count].word = at + excluded;
        out->words[out->count++].excluded = excluded;
        wanted |= !excluded;
        if (*end)
            *end++ = '\0';
        at = end;
    }
    return wanted;
}

/* Does the text contain the word, which is in lower case already? */
static bool has(const char *text, const char *word)
{
    const size_t size = strlen(word);
    for (; *text; text++)
        if (strncasecmp(text, word, size) == 0)
            return true;
    return false;
}

bool wish_takes(const wish *w, const char *id, const char *name)
{
    for (size_t i = 0; i < w->count; i++) {
        const bool there = has(id, w->words[i].word) || has(name, w->words[i].word);
        if (there == w->words[i].excluded)
            return false;
    }
    return true;
}
