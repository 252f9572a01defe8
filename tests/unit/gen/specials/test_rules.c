/* The two rules: suite and main. */
#include "unit/gen/specials/rules_scene.h"

#include <stdlib.h>

int main(void)
{
    Suite *suite = suite_create("rules");
    suite_add_tcase(suite, rules_quota_case());
    suite_add_tcase(suite, rules_sectors_case());
    suite_add_tcase(suite, rules_unique_case());
    suite_add_tcase(suite, rules_moves_case());
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
