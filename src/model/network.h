/*
 * Networks: the connections that cross borders by plan. Roads always, railroads and subways if
 * the world asks for them and the content has them.
 */
#ifndef MODEL_NETWORK_H
#define MODEL_NETWORK_H

#include "portolan/types.h"

enum { NETWORKS_MAX = 3 };

typedef struct gen_network {
    const char
        *kind; /* the connection's id: the crossing's kind; borrowed from the catalogue */
    uint16_t connection; /* index into catalogue.connections */
    int8_t z;
    uint8_t chances[3]; /* of 0, 1 and 2 exits on an edge, in percent; they add up to 100 */
    bool cities;        /* cities are points of it */
} gen_network;

#endif
