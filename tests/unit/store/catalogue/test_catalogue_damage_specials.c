/* Known damage of the tables that specials are compiled from, beside that of their tiles. */
#include "unit/store/catalogue/test_catalogue.h"

#include <string.h>

#define CORRUPT(sql, message)                                                                  \
    {                                                                                          \
        sql, message, PTL_ERR_CORRUPT                                                          \
    }

static const damage_case of_specials[] = {
    CORRUPT("UPDATE overmap_special SET kind = 'x' WHERE id = 'inn'", "wrong kind of special"),
    CORRUPT("UPDATE overmap_special SET subtype = 'x' WHERE id = 'inn'", "wrong kind"),
    CORRUPT("UPDATE overmap_special SET subtype = 'mutable' WHERE id = 'inn'", "has a root"),
    CORRUPT("UPDATE overmap_special SET root = NULL WHERE id = 'hill'", "has a root"),
    CORRUPT("UPDATE overmap_special SET root = 'x' WHERE id = 'hill'", "no root in special"),
    CORRUPT("UPDATE overmap_special SET priority = 1 << 40", "out of range of 'camp'"),
    CORRUPT("UPDATE overmap_special SET occurrences_max = 1 << 31", "out of range of"),
    CORRUPT("UPDATE overmap_special SET occurrences_min = -1 << 40", "out of range of"),
    CORRUPT("UPDATE overmap_special SET city_distance_max = 2 WHERE id = 'inn'",
            "out of range of 'inn'"),
    CORRUPT("UPDATE overmap_special SET city_sizes_max = -1 WHERE id = 'inn'", "of 'inn'"),
    CORRUPT("UPDATE overmap_special SET spawn_radius_min = -1 WHERE id = 'inn'", "of 'inn'"),
    CORRUPT("UPDATE overmap_special SET spawn_population_max = NULL WHERE id = 'inn'",
            "of 'inn'"),
    CORRUPT("UPDATE special_connection SET connection = 'x' WHERE special = 'inn'",
            "no such connection 'x'"),
    CORRUPT("UPDATE special_connection SET terrain = 'x' WHERE special = 'inn'",
            "connection's point 'x'"),
    CORRUPT("UPDATE special_connection SET direction = 4 WHERE special = 'inn'", "of 'inn'"),
    CORRUPT("UPDATE special_connection SET direction = -1 WHERE special = 'inn'", "of 'inn'"),
    CORRUPT("UPDATE special_connection SET x = 180 WHERE special = 'hill'", "of 'hill'"),
    CORRUPT("UPDATE special_connection SET z = -21 WHERE special = 'inn'", "of 'inn'"),
    CORRUPT("UPDATE special_connection SET special = 'x' WHERE special = 'inn'",
            "no such special 'x'"),
    CORRUPT("UPDATE special_nested SET nested = 'x'", "no such special 'x'"),
    CORRUPT("UPDATE special_nested SET special = 'x' WHERE nested = 'shed'",
            "no such special 'x'"),
    CORRUPT("UPDATE special_nested SET nested = special", "circle through 'hill'"),
    CORRUPT("UPDATE special_nested SET nested = 'inn' WHERE special = 'hill'",
            "circle through"),
    CORRUPT("INSERT INTO special_nested VALUES ('shed', 0, 0, 0, 0, 'inn')", "circle through"),
    CORRUPT("UPDATE special_nested SET y = -180", "of 'hill'"),
    {"WITH RECURSIVE n(i) AS (SELECT 5 UNION ALL SELECT i + 1 FROM n WHERE i < 1004) INSERT "
     "INTO"
     " special_nested SELECT 'inn', i, 0, 0, 0, 'shed' FROM n",
     "more than 1000 specials are nested in special 'inn'", PTL_ERR_LIMIT},
    CORRUPT("UPDATE region_feature_flag SET region = 'x'", "unknown region 'x'"),
    CORRUPT("UPDATE region_feature_flag SET list = 'x'", "unknown list"),
};

static const damage_case of_layouts[] = {
    CORRUPT("INSERT INTO special_join VALUES ('inn', 0, 'a', 'a')", "not mutable: 'inn'"),
    CORRUPT("INSERT INTO special_join VALUES ('x', 0, 'a', 'a')", "no such special 'x'"),
    CORRUPT("UPDATE special_join SET opposite = 'x' WHERE \"join\" = 'up'",
            "unknown opposite join 'x'"),
    CORRUPT("UPDATE special_join SET opposite = 'own' WHERE \"join\" = 'up'",
            "does not name join"),
    CORRUPT("UPDATE special_join SET \"join\" = CAST(x'757000' AS TEXT) WHERE position = 0",
            "a join is there twice in special 'hill'"),
    CORRUPT("WITH RECURSIVE n(i) AS (SELECT 5 UNION ALL SELECT i + 1 FROM n WHERE i < 1004)"
            " INSERT INTO special_join SELECT 'hill', i, 'j' || i, 'j' || i FROM n",
            "too many joins of special 'hill'"),
    CORRUPT("UPDATE special_join_location SET \"join\" = 'x'", "unknown join 'x'"),
    CORRUPT("UPDATE special_join_location SET location = 'x'", "no such location 'x'"),
    CORRUPT("UPDATE special_piece SET oter = 'house'", "terrain of a special 'house'"),
    CORRUPT("UPDATE special_piece SET special = 'shed' WHERE piece = 'base'", "not mutable"),
    CORRUPT("DELETE FROM special_piece", "unknown piece"),
    CORRUPT("WITH RECURSIVE n(i) AS (SELECT 5 UNION ALL SELECT i + 1 FROM n WHERE i < 1004)"
            " INSERT INTO special_piece SELECT 'hill', 'p' || i, i, 'field' FROM n",
            "too many pieces of special 'hill'"),
    CORRUPT("UPDATE special_piece_location SET piece = 'x'", "unknown piece 'x'"),
    CORRUPT("UPDATE special_piece_location SET location = 'x'", "no such location 'x'"),
    CORRUPT("UPDATE special_piece_side SET piece = 'x'", "unknown piece 'x'"),
    CORRUPT("UPDATE special_piece_side SET side = 'up' WHERE piece = 'base'", "unknown side"),
    CORRUPT("UPDATE special_piece_side SET \"join\" = 'x'", "unknown join 'x'"),
    CORRUPT("UPDATE special_piece_side SET type = 'x'", "wrong type of join 'x'"),
    CORRUPT("UPDATE special_piece_alternative SET \"join\" = 'x'", "unknown join 'x'"),
    CORRUPT("UPDATE special_piece_alternative SET side = 'west'", "wrong alternatives"),
    CORRUPT("UPDATE special_piece_alternative SET piece = 'x'", "unknown piece 'x'"),
    CORRUPT("UPDATE special_piece_connection SET connection = 'x'", "no such connection 'x'"),
    CORRUPT("UPDATE special_piece_connection SET side = 'x'", "unknown side of a piece 'x'"),
    CORRUPT("UPDATE special_check SET x0 = -180", "out of range of 'hill'"),
    CORRUPT("UPDATE special_check SET z1 = 21", "out of range of 'hill'"),
    CORRUPT("UPDATE special_check SET y0 = 2, y1 = 1", "out of range of 'hill'"),
    CORRUPT("UPDATE special_check SET special = 'inn'", "no check of special 'hill'"),
    CORRUPT("UPDATE special_check_location SET \"check\" = 9 WHERE \"check\" = 0",
            "no check of special 'hill'"),
    CORRUPT("UPDATE special_check_location SET location = 'x'", "no such location 'x'"),
};

static const damage_case of_growth[] = {
    CORRUPT("UPDATE special_shared SET kind = 'unlimited'", "unlimited shared number"),
    CORRUPT("UPDATE special_shared SET kind = 'x'", "wrong kind of amount of 'hill'"),
    CORRUPT("UPDATE special_shared SET low = -1 WHERE name = 'a'", "out of range of 'hill'"),
    CORRUPT("UPDATE special_shared SET high = NULL WHERE name = 'a'", "out of range"),
    CORRUPT("UPDATE special_shared SET mean = -0.5 WHERE name = 'b'", "out of range"),
    CORRUPT("UPDATE special_shared SET mean = 9e999 WHERE name = 'b'", "out of range"),
    CORRUPT("UPDATE special_shared SET mean = 9e999 - 9e999 WHERE name = 'b'", "out of range"),
    CORRUPT("UPDATE special_shared SET mean = 1000001 WHERE name = 'b'", "out of range"),
    CORRUPT("UPDATE special_shared SET special = 'shed'", "not mutable: 'shed'"),
    CORRUPT("UPDATE special_phase_rule SET special = 'shed'", "not mutable: 'shed'"),
    CORRUPT("UPDATE special_phase_rule SET weight = -2 WHERE phase = 0", "out of range"),
    CORRUPT("UPDATE special_phase_rule SET max_kind = 'x'", "wrong kind of amount"),
    CORRUPT("UPDATE special_phase_rule SET max_high = 1 << 31 WHERE phase = 2", "out of range"),
    CORRUPT("UPDATE special_phase_rule SET scale = 'x'", "unknown shared number 'x'"),
    CORRUPT("UPDATE special_phase_rule SET \"join\" = 'x'", "unknown join of a rule 'x'"),
    CORRUPT("UPDATE special_phase_rule SET z_kind = 'x'", "wrong z of a rule of 'hill'"),
    CORRUPT("UPDATE special_phase_rule SET z_top = NULL", "wrong z of a rule of 'hill'"),
    CORRUPT("UPDATE special_phase_rule SET z_top = 21", "out of range"),
    CORRUPT("UPDATE special_phase_rule SET z_low = NULL", "out of range"),
    CORRUPT("UPDATE special_phase_rule SET om_y = NULL", "out of range"),
    CORRUPT("UPDATE special_phase_rule SET om_x = 1 << 30 WHERE om_x NOT NULL", "out of range"),
    CORRUPT("DELETE FROM special_phase_rule_piece WHERE phase = 0 AND rule = 0",
            "a rule without pieces"),
    CORRUPT("DELETE FROM special_phase_rule_piece WHERE phase = 2", "a rule without pieces of"),
    CORRUPT("DELETE FROM special_phase_rule_piece", "a rule without pieces of 'hill'"),
    CORRUPT("DELETE FROM special_phase_rule WHERE phase = 2", "pieces of no rule"),
    CORRUPT("UPDATE special_phase_rule_piece SET phase = 7 WHERE phase = 2",
            "pieces of no rule"),
    CORRUPT("UPDATE special_phase_rule_piece SET piece = 'x'", "unknown piece of a rule 'x'"),
    CORRUPT("UPDATE special_phase_rule_piece SET rotation = 4", "out of range"),
    CORRUPT("UPDATE special_phase_rule_piece SET x = -180", "out of range"),
    CORRUPT("UPDATE special_phase_rule_piece SET z = 21", "out of range"),
    CORRUPT("UPDATE special_phase_rule_piece SET x = 0", "two pieces of a rule on one place"),
    CORRUPT("UPDATE special_phase_rule_piece SET special = 'inn'", "not mutable: 'inn'"),
};

START_TEST(specials)
{
    import_damage_content();
    try_damage(of_specials, sizeof of_specials / sizeof *of_specials);
}
END_TEST

START_TEST(layouts)
{
    import_damage_content();
    try_damage(of_layouts, sizeof of_layouts / sizeof *of_layouts);
}
END_TEST

START_TEST(growth)
{
    import_damage_content();
    try_damage(of_growth, sizeof of_growth / sizeof *of_growth);
}
END_TEST

/* Numbers that are wrong in the tables but mean nothing to a rule do no harm: no allocation
 * follows them. */
START_TEST(far_phases)
{
    import_damage_content();
    damage_sql("UPDATE special_phase_rule SET phase = 1 << 60 WHERE phase = 2");
    damage_sql("UPDATE special_phase_rule_piece SET phase = 1 << 60 WHERE phase = 2");
    catalogue *cat = load_catalogue();
    check_catalogue(cat);
    ck_assert_uint_eq(cat->specials[catalogue_special(cat, "hill")].layout->phase_count, 2);
    catalogue_free(cat);
}
END_TEST

TCase *catalogue_damaged_specials(void)
{
    TCase *c = tcase_create("damaged specials");
    tcase_add_checked_fixture(c, fixture_setup, fixture_teardown);
    tcase_set_timeout(c, 60);
    tcase_add_test(c, specials);
    tcase_add_test(c, layouts);
    tcase_add_test(c, growth);
    tcase_add_test(c, far_phases);
    return c;
}
