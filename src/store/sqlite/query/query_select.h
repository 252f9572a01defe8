#pragma once

#include "store/store.h"

/* As query_operations.select. */
void query_select(bytes *sql, const query_selection *selection);
