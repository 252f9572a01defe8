/* portolan generate --local: local maps of areas. */
#ifndef CLI_WORLDS_GENERATE_LOCAL_H
#define CLI_WORLDS_GENERATE_LOCAL_H

#include "clients/cli/session/session.h"

/* Makes and stores local maps of these chunks and of --omt, in the session's world. */
int generate_local(session *s, const args *a, const chunk_list *chunks, int32_t jobs);

#endif
