/* Scans files in threads, beside the walk over folders that finds them: for quick imports. What
 * a scan tells is kept with the file (sources.h), and told when the import comes to the file,
 * so that threads change nothing of what an import does. */
#pragma once

#include "content/import/source.h"

typedef struct scan_ahead scan_ahead;

/* Begins to scan ahead, if the import is quick and does not keep files for later imports. */
void ahead_begin(import *im);
/* Has a file scanned whose text was just read, if the import scans ahead. The text changes
 * until ahead_finish returns, and file->kept owns it from here on. */
void ahead_take(import *im, found_file *file);
/* Waits until all files are scanned, or until the import ends. */
void ahead_finish(import *im);
/* Frees the texts and what was kept of them; accepts NULL. */
void ahead_free(scan_ahead *ahead);
