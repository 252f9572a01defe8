#include "core/settings.h"

#include <stdio.h>
#include <string.h>

/* These give the default of a setting of each kind as a number. A region's default is a text,
 * for which 0 stands here. */
#define DEFAULT_REGION(otherwise) 0
#define DEFAULT_INT(otherwise)    otherwise
#define DEFAULT_REAL(otherwise)   otherwise
#define DEFAULT_SWITCH(otherwise) otherwise
#define DEFAULT_CHOICE(otherwise) otherwise

#define SETTING(c, kind, type, name, option, otherwise, low, high, value, meaning)             \
    {#name,                                                                                    \
     option,                                                                                   \
     SETTING_##kind,                                                                           \
     offsetof(ptl_world_options, name),                                                        \
     low,                                                                                      \
     high,                                                                                     \
     DEFAULT_##kind(otherwise),                                                                \
     value},

const setting setting_rows[SETTINGS_OF_WORLDS] = {PTL_WORLD_SETTINGS(SETTING, )};

const void *setting_value(const ptl_world_options *of, const setting *s)
{
    return (const char *)of + s->offset;
}

/* Returns the size of the word at `at`. Words are separated by |. */
static size_t word_size(const char *at)
{
    return strcspn(at, "|");
}

static const char *next_word(const char *at)
{
    at += word_size(at);
    return at + (*at == '|');
}

int setting_word(const setting *s, const char *text)
{
    int number = (int)s->low;
    for (const char *at = s->words; *at; at = next_word(at), number++)
        if (strlen(text) == word_size(at) && memcmp(at, text, word_size(at)) == 0)
            return number;
    return -1;
}

const char *setting_word_at(size_t *size, const setting *s, int number)
{
    const char *at = s->words;
    for (int i = (int)s->low; i < number; i++)
        at = next_word(at);
    *size = word_size(at);
    return at;
}

/* Reads the value of any enum. That works since every enum has the size of an int. */
static int choice_of(const void *value)
{
    int number;
    memcpy(&number, value, sizeof number);
    return number;
}

double setting_number(const ptl_world_options *of, const setting *s)
{
    const void *value = setting_value(of, s);
    return s->kind == SETTING_INT      ? *(const int32_t *)value
           : s->kind == SETTING_REAL   ? *(const double *)value
           : s->kind == SETTING_SWITCH ? *(const bool *)value
           : s->kind == SETTING_CHOICE ? choice_of(value)
                                       : 0;
}

void setting_set_number(ptl_world_options *of, const setting *s, double number)
{
    void *value = (char *)of + s->offset;
    const int whole = number > INT32_MIN && number < INT32_MAX ? (int)number : 0;
    if (s->kind == SETTING_REAL)
        *(double *)value = number;
    else if (s->kind == SETTING_INT)
        *(int32_t *)value = whole;
    else
        memcpy(value, &whole, sizeof whole);
}

void setting_set_switch(ptl_world_options *of, const setting *s, bool on)
{
    *(bool *)((char *)of + s->offset) = on;
}

const char *setting_text(char out[SETTING_TEXT_SIZE], const ptl_world_options *of,
                         const setting *s)
{
    const double number = setting_number(of, s);
    size_t size = 0;
    if (s->kind == SETTING_REGION) {
        const char *const *id = setting_value(of, s);
        snprintf(out, SETTING_TEXT_SIZE, "%s", *id ? *id : "");
    } else if (s->kind == SETTING_SWITCH) {
        snprintf(out, SETTING_TEXT_SIZE, "%s", number > 0 ? "yes" : "no");
    } else if (s->kind == SETTING_CHOICE) {
        const char *word = setting_word_at(&size, s, (int)number);
        snprintf(out, SETTING_TEXT_SIZE, "%.*s", (int)size, word);
    } else {
        snprintf(out, SETTING_TEXT_SIZE, "%.9g", number);
    }
    return out;
}

bool setting_is_allowed(const ptl_world_options *of, const setting *s)
{
    const double number = setting_number(of, s), off = number - s->otherwise;
    return (number >= s->low && number <= s->high) || !(off < 0 || off > 0);
}

bool setting_is_same(const ptl_world_options *a, const ptl_world_options *b, const setting *s)
{
    if (s->kind == SETTING_REGION) {
        const char *const *x = setting_value(a, s), *const *y = setting_value(b, s);
        return strcmp(*x ? *x : "", *y ? *y : "") == 0;
    }
    const double difference = setting_number(a, s) - setting_number(b, s);
    return !(difference < 0 || difference > 0);
}
