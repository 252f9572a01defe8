set(content_modules core gen store content)
portolan_test(test_content_source
    SOURCES test_content_source.c test_content_scan.c MODULES ${content_modules})
portolan_test(test_import
    SOURCES test_import.c test_import_cases.c test_import_files.c test_import_store.c
            test_import_real.c content_fixture.c
    MODULES ${content_modules})
foreach(name test_content_specials test_content_special_mistakes
        test_content_special_property test_content_special_check test_content_documents)
    if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/${name}.c)
        portolan_test(${name} SOURCES ${name}.c MODULES ${content_modules})
    endif()
endforeach()
portolan_test(test_content_terrain
    SOURCES test_content_terrain.c test_content_definitions.c test_content_messages.c
            test_content_region.c definition_fixture.c content_fixture.c
    MODULES ${content_modules})
portolan_test(test_catalogue
    SOURCES test_catalogue.c test_catalogue_check.c test_catalogue_check_special.c
            test_catalogue_damage.c test_catalogue_damage_specials.c test_catalogue_features.c
            test_catalogue_mutable.c test_catalogue_real.c test_catalogue_tables.c
            definition_fixture.c content_fixture.c
    MODULES ${content_modules})
portolan_test(test_json_value SOURCES test_json_value.c MODULES ${content_modules})
target_include_directories(test_json_value PRIVATE ${PROJECT_SOURCE_DIR}/tests/support)
