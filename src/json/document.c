#include "json/document.h"

/* Appends the canonical text of the value that begins at d->entries[i]. Returns the index, in
 * d->entries, of what follows the value. */
static size_t put_value(bytes *out, const json_document *d, size_t i)
{
    if (!json_opens(d, i)) {
        bytes_put(out, d->text + d->entries[i].start, d->entries[i].span);
        return i + 1;
    }
    const size_t last = json_behind(d, i) - 1;
    const bool is_object = json_first(d, i) == '{';
    bool any = false;
    size_t length; /* length of the key at `at`, which is not used */
    bytes_put_u8(out, (uint8_t)json_first(d, i));
    for (size_t at = i + 1; at < last;) {
        if (is_object && json_is_comment(json_key(d, at, &length))) {
            at = json_behind(d, at + 1);
            continue;
        }
        if (any)
            bytes_put_u8(out, ',');
        any = true;
        if (is_object) {
            bytes_put(out, d->text + d->entries[at].start, d->entries[at].span);
            bytes_put_u8(out, ':');
            at++;
        }
        at = put_value(out, d, at);
    }
    bytes_put_u8(out, (uint8_t)json_first(d, last));
    return last + 1;
}

void json_canonical(bytes *out, const json_document *value)
{
    (void)put_value(out, value, 0);
}
