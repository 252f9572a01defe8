/* The importer from outside: ptl_import over folders of files. */
#include "unit/content/content_fixture.h"

#include <stdlib.h>

int main(void)
{
    SRunner *runner = srunner_create(cases_suite());
    srunner_add_suite(runner, files_suite());
    srunner_add_suite(runner, store_suite());
    srunner_add_suite(runner, real_suite());
    srunner_add_suite(runner, sources_suite());
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
