/*
 * Compressed files of today's saves: what is written as the games do is read, the last text of
 * a name counts, and whatever is cut, turned over or claimed, an error is all that comes of it.
 */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "codec/zzip.h"
#include "support/suite.h"

#include "core/hash.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zstd.h>

enum { MOST = 1 << 20, DICTIONARY_SIZE = 4000, SEED = 0x1337c0de };

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
    const uint64_t place[2] = {index, xxh64(NULL, 0, SEED)};
    bytes_clear(&file);
    skippable(15, place, sizeof place);
}

/* Appends the index that was promised, with its checksum in front. */
static void finish(const char *index)
{
    const size_t size = strlen(index);
    bytes_put(&file, index, size);
    bytes_store_u64(file.data + 16, xxh64(index, size, SEED));
}

static void put(const char *name, const char *content, bool use_dictionary)
{
    const uint64_t unknown = 0;
    const size_t size = strlen(content), room = ZSTD_compressBound(size);
    ZSTD_CCtx *context = ZSTD_createCCtx();
    ck_assert(context && bytes_reserve(&file, room + 100));
    skippable(0, name, (uint32_t)strlen(name));
    skippable(1, &unknown, sizeof unknown);
    uint8_t *sum = file.data + file.size - sizeof unknown;
    const size_t code = ZSTD_compress_usingDict(context, file.data + file.size, room, content,
                                                size, use_dictionary ? dictionary : NULL,
                                                use_dictionary ? DICTIONARY_SIZE : 0, 3);
    ck_assert(!ZSTD_isError(code));
    bytes_store_u64(sum, xxh64(file.data + file.size, code, SEED));
    file.size += code;
    ZSTD_freeCCtx(context);
}

static ptl_status take(zzip *z, const char *name)
{
    bytes_clear(&text);
    memset(&err, 0, sizeof err);
    return zzip_read(z, &text, file.data, file.size, name, MOST, &err);
}

START_TEST(last_text_counts)
{
    begin(9);
    put("o.1.1", "first", false);
    put("o.2.1", "another", false);
    put("o.1.1", "", false);
    put("o.1.1", "last [\"forest_thick\",12]", true);
    bytes_put(&file, "\0\0\0\0\0\0\0\0\0\0\0\0", 12);
    finish("the index");
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
    const uint64_t sum = xxh64(large, sizeof large, SEED);
    skippable(0, "o.0.0", 5);
    skippable(1, &sum, sizeof sum);
    bytes_put(&file, large, sizeof large);
    ck_assert_int_eq(take(plain, "o.0.0"), PTL_ERR_LIMIT);
}
END_TEST

/* Cut anywhere, or with one byte turned over: an error, or, where names are, another entry. */
START_TEST(damage)
{
    char content[3000];
    for (size_t i = 0; i + 1 < sizeof content; i++)
        content[i] = (char)('a' + hash_mix(i) % 7);
    content[sizeof content - 1] = '\0';
    begin(4);
    put("o.3.-4", content, true);
    finish("tail");
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
        /* The checksum of a text is before it, and only what is asked for is looked at. */
        ck_assert(status != PTL_OK);
        file.data[i] = (uint8_t)(turned ^ (uint8_t)(1 + hash_mix(i) % 255));
    }
    ck_assert_int_eq(take(with, "o.3.-4"), PTL_OK);
    ck_assert_str_eq((const char *)text.data, content);
}
END_TEST

/* By the specification's own sanity checks: a buffer made by its generator, two seeds. */
START_TEST(checksums)
{
    static const struct {
        size_t size;
        uint64_t plain, seeded;
    } known[] = {{0, 0xef46db3751d8e999, 0xac75fda2929b17ef},
                 {1, 0xe934a84adb052768, 0x5014607643a9b4c3},
                 {4, 0x9136a0dca57457ee, 0xcaab286bd8e9fdb5},
                 {14, 0x8282dcc4994e35c8, 0xc3bd6bf63deb6df0},
                 {222, 0xb641ae8cb691c174, 0x20cb8ab7ae10c14a}};
    uint8_t buffer[222];
    uint64_t next = 2654435761u;
    for (size_t i = 0; i < sizeof buffer; i++) {
        buffer[i] = (uint8_t)(next >> 56);
        next *= 11400714785074694797u;
    }
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        ck_assert_uint_eq(xxh64(buffer, known[i].size, 0), known[i].plain);
        ck_assert_uint_eq(xxh64(buffer, known[i].size, 2654435761u), known[i].seeded);
    }
}
END_TEST

START_TEST(wrong_checksums)
{
    begin(3);
    put("o.0.0", "text", false);
    finish("end");
    ck_assert_int_eq(take(plain, "o.0.0"), PTL_OK);
    file.data[16] ^= 1;
    ck_assert_int_eq(take(plain, "o.0.0"), PTL_ERR_CORRUPT);
    ck_assert_ptr_nonnull(strstr(err.message, "its index differs from its checksum"));
    file.data[16] ^= 1;
    file.data[24 + 8 + 5 + 8] ^= 1;
    ck_assert_int_eq(take(plain, "o.0.0"), PTL_ERR_CORRUPT);
    ck_assert_ptr_nonnull(strstr(err.message, "a text differs from its checksum"));
    begin(0);
    skippable(0, "o.0.0", 5);
    const size_t sum = file.size;
    put("o.9.9", "text", false);
    memmove(file.data + sum, file.data + sum + 8 + 5 + 16, file.size - sum - 29);
    file.size -= 29;
    ck_assert_int_eq(take(plain, "o.0.0"), PTL_ERR_CORRUPT);
    ck_assert_ptr_nonnull(strstr(err.message, "a text has no checksum before it"));
}
END_TEST

/* With and without a dictionary, of any length; behind what is there already. */
START_TEST(written_and_read)
{
    static const char *const names[] = {"o.0.0", "o.13.2", "o.-1000000.-1000000", ""};
    char content[5000];
    for (size_t i = 0; i < sizeof content; i++)
        content[i] = (char)('a' + hash_mix(i) % 5);
    for (size_t i = 0; i < 40; i++) {
        zzip *z = i % 2 ? with : plain;
        const size_t size = i < 4 ? i : (size_t)(hash_mix(i) % sizeof content);
        bytes_clear(&file);
        ck_assert_int_eq(zzip_write(z, &file, names[i % 4], content, size, &err), PTL_OK);
        ck_assert_int_eq(take(z, names[i % 4]), PTL_OK);
        ck_assert_uint_eq(text.size, size);
        ck_assert_int_eq(memcmp(text.data, content, size), 0);
        ck_assert_int_eq(take(z, "o.7.7"), PTL_ERR_CORRUPT);
    }
    bytes_clear(&file);
    bytes_put_text(&file, "abc");
    ck_assert_int_eq(zzip_write(plain, &file, "o.1.2", "text", 4, &err), PTL_OK);
    memmove(file.data, file.data + 3, file.size -= 3);
    ck_assert_int_eq(take(plain, "o.1.2"), PTL_OK);
    ck_assert_str_eq((const char *)text.data, "text");
}
END_TEST

/* The index is the one that 0.I wrote for an entry of as many bytes, byte for byte. */
START_TEST(index_of_the_game)
{
    static const struct {
        const char *name;
        size_t length; /* of the entry's frames */
        const char *index;
        size_t size;
    } own[] = {{"o.0.0", 0x29fb2,
                "entries\0o.0.0\0offset\0len\0\2\5\r\2\0\0\0\1\0\0\0\2\0\0\0\xb2\x9f\2\0"
                "\x18\0\0\0\n\n\1+\1\1\1\x0f&meta\0content_end\0total_content_size\0\2 "
                "\x15\2\0\0\0\1\0\0\0\2\0\0\0\xca\x9f\2\0\xb2\x9f\2\0\n\n\2w?\2\1\2E\x11$"
                "&\4$\1",
                131},
               {"o.13.2", 0x31986,
                "entries\0o.13.2\0offset\0len\0\2\5\r\0\0\0\5\0\0\0\1\0\0\0\2\0\0\0\x86"
                "\x19\3\0\x18\0\0\0\n\n\1/\1\1\1\x0f&meta\0content_end\0total_content_size"
                "\0\2 \x15\2\0\0\0\1\0\0\0\2\0\0\0\x9e\x19\3\0\x86\x19\3\0\n\n\2{?\2\1\2E"
                "\x11$&\4$\1",
                135}};
    /* What can't be compressed is as long as it is, but for three bytes a block: length found.
     */
    char *content = malloc(1 << 18);
    for (size_t i = 0; i < 1 << 18; i++)
        content[i] = (char)hash_mix(i);
    for (size_t n = 0; n < 2; n++) {
        size_t size = own[n].length - 60;
        for (size_t got = 0; got != own[n].length; size += own[n].length - got) {
            bytes_clear(&file);
            ck_assert_int_eq(zzip_write(plain, &file, own[n].name, content, size, &err),
                             PTL_OK);
            got = file.size - 24 - own[n].size;
        }
        ck_assert_int_eq(memcmp(file.data + file.size - own[n].size, own[n].index, own[n].size),
                         0);
    }
    free(content);
}
END_TEST

/* Each prefix lies before a page that nobody may read: an error is told of it, and nothing
 * beyond it is looked at. */
START_TEST(every_prefix)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    begin(9);
    put("o.1.1", "first", false);
    put("o.2.1", "another", false);
    bytes_put(&file, "\0\0\0\0\0\0\0\0\0\0\0\0", 12);
    finish("the index");
    ck_assert_uint_lt(file.size, page);
    uint8_t *pages =
        mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ck_assert(pages != MAP_FAILED && mprotect(pages + page, page, PROT_NONE) == 0);
    for (size_t size = 0; size <= file.size; size++) {
        uint8_t *data = pages + page - size;
        memcpy(data, file.data, size);
        bytes_clear(&text);
        memset(&err, 0, sizeof err);
        const ptl_status status = zzip_read(plain, &text, data, size, "o.1.1", MOST, &err);
        ck_assert_msg(status == (size < file.size ? PTL_ERR_CORRUPT : PTL_OK), "%zu: %s", size,
                      err.message);
    }
    munmap(pages, 2 * page);
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
    tcase_add_test(tc, every_prefix);
    tcase_add_test(tc, checksums);
    tcase_add_test(tc, wrong_checksums);
    tcase_add_test(tc, written_and_read);
    tcase_add_test(tc, index_of_the_game);
    suite_add_tcase(suite, tc);
    return suite_run(suite);
}
