/* A network here is a connection whose crossings of edges are planned before overmaps are made.
 * Roads are always a network; railroads and subways are networks if the world asks for them and
 * the content has them. */
#pragma once

#include "portolan/types.h"

enum { NETWORKS_MAX = 3 };

typedef struct gen_network {
    /* The connection's id. The crossings of the network have this id as their kind. Borrowed
     * from the catalogue. */
    const char *kind;
    uint16_t connection; /* index into catalogue.connections */
    int8_t z;
    /* The chances of 0, 1 and 2 crossings on an edge, in percent; their sum is 100. */
    uint8_t chances[3];
    bool cities; /* the connection links cities */
} gen_network;
