portolan_test(test_content_source
    SOURCES content/test_content_source.c content/test_content_scan.c MODULES ${with_store})
portolan_test(test_import
    SOURCES content/test_import.c content/test_import_cases.c content/test_import_files.c content/test_import_store.c
            content/test_import_sources.c
            content/test_import_real.c content/content_fixture.c content/lenient_fixture.c
    MODULES ${with_store})
portolan_test(test_places SOURCES content/test_places.c content/content_fixture.c MODULES ${with_store})
portolan_test(test_content_special_mistakes
    SOURCES content/test_content_special_mistakes.c content/lenient_fixture.c content/content_fixture.c MODULES ${with_store})
foreach(name test_content_specials test_content_special_property test_content_special_check test_content_documents)
    portolan_test(${name} SOURCES content/${name}.c MODULES ${with_store})
endforeach()
portolan_test(test_content_terrain
    SOURCES content/test_content_terrain.c content/test_content_definitions.c content/test_content_messages.c
            content/test_content_region.c content/definition_fixture.c content/content_fixture.c content/lenient_fixture.c
    MODULES ${with_store})
portolan_test(test_content_migrations
    SOURCES content/test_content_migrations.c content/definition_fixture.c content/content_fixture.c
    MODULES ${with_store})
portolan_test(test_content_today
    SOURCES content/test_content_today.c content/definition_fixture.c content/content_fixture.c MODULES ${with_store})
portolan_test(test_catalogue
    SOURCES store/catalogue/test_catalogue.c store/catalogue/test_catalogue_check.c store/catalogue/test_catalogue_check_special.c
            store/catalogue/test_catalogue_damage.c store/catalogue/test_catalogue_damage_specials.c store/catalogue/test_catalogue_features.c
            store/catalogue/test_catalogue_mutable.c store/catalogue/test_catalogue_real.c store/catalogue/test_catalogue_tables.c
            content/definition_fixture.c content/content_fixture.c
    MODULES ${with_worlds})
foreach(name json_value position reader)
    portolan_test(test_${name} SOURCES json/test_${name}.c MODULES ${with_store})
endforeach()
