# The JSON Schemas in conformance/, byte for byte in a source file: the command and the library print them. There is one for each file there.
file(GLOB UVET_SCHEMAS CONFIGURE_DEPENDS conformance/*.schema.json)
list(SORT UVET_SCHEMAS)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${UVET_SCHEMAS})
set(bytes "")
set(rows "")
foreach(schema ${UVET_SCHEMAS})
	get_filename_component(name ${schema} NAME_WE)
	file(READ ${schema} digits HEX)
	string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," digits ${digits})
	string(REGEX REPLACE "((0x..,)(0x..,)(0x..,)(0x..,)(0x..,)(0x..,)(0x..,)(0x..,))" "\\1\n\t" digits ${digits})
	string(APPEND bytes "static const uint8_t of_${name}[] = {\n\t${digits}\n};\n\n")
	string(APPEND rows "\t{ \"${name}\", of_${name}, sizeof of_${name} },\n")
endforeach()
set(UVET_SCHEMA_SOURCE ${CMAKE_CURRENT_BINARY_DIR}/schemas.c)
file(CONFIGURE OUTPUT ${UVET_SCHEMA_SOURCE} @ONLY CONTENT
"/* The JSON Schemas in conformance/, written by cmake/schemas.cmake. */
#include \"report/schemas.h\"

${bytes}const struct schema schemas[] = {
${rows}\t{ NULL, NULL, 0 },
};
")
