/* Growth of mutable specials: each rule of generation.md 9 by itself, then whole
 * specials. */
#include "unit/gen/mutable/test_growth.h"
#include "support/suite.h"

int main(void)
{
    Suite *suite = suite_create("growth");
    suite_add_tcase(suite, growth_joins_case());
    suite_add_tcase(suite, growth_rules_case());
    suite_add_tcase(suite, growth_whole_case());
    suite_add_tcase(suite, growth_random_case());
    return suite_run(suite);
}
