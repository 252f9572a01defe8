/* portolan journal: prints or changes the journal mode of a world file, that is, how SQLite
 * makes sure that a transaction is written completely or not at all. */
#include "clients/cli/session/session.h"

static const option_spec options[] = {OPTION_WAIT, OPTIONS_END};

static int run(session *s)
{
    const char *word = s->args->operand_count > 1 ? s->args->operands[1] : NULL;
    ptl_journal_info info = PTL_JOURNAL_INFO_INIT;
    ptl_journal journal = PTL_JOURNAL_KEEP;
    if (word && strcmp(word, "truncate") == 0)
        journal = PTL_JOURNAL_TRUNCATE;
    else if (word && strcmp(word, "wal") == 0)
        journal = PTL_JOURNAL_WAL;
    else if (word)
        return usage_error(s->args, "the journal is 'truncate' or 'wal', not '%s'", word);
    NEED(session_open_journal(s, word ? PTL_OPEN_WRITE : PTL_OPEN_READ, journal));
    NEED(session_done(s, ptl_journal_info_load(&info, s->store, &s->err)));
    const bool wal = info.mode == PTL_JOURNAL_WAL;
    out_printf("journal: %s\n", wal ? "wal" : "truncate");
    if (wal)
        out_text(
            "Reading holds no writer up. The files FILE-wal and FILE-shm belong to FILE as\n"
            "long as they are there: never copy or move it without them.\n");
    if (wal && info.wal_reset_bug)
        out_printf(
            "SQLite %s can damage a WAL database when two connections write and\n"
            "checkpoint at the same moment (fixed in 3.51.3). Portolan lets only one do\n"
            "so; while it writes, no other program may write to this file.\n",
            info.sqlite_version);
    return EXIT_DONE;
}

const command journal_command = {
    .name = "journal",
    .group = GROUP_SAFE,
    .operands = "FILE [truncate|wal]",
    .summary = "Show or change how transactions reach the file.",
    .operand_help = "truncate|wal  What to change to; without it the command says which one "
                    "the file has.\n",
    .details =
        "  truncate   a rollback journal, the default. A commit waits until nobody reads,\n"
        "             and readers wait for it; several processes may write (generate\n"
        "             --shared)\n"
        "  wal        a write-ahead log. Commits are faster and readers hold nobody up;\n"
        "             one process writes; on one machine only, never on a network drive\n\n"
        "Both sync each commit to the disk. Changing it asks that nobody else has the file "
        "open.\n",
    .examples = "  portolan journal w.db\n"
                "  portolan journal w.db wal\n",
    .options = options,
    .run = run,
    .stopped = "the journal is as it was",
};
