portolan_test(test_render SOURCES test_render.c test_render_picture.c MODULES core render)
