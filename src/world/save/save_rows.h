/* Stores notes, marks and facts of a save inside a transaction that is already open. */
#pragma once

#include "portolan/save.h"

/* Writes the notes, marks and facts of the save, but no edits, inside the caller's transaction,
 * and counts them in the report. The save stays as it is. */
ptl_status save_rows_write(ptl_save *save, ptl_save_report *report, ptl_error *err);
