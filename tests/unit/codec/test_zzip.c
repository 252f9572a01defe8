/*
 * Compressed files of today's saves: what is written as the games do is read, the last text of
 * a name counts, and whatever is cut, turned over or claimed, an error is all that comes of it.
 */
#include "codec/zzip.h"

#include "core/hash.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

enum { MOST = 1 << 20, DICTIONARY_SIZE = 4000 };

static zzip *plain, *with;
static uint8_t dictionary[DICTIONARY_SIZE];
static bytes file, text;
static ptl_error err;

static void set_up(void)
{
    for (size_t i = 0; i < DICTIONARY_SIZE; i++)
        dictionary[i] = (uint8_t)("[\"forest_thick\",12]"[i % 19] + (int)(i / 1000));
    plain = zzip_new(NULL, 0);
    with = zzip_new(dictionary, DICTIONARY_SIZE);
    ck_assert(plain && with);
    bytes_init(&file);
    bytes_init(&text);
    memset(&err, 0, sizeof err);
}

static void tear_down(void)
{
    zzip_free(plain);
    zzip_free(with);
    bytes_dispose(&file);
    bytes_dispose(&text);
}

static void skippable(int number, const void *data, uint32_t size)
{
    bytes_put_u32(&file, 0x184d2a50u + (uint32_t)number);
    bytes_put_u32(&file, size);
    bytes_put(&file, data, size);
}

static void begin(uint64_t index)
{
    const uint64_t place[2] = {index, 12345};
    bytes_clear(&file);
    skippable(15, place, sizeof place);
}

static void put(const char *name, const char *content, bool use_dictionary)
{
    const uint64_t sum = 7;
    const size_t size = strlen(content), room = ZSTD_compressBound(size);
    ZSTD_CCtx *context = ZSTD_createCCtx();
    ck_assert(context && bytes_reserve(&file, room + 100));
    skippable(0, name, (uint32_t)strlen(name));
    skippable(1, &sum, sizeof sum);
    const size_t code = ZSTD_compress_usingDict(context, file.data + file.size, room, content,
                                                size, use_dictionary ? dictionary : NULL,
                                                use_dictionary ? DICTIONARY_SIZE : 0, 3);
    ck_assert(!ZSTD_isError(code));
    file.size += code;
    ZSTD_freeCCtx(context);
}

static ptl_status take(zzip *z, const char *name)
{
    bytes_clear(&text);
    return zzip_read(z, &text, file.data, file.size, name, MOST, &err);
}

START_TEST(last_text_counts)
{
    begin(9);
    put("o.1.1", "first", false);
    put("o.2.1", "another", false);
    put("o.1.1", "", false);
    put("o.1.1", "last [\"forest_thick\",12]", true);
    bytes_put(&file, "\0\0\0\0\0\0\0\0\0\0\0\0the index", 21);
    ck_assert_int_eq(take(with, "o.1.1"), PTL_OK);
    ck_assert_str_eq((const char *)text.data, "last [\"forest_thick\",12]");
    ck_assert_uint_eq(text.size, 24);
    ck_assert_int_eq(take(plain, "o.2.1"), PTL_OK);
    ck_assert_str_eq((const char *)text.data, "another");
    ck_assert_int_eq(take(plain, "o.1."), PTL_ERR_CORRUPT);
    ck_assert_ptr_nonnull(strstr(err.message, "no entry 'o.1.'"));
}
END_TEST

START_TEST(what_is_none)
{
    begin(0);
    ck_assert_int_eq(take(plain, "o.0.0"), PTL_ERR_CORRUPT); /* nothing in it */
    put("o.0.0", "text", false);
    ck_assert_int_eq(take(plain, "o.0.0"), PTL_OK);
    bytes_clear(&file);
    ck_assert_int_eq(take(plain, "o.0.0"), PTL_ERR_CORRUPT);
    bytes_put_text(&file, "# version 36\n{}");
    ck_assert_int_eq(take(plain, "o.0.0"), PTL_ERR_CORRUPT);
    bytes_clear(&file);
    put("o.0.0", "text", false); /* without the first frame */
    ck_assert_int_eq(take(plain, "o.0.0"), PTL_ERR_CORRUPT);
}
END_TEST

/* A frame says how long its text is: no more is taken, and no memory for it. */
START_TEST(claims_are_bounded)
{
    const size_t size = MOST + 1;
    char *zeros = malloc(size + 1);
    ck_assert_ptr_nonnull(zeros);
    memset(zeros, '0', size);
    zeros[size] = '\0';
    begin(0);
    put("o.0.0", zeros, false);
    ck_assert_int_eq(take(plain, "o.0.0"), PTL_ERR_LIMIT);
    zeros[MOST] = '\0';
    begin(0);
    put("o.0.0", zeros, false);
    ck_assert_int_eq(take(plain, "o.0.0"), PTL_OK);
    ck_assert_uint_eq(text.size, MOST);
    free(zeros);
    /* 2^62 bytes in eleven */
    static const uint8_t large[] = {0x28, 0xb5, 0x2f, 0xfd, 0xe0, 0, 0, 0,
                                    0,    0,    0,    0,    0x40, 1, 0, 0};
    begin(0);
    skippable(0, "o.0.0", 5);
    bytes_put(&file, large, sizeof large);
    ck_assert_int_eq(take(plain, "o.0.0"), PTL_ERR_LIMIT);
}
END_TEST

/* Cut anywhere, or with one byte turned over: never more than an error or another text. */
START_TEST(damage)
{
    char content[3000];
    for (size_t i = 0; i + 1 < sizeof content; i++)
        content[i] = (char)('a' + hash_mix(i) % 7);
    content[sizeof content - 1] = '\0';
    begin(4);
    put("o.3.-4", content, true);
    bytes_put(&file, "tail", 4);
    ck_assert_int_eq(take(with, "o.3.-4"), PTL_OK);
    const size_t whole = file.size;
    for (size_t size = 0; size < whole; size++) {
        file.size = size;
        const ptl_status status = take(with, "o.3.-4");
        ck_assert_int_eq(status, PTL_ERR_CORRUPT);
    }
    file.size = whole;
    for (size_t i = 0; i < whole; i++) {
        file.data[i] ^= (uint8_t)(1 + hash_mix(i) % 255);
        const uint8_t turned = file.data[i];
        const ptl_status status = take(with, "o.3.-4");
        ck_assert(status == PTL_OK || status == PTL_ERR_CORRUPT || status == PTL_ERR_LIMIT ||
                  status == PTL_ERR_NOT_FOUND);
        ck_assert(status != PTL_OK || text.size <= MOST);
        file.data[i] = (uint8_t)(turned ^ (uint8_t)(1 + hash_mix(i) % 255));
    }
    ck_assert_int_eq(take(with, "o.3.-4"), PTL_OK);
    ck_assert_str_eq((const char *)text.data, content);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("zzip");
    TCase *tc = tcase_create("zzip");
    tcase_add_checked_fixture(tc, set_up, tear_down);
    tcase_add_test(tc, last_text_counts);
    tcase_add_test(tc, what_is_none);
    tcase_add_test(tc, claims_are_bounded);
    tcase_add_test(tc, damage);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
