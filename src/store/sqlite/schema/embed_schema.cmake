# Writes a C file that holds the schema and the migrations as byte arrays (string literals would pass
# C's limit of 4,095 bytes). Run as: cmake -DOUTPUT=file.c -DSCHEMA=folder -DMIGRATIONS=folder -P
# embed_schema.cmake; in SCHEMA are the files of subjects, in MIGRATIONS those that begin with a number.
function(to_bytes out)
    set(hex "")
    foreach(file IN LISTS ARGN)
        file(READ ${file} more HEX)
        string(APPEND hex "${more}")
    endforeach()
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," array "${hex}")
    string(REGEX REPLACE "(................................................................................)" "\\1\n" array "${array}")
    set(${out} "${array}0" PARENT_SCOPE)
endfunction()

file(GLOB subjects ${SCHEMA}/[a-z]*.sql)
list(SORT subjects)
to_bytes(schema ${subjects})
file(GLOB files ${MIGRATIONS}/[0-9][0-9][0-9][0-9]_*.sql)
list(SORT files)
set(arrays "")
set(table "")
foreach(file IN LISTS files)
    get_filename_component(name ${file} NAME_WE)
    string(SUBSTRING ${name} 0 4 number)
    string(REGEX REPLACE "^0+" "" plain ${number})
    to_bytes(array ${file})
    string(APPEND arrays "static const unsigned char sql_${number}[] = {\n${array}};\n")
    string(APPEND table "    {${plain}, \"${name}\", (const char *)sql_${number}},\n")
endforeach()
set(text "/* Made from schema/ by embed_schema.cmake. */
#include \"store/sqlite/schema/migrations.h\"

static const unsigned char subjects[] = {
${schema}};
${arrays}
const char *const schema_sql = (const char *)subjects;
const migration migrations[] = {
${table}    {0, 0, 0}};
")
set(old "")
if(EXISTS ${OUTPUT})
    file(READ ${OUTPUT} old)
endif()
if(NOT old STREQUAL text)
    file(WRITE ${OUTPUT} "${text}")
else()
    file(TOUCH ${OUTPUT})
endif()
