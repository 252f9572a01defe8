/*
 * Prints a JUnit report on standard output, for continuous integration. Its elements and
 * attributes are those that the common schemas (Jenkins, Maven's Surefire, Ant) agree on. The
 * report has one suite:
 *
 *     junit_begin, junit_properties_begin, junit_property ..., junit_properties_end,
 *     for each test: junit_case_begin, at most one of the results, junit_case_end,
 *     junit_end
 *
 * A test passes if it has no result or only an output. Texts may be of any origin.
 */
#pragma once

#include <stddef.h>

void junit_begin(const char *suite, size_t tests, size_t failures, size_t skipped);
void junit_end(void);

void junit_properties_begin(void);
void junit_property(const char *name, const char *value);
void junit_properties_end(void);

void junit_case_begin(const char *classname, const char *name);
void junit_case_end(void);

/* Print the result of a test case: skipped, failed, or passed with an output. Between the two
 * calls for a failure or an output, the caller prints its text by out_xml_text. `message` says
 * why a case is skipped; "": nothing is said. */
void junit_skipped(const char *message);
void junit_failure_begin(const char *type, const char *message);
void junit_failure_end(void);
void junit_output_begin(void);
void junit_output_end(void);
