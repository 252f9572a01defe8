# Writes a C file that holds texts as byte arrays (string literals would pass C's limit of 4,095
# bytes), in a table of a name and a text each. Run as
#   cmake -DOUTPUT=file.c -DHEADER=cli/x.h -DTYPE=x -DTABLE=xs "-DTEXTS=name=file;..." -P this
set(arrays "")
set(rows "")
foreach(pair IN LISTS TEXTS)
    string(REGEX REPLACE "=.*" "" name "${pair}")
    string(REGEX REPLACE "^[^=]*=" "" file "${pair}")
    string(MAKE_C_IDENTIFIER "text_${name}" variable)
    file(READ ${file} hex HEX)
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," array "${hex}")
    string(REGEX REPLACE "(................................................................................)" "\\1\n" array "${array}")
    string(APPEND arrays "static const unsigned char ${variable}[] = {\n${array}0};\n")
    string(APPEND rows "    {\"${name}\", (const char *)${variable}},\n")
endforeach()
file(WRITE ${OUTPUT} "/* Made by src/clients/cli/embed_text.cmake. */
#include \"${HEADER}\"

${arrays}
const ${TYPE} ${TABLE}[] = {
${rows}    {0, 0}};
")
