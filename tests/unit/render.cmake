portolan_test(test_render
    SOURCES render/test_render.c render/test_render_captions.c render/test_render_fake.c render/test_render_layout.c render/test_render_letters.c render/test_render_local.c render/test_render_paper.c
            render/test_render_picture.c render/test_render_text.c
    MODULES core os json model shoals tileset render LINK PkgConfig::PORTOLAN_PNG)
portolan_test(test_tileset
    SOURCES render/test_tileset.c
    MODULES core os json model catalogue tileset LINK PkgConfig::PORTOLAN_PNG)
