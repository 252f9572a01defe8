/*
 * The codes of all remarks on content: of the import (content/), and of the mapgen compiler
 * (mapgen/compile/), whose codes begin with MG. A code stands for a kind of remark, and its
 * meaning never changes; a code that is no longer used is not used again. schema/checks.md says
 * of each what it means, what the games do and an example; a test compares that page with this
 * list.
 */
#pragma once

#include "portolan/import.h"

/* Calls X(code, severity, title) for each code, sorted by code. Severity: the usual one, ERROR,
 * WARNING or NOTE; some kinds are an error for one game and a warning for others. */
/* clang-format off */
#define REMARK_CODES(X) \
    X(CN101, WARNING, "a connection of terrain that is not LINEAR") \
    X(CN102, ERROR, "a connection that no ground lets be drawn") \
    X(CN103, WARNING, "a location that no terrain satisfies") \
    X(CT101, ERROR, "a value of the wrong type or form") \
    X(CT102, ERROR, "a key is missing") \
    X(CT103, ERROR, "a number is out of its range") \
    X(CT104, ERROR, "an id that nothing defines") \
    X(CT105, ERROR, "a word that is none of the known ones") \
    X(CT106, WARNING, "an id is defined twice in a pack") \
    X(CT107, ERROR, "copy-from names nothing that is defined") \
    X(CT108, ERROR, "definitions name each other in a circle") \
    X(CT109, ERROR, "a definition without a usable id") \
    X(CT110, ERROR, "extend, delete, relative or proportional do not fit") \
    X(CT111, ERROR, "more of something than Portolan takes") \
    X(CT112, ERROR, "an interval is reversed, and the game refuses it") \
    X(CT113, WARNING, "an interval is reversed") \
    X(CT114, WARNING, "another value is taken than the one that stands there") \
    X(CT115, WARNING, "an id that nothing defines, where that has no effect") \
    X(CT116, WARNING, "a member that does nothing") \
    X(CT117, NOTE, "too many unknown ids to suggest others") \
    X(FI101, ERROR, "a file or folder that can't be read") \
    X(FI102, ERROR, "a folder without JSON files") \
    X(FI103, ERROR, "more files, bytes or folders than Portolan takes") \
    X(FI104, WARNING, "a symbolic link, which is not read") \
    X(JS101, ERROR, "text that is not JSON") \
    X(JS102, WARNING, "JSON that not all games read") \
    X(JS103, WARNING, "a key stands twice in an object") \
    X(JS104, ERROR, "JSON that is deeper or longer than Portolan takes") \
    X(JS105, ERROR, "something that is no object with a type") \
    X(MG001, ERROR, "an entry without a key that says what it is for") \
    X(MG002, ERROR, "a method that no mapgen has") \
    X(MG003, ERROR, "an entry without its object or script") \
    X(MG004, ERROR, "a member of the wrong type") \
    X(MG005, WARNING, "an unknown member or flag") \
    X(MG007, WARNING, "a weight that is no whole number above 0") \
    X(MG008, ERROR, "om_terrain of a wrong form") \
    X(MG009, ERROR, "nothing that makes the ground") \
    X(MG010, ERROR, "mapgensize is wrong, missing, or where it does not belong") \
    X(MG011, WARNING, "a number among alternatives") \
    X(MG012, WARNING, "two flags exclude each other") \
    X(MG013, ERROR, "a script that can't be used") \
    X(MG101, ERROR, "too few rows or columns") \
    X(MG102, WARNING, "too many rows or columns") \
    X(MG103, ERROR, "a key that is not one character") \
    X(MG105, WARNING, "a character without terrain, over no ground") \
    X(MG106, WARNING, "a character that means nothing") \
    X(MG201, ERROR, "coordinates are missing or wrong") \
    X(MG202, WARNING, "a piece outside of its drawing") \
    X(MG203, WARNING, "a range across the border of a map") \
    X(MG204, WARNING, "a range is reversed") \
    X(MG205, WARNING, "a number is out of its range") \
    X(MG208, ERROR, "an operation of set that is not whole") \
    X(MG301, WARNING, "an id that nothing defines") \
    X(MG303, WARNING, "a key that is no overmap terrain") \
    X(MG304, WARNING, "a sign or graffiti without text") \
    X(MG305, WARNING, "loot with both or neither of group and item") \
    X(MG306, WARNING, "a fuel that no pump has") \
    X(MG307, WARNING, "a palette, chunk or group that contains itself") \
    X(MG308, WARNING, "a parameter that is not defined") \
    X(MG309, WARNING, "a parameter of another type than is needed") \
    X(MG310, NOTE, "something known that Portolan does not carry out") \
    X(MG311, WARNING, "a switch lacks a case") \
    X(MG312, WARNING, "a terrain without mapgen") \
    X(MG313, WARNING, "a predecessor without its direction") \
    X(MG314, WARNING, "a parameter without fallback") \
    X(MG401, WARNING, "a part of a generator that no game knows") \
    X(MG402, WARNING, "a number of a generator's part is out of its range") \
    X(MG403, WARNING, "a scope that a generator's part can't have") \
    X(MG501, WARNING, "a part of a nested chunk lies outside of the map") \
    X(MG502, WARNING, "an item or monster in a wall") \
    X(MG503, WARNING, "a door that leads nowhere") \
    X(MG504, WARNING, "a room that can't be reached") \
    X(MG505, WARNING, "stairs that do not meet") \
    X(MG506, NOTE, "a character that is explained and never used") \
    X(MG507, WARNING, "an entry that no weight draws") \
    X(MI101, WARNING, "a migration that does not lead to a new id") \
    X(MI102, WARNING, "two tuples of rotatable symbols share a character") \
    X(MI103, WARNING, "two fixed cities at one place") \
    X(MI104, WARNING, "overmaps that are made already are not read") \
    X(MU101, ERROR, "a join, piece or shared number that the special does not define") \
    X(MU102, ERROR, "joins that contradict each other") \
    X(MU103, WARNING, "a rule that is never used") \
    X(MU104, WARNING, "a piece that no rule places") \
    X(MU105, WARNING, "a join of the root that no rule can close") \
    X(MU106, WARNING, "a growth that may not end") \
    X(MU107, WARNING, "a join or check leads where no region has ground") \
    X(MU108, WARNING, "a rule without max and weight") \
    X(MU109, ERROR, "a rule that places no piece, or pieces that do not fit") \
    X(PK101, ERROR, "a mod that the game does not have") \
    X(PK102, ERROR, "a mod whose base is not given") \
    X(PK103, ERROR, "a modinfo.json that is wrong") \
    X(PK104, ERROR, "a mod is given twice") \
    X(PK105, ERROR, "mods depend on each other") \
    X(PK106, ERROR, "a folder that is no game's, or no save's") \
    X(PK107, WARNING, "a mod that the game has no longer") \
    X(PK108, WARNING, "a folder of mods that is not a mod") \
    X(PK109, NOTE, "what the game was taken for") \
    X(RG101, WARNING, "the default region lacks a setting") \
    X(RG102, WARNING, "a list names what can't be taken from it") \
    X(SP101, WARNING, "a special that is larger than an overmap") \
    X(SP102, WARNING, "a special that finds no ground") \
    X(SP103, WARNING, "a special that is never asked for") \
    X(SP104, WARNING, "a special that asks for a city that can't be") \
    X(SP105, WARNING, "a special's connection that can't be drawn as stated") \
    X(SP106, WARNING, "existing has no meaning in a mutable special") \
    X(SP107, ERROR, "a point stands twice in a special") \
    X(SP108, WARNING, "a nested special that is never placed") \
    X(SP109, WARNING, "flags that exclude each other or mean nothing") \
    X(SP110, WARNING, "a condition that only play can tell") \
    X(SP111, NOTE, "specials on terrain that their locations do not name") \
    X(SP112, ERROR, "a terrain without its direction") \
    X(TR101, ERROR, "two terrains make the same concrete terrain") \
    X(TR102, ERROR, "NO_ROTATE and LINEAR exclude each other") \
    X(TR103, WARNING, "a flag of terrains that DDA refuses") \
    X(TR104, WARNING, "a see_cost that DDA refuses")
/* clang-format on */

#define REMARK_CODE(code, severity, title) code,
typedef enum remark_code { REMARK_CODES(REMARK_CODE) REMARK_CODE_COUNT } remark_code;
#undef REMARK_CODE

/* Returns "MG301" and so on. */
const char *remark_code_name(remark_code code);
ptl_severity remark_code_severity(remark_code code);
