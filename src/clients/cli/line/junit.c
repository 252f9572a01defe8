/* JUnit reports: see junit.h. */
#include "clients/cli/line/junit.h"
#include "clients/cli/line/output.h"
#include "os/clock.h"

#include <string.h>

/* Is the present test case's first tag still open, because it has no result yet? */
static bool is_open;

void junit_begin(const char *suite, size_t tests, size_t failures, size_t skipped)
{
    char when[32];
    clock_now(when);
    when[strcspn(when, "Z")] = '\0'; /* the format has no time zone; the time is UTC */
    out_text("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n");
    out_printf("  <testsuite name=\"%s\" tests=\"%zu\" failures=\"%zu\" "
               "errors=\"0\" skipped=\"%zu\" time=\"0\" timestamp=\"%s\" "
               "hostname=\"localhost\">\n",
               suite, tests, failures, skipped, when);
}

void junit_end(void)
{
    out_text("  </testsuite>\n</testsuites>\n");
}

void junit_properties_begin(void)
{
    out_text("    <properties>\n");
}

void junit_property(const char *name, const char *value)
{
    out_text("      <property name=\"");
    out_xml_text(name);
    out_text("\" value=\"");
    out_xml_text(value);
    out_text("\"/>\n");
}

void junit_properties_end(void)
{
    out_text("    </properties>\n");
}

void junit_case_begin(const char *classname, const char *name)
{
    out_text("    <testcase classname=\"");
    out_xml_text(classname);
    out_text("\" name=\"");
    out_xml_text(name);
    out_text("\" time=\"0\"");
    is_open = true;
}

void junit_case_end(void)
{
    out_text(is_open ? "/>\n" : "    </testcase>\n");
}

/* Ends the start tag of the element `testcase`, and begins the element of its result. */
static void result_begin(const char *tag)
{
    out_text(">\n      ");
    out_text(tag);
    is_open = false;
}

void junit_skipped(const char *message)
{
    result_begin("<skipped");
    if (*message) {
        out_text(" message=\"");
        out_xml_text(message);
        out_text("\"");
    }
    out_text("/>\n");
}

void junit_failure_begin(const char *type, const char *message)
{
    result_begin("<failure type=\"");
    out_xml_text(type);
    out_text("\" message=\"");
    out_xml_text(message);
    out_text("\">");
}

void junit_failure_end(void)
{
    out_text("</failure>\n");
}

void junit_output_begin(void)
{
    result_begin("<system-out>");
}

void junit_output_end(void)
{
    out_text("</system-out>\n");
}
