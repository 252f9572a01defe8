#include "support/older_file.h"

#include <sqlite3.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

const char *older_file(const char *path)
{
    char name[900], sql[4096];
    const char *source = getenv("PORTOLAN_SOURCE_DIR");
    sqlite3 *db = NULL;
    snprintf(name, sizeof name, "%s/tests/files/migration/back.sql", source ? source : ".");
    FILE *file = fopen(name, "rb");
    if (!file)
        return "tests/files/migration/back.sql is not below PORTOLAN_SOURCE_DIR";
    const size_t size = fread(sql, 1, sizeof sql - 1, file);
    fclose(file);
    sql[size] = '\0';
    const bool good = sqlite3_open(path, &db) == SQLITE_OK &&
                      sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK;
    return sqlite3_close(db) == SQLITE_OK && good ? NULL : "back.sql fails";
}
