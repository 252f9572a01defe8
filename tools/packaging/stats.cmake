# libportolan-stats: what needs GSL (portolan/stats.h), over libportolan's public calls alone. Of
# what is inside there it has copies of its own of the sources that fill error records, read sized
# structs, know settings and let arrays grow: small ones, which hold nothing.
set(portolan_stats_sources $<TARGET_OBJECTS:ptl_stats>)
foreach(source array bytes error settings sized utf8 visible)
    list(APPEND portolan_stats_sources ${PROJECT_SOURCE_DIR}/src/core/${source}.c)
endforeach()

add_library(portolan_stats SHARED ${portolan_stats_sources})
target_link_libraries(portolan_stats PUBLIC portolan)
set_target_properties(portolan_stats PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION 0)

add_library(portolan_stats_static STATIC ${portolan_stats_sources})
target_link_libraries(portolan_stats_static PUBLIC portolan_static)

foreach(library portolan_stats portolan_stats_static)
    set_target_properties(${library} PROPERTIES C_VISIBILITY_PRESET hidden
                          OUTPUT_NAME portolan-stats)
    target_link_libraries(${library} PRIVATE PkgConfig::PORTOLAN_GSL m
                          $<BUILD_INTERFACE:portolan_settings>)
    add_library(portolan::${library} ALIAS ${library})
endforeach()
portolan_join_objects(portolan_stats_static)
