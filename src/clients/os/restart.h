/* Starting this program anew, in the same process. */
#pragma once

#define RESTART_VARIABLE "GLIBC_TUNABLES" /* the variable of the environment that it sets */

/*
 * Lets malloc take its memory in large pages from now on. An import touches some hundred
 * megabytes once, and a hostile query may, too; with pages of 4 kB a third of that time goes to
 * the pages. glibc takes large ones only if the environment asks for them when a program
 * starts, so this call starts the program anew with the same arguments (those of `main`). It
 * returns if that was done, if the user has settings of glibc's in the environment, or if the
 * system can't do it. `present` is what getenv returns for RESTART_VARIABLE. Call it before
 * anything is opened or printed.
 */
void restart_with_large_pages(char *const arguments[], const char *present);
