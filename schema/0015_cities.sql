-- Cities that the content places itself.

-- Objects of type city: where there is one, the content's worlds have these cities and no others.
CREATE TABLE fixed_city (
    id TEXT NOT NULL,
    database_id INTEGER NOT NULL,
    name TEXT NOT NULL,
    population INTEGER NOT NULL,
    overmap_x INTEGER NOT NULL, -- the overmap, and the centre in it
    overmap_y INTEGER NOT NULL,
    x INTEGER NOT NULL,
    y INTEGER NOT NULL,
    size INTEGER NOT NULL,
    pack INTEGER NOT NULL,
    file TEXT NOT NULL,
    line INTEGER NOT NULL,
    CONSTRAINT fixed_city_pk PRIMARY KEY (id)
) WITHOUT ROWID;
