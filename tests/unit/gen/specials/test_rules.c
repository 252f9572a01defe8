/* The two rules: suite and main. */
#include "support/suite.h"
#include "unit/gen/specials/rules_scene.h"

int main(void)
{
    Suite *suite = suite_create("rules");
    suite_add_tcase(suite, rules_quota_case());
    suite_add_tcase(suite, rules_sectors_case());
    suite_add_tcase(suite, rules_unique_case());
    suite_add_tcase(suite, rules_moves_case());
    suite_add_tcase(suite, rules_equal_case());
    suite_add_tcase(suite, rules_search_case());
    return suite_run(suite);
}
