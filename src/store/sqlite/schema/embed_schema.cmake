# Writes a C file that holds the migrations as byte arrays (string literals would pass C's
# limit of 4,095 bytes). Run as: cmake -DOUTPUT=file.c -DDIRECTORY=schema -P embed_schema.cmake
file(GLOB files ${DIRECTORY}/[0-9][0-9][0-9][0-9]_*.sql)
list(SORT files)
set(arrays "")
set(table "")
foreach(file IN LISTS files)
    get_filename_component(name ${file} NAME_WE)
    string(SUBSTRING ${name} 0 4 number)
    string(REGEX REPLACE "^0+" "" plain ${number})
    file(READ ${file} hex HEX)
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," array "${hex}")
    string(REGEX REPLACE "(................................................................................)" "\\1\n" array "${array}")
    string(APPEND arrays "static const unsigned char sql_${number}[] = {\n${array}0};\n")
    string(APPEND table "    {${plain}, \"${name}\", (const char *)sql_${number}},\n")
endforeach()
set(text "/* Made from the migrations in schema/ by embed_schema.cmake. */
#include \"store/sqlite/schema/migrations.h\"

${arrays}
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
