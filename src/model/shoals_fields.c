#include "model/shoals_fields.h"

enum { ALL = 100 /* percent */ };

const cat_shoals shoals_initial = {
    .islands_min = 0, .islands_max = 4, .cliffs = 10, .plants = 20};

const shoals_field shoals_fields[SHOALS_FIELDS] = {
    {"cliffs", offsetof(cat_shoals, cliffs), 0, ALL},
    {"plants", offsetof(cat_shoals, plants), 0, ALL},
};
