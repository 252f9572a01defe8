portolan_test(test_render
    SOURCES test_render.c test_render_captions.c test_render_fake.c test_render_layout.c test_render_letters.c
            test_render_picture.c test_render_text.c
    MODULES core render LINK PkgConfig::PORTOLAN_PNG)
