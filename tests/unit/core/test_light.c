/* Colours as amounts of light: the table is the one of sRGB, and each light has its nearest
 * byte. */
#include "core/light.h"

#include "support/suite.h"

#include <math.h>
#include <stdlib.h>

START_TEST(light_is_that_of_srgb)
{
    for (int i = 0; i < 256; i++) {
        const double c = i / 255.0,
                     wanted = c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
        ck_assert_msg(fabs(light_of((uint8_t)i) - 65535 * wanted) <= 0.5, "byte %d", i);
    }
}
END_TEST

START_TEST(byte_is_the_nearest)
{
    for (int light = 0; light <= UINT16_MAX; light++) {
        const int found = light_coded((uint16_t)light),
                  away = abs(light_of((uint8_t)found) - light);
        if (found > 0)
            ck_assert_int_le(away, abs(light_of((uint8_t)(found - 1)) - light));
        if (found < 255)
            ck_assert_int_le(away, abs(light_of((uint8_t)(found + 1)) - light));
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("light");
    TCase *cases = tcase_create("light");
    tcase_add_test(cases, light_is_that_of_srgb);
    tcase_add_test(cases, byte_is_the_nearest);
    suite_add_tcase(suite, cases);
    return suite_run(suite);
}
