#include "core/offsets.h"

enum { QUARTER = 90, ONE_BITS = 31 };

/* The cosines of 0 to 90 degrees, times 2^31. That is precise enough: for each radius up to 32,
 * its product with a cosine is a whole number or lies at least 1e-4 away from one. */
static const int64_t cosines[QUARTER + 1] = {
    2147483648, 2147156576, 2146175459, 2144540596, 2142252486, 2139311824, 2135719508,
    2131476631, 2126584485, 2121044561, 2114858546, 2108028325, 2100555978, 2092443781,
    2083694206, 2074309917, 2064293773, 2053648826, 2042378317, 2030485680, 2017974537,
    2004848700, 1991112166, 1976769121, 1961823932, 1946281153, 1930145517, 1913421941,
    1896115518, 1878231519, 1859775393, 1840752762, 1821169419, 1801031331, 1780344631,
    1759115620, 1737350766, 1715056699, 1692240208, 1668908244, 1645067915, 1620726483,
    1595891361, 1570570115, 1544770459, 1518500250, 1491767492, 1464580326, 1436947036,
    1408876037, 1380375881, 1351455249, 1322122951, 1292387921, 1262259218, 1231746018,
    1200857616, 1169603422, 1137992955, 1106035844, 1073741824, 1041120732, 1008182504,
    974937175,  941394869,  907565806,  873460290,  839088709,  804461534,  769589312,
    734482665,  699152288,  663608942,  627863455,  591926714,  555809667,  519523315,
    483078711,  446486956,  409759197,  372906622,  335940456,  298871959,  261712422,
    224473166,  187165532,  149800887,  112390610,  74946098,   37478757,   0};

/* Returns radius times the cosine, cut towards zero; degrees -90..359. */
static int32_t cut(int32_t radius, int32_t degrees)
{
    int32_t d = degrees < 0 ? -degrees : degrees;
    if (d > 2 * QUARTER)
        d = 4 * QUARTER - d;
    return d <= QUARTER ? (int32_t)(radius * cosines[d] >> ONE_BITS)
                        : -(int32_t)(radius * cosines[2 * QUARTER - d] >> ONE_BITS);
}

offset offset_at(int32_t radius, int32_t degrees)
{
    offset o = {cut(radius, degrees), cut(radius, degrees - QUARTER)};
    /* The exact sine of 30 and 150 degrees is 1 / 2, and the cosine of 120 degrees is -1 / 2.
     * The program whose maps are reproduced computes them as doubles that are slightly nearer
     * to 0. So with an even radius, cutting off the fraction loses a whole cell there. */
    if (radius > 0 && radius % 2 == 0) {
        o.x += degrees == 120;
        o.y -= degrees == 30 || degrees == 150;
    }
    return o;
}
