-- The whole schema of an rtckb file, run once into an empty database. The only DDL of the project.
--
-- Conventions: table names are singular. INTEGER PRIMARY KEYs count from 1 in source order, so that equal sources give
-- equal rows. A "key" column is a lookup key, as keys() in query/analysis/normalize.py makes it. Other texts are those
-- of the sources, unchanged. Needs SQLite 3.34 with FTS5. A reference names its column, and a remark inside a full-text
-- table names the table that it searches: Datasette and sqlite-utils read both.
--
-- Version history (PRAGMA user_version; SCHEMA_VERSION in query/integrity.py is the version that the code reads):
--   1  the first version
--   2  syllables of words; the concepts of each NIM unit; calibration (several different formats have this number)
--   3  packed posting lists for NIM similarity; folder counts; smaller segmentation, ledger and concept words; hashes
--      as bytes, and the first unit of each file
--   4  one dictionary of all names; the content hash covers the type of each value

PRAGMA application_id = 1381253963; -- 'RTCK'
PRAGMA user_version = 4;

-- One fact about the build: format version, content hash, tokenizer, dictionary hash, source commits, counts. All facts
-- are the same in two builds of equal sources.
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

-- One source file that a reader opened (the build ledger). seen = read + repaired + rejected.
CREATE TABLE source_file (
  base   TEXT NOT NULL CHECK (base IN ('trtc', 'nim')),
  path   TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('read', 'repaired', 'rejected')),
  sha256 BLOB NOT NULL,    -- empty where the file could not be read
  size   INTEGER NOT NULL, -- bytes
  units  INTEGER NOT NULL, -- number of slices, scenarios or cases in it
  first_unit INTEGER NOT NULL, -- -> nim_unit.id: the first of its cases, the others follow; 0 if there is none
  PRIMARY KEY (base, path)
) WITHOUT ROWID;

-- One finding about a source file: a repair, a rejection, a dangling reference, a note.
CREATE TABLE finding (
  id       INTEGER PRIMARY KEY,
  base     TEXT NOT NULL,
  path     TEXT NOT NULL,
  line     INTEGER NOT NULL, -- from 1; 0 for the whole file
  severity TEXT NOT NULL CHECK (severity IN ('note', 'repaired', 'error')),
  kind     TEXT NOT NULL, -- a stable word for programs, in kebab case
  detail   TEXT NOT NULL  -- a sentence for people
);

-- How often first answers of one grade were correct in an evaluation ('rtckb eval --calibrate') that was given to the
-- build.
CREATE TABLE calibration (
  command  TEXT NOT NULL CHECK (command IN ('trtc', 'nim')),
  found_by TEXT NOT NULL, -- a strategy; for NIM 'bare' (a text only) or 'fields' (options too)
  grade    TEXT NOT NULL, -- a confidence; for NIM a grade or 'nearest'
  answers  INTEGER NOT NULL CHECK (answers > 0),
  correct  INTEGER NOT NULL CHECK (correct BETWEEN 0 AND answers),
  PRIMARY KEY (command, found_by, grade)
) WITHOUT ROWID;

-- The words of every Han run in the sources, in a single row: the next build segments only text that is not in it.
CREATE TABLE segmentation (
  tokenizer TEXT PRIMARY KEY, -- name, version, settings and dictionary hash of the tokenizer
  libraries TEXT NOT NULL,    -- versions of Unicode, PyYAML and SQLite: under others, equal sources may give other bytes
  runs      BLOB NOT NULL     -- compressed
) WITHOUT ROWID;

-- ── TRTC: index.yaml, or the indexes of the later layout, and their pages ───────────────────────────────

-- One product of the base, in the order of its index.
CREATE TABLE product (
  id          INTEGER NOT NULL UNIQUE,
  product_id  TEXT PRIMARY KEY NOT NULL,
  name        TEXT NOT NULL,
  description TEXT NOT NULL,
  llms_file   TEXT NOT NULL
);

-- One slice of the base, in the order of its index.
CREATE TABLE slice (
  id          INTEGER PRIMARY KEY,
  slice_id    TEXT NOT NULL UNIQUE, -- product/ability
  product_id  TEXT NOT NULL REFERENCES product (product_id), -- not enforced: an unlisted product is a finding
  name        TEXT NOT NULL,
  description TEXT NOT NULL,
  file        TEXT NOT NULL,        -- as the index lists it
  planned     INTEGER NOT NULL CHECK (planned IN (0, 1)) -- its page is not written yet
);

-- One tag of one slice.
CREATE TABLE slice_tag (
  slice    INTEGER NOT NULL REFERENCES slice (id),
  position INTEGER NOT NULL,
  tag      TEXT NOT NULL,
  key      TEXT NOT NULL,
  origin   TEXT NOT NULL CHECK (origin IN ('index', 'name', 'page')),
           -- name: the name of the slice; page: only the front matter of a page lists the tag
  generic  INTEGER NOT NULL CHECK (generic IN (0, 1)), -- names no feature of its own (room, list, join)
  PRIMARY KEY (slice, position)
) WITHOUT ROWID;
CREATE INDEX slice_tag_key ON slice_tag (key);

-- One platform of one slice, as the index lists it; the front matter of pages does not count.
CREATE TABLE slice_platform (
  slice    INTEGER NOT NULL REFERENCES slice (id),
  platform TEXT NOT NULL,
  PRIMARY KEY (slice, platform)
) WITHOUT ROWID;

-- One Markdown page of a slice.
CREATE TABLE slice_page (
  id       INTEGER PRIMARY KEY,
  slice    INTEGER NOT NULL REFERENCES slice (id),
  platform TEXT NOT NULL,        -- '' for the overview of the product
  path     TEXT NOT NULL UNIQUE, -- knowledge-base/slices/...
  text     TEXT NOT NULL         -- the whole file
);
CREATE INDEX slice_page_slice ON slice_page (slice);

-- One slice of the base that another slice lists as related in its front matter.
CREATE TABLE slice_related (
  slice    INTEGER NOT NULL REFERENCES slice (id),
  position INTEGER NOT NULL,
  related  INTEGER NOT NULL REFERENCES slice (id),
  PRIMARY KEY (slice, position)
) WITHOUT ROWID;

-- One occurrence of an error code: a row of an error table, a keyword of an index, or a code in the prose of a page.
CREATE TABLE error_code (
  id        INTEGER PRIMARY KEY,
  slice     INTEGER NOT NULL REFERENCES slice (id),
  page      INTEGER REFERENCES slice_page (id), -- NULL if an index lists it
  code      TEXT NOT NULL, -- with its sign; symbolic codes in upper case
  magnitude TEXT NOT NULL, -- without its sign
  place     TEXT NOT NULL CHECK (place IN ('table', 'index', 'prose')),
  section   TEXT NOT NULL,    -- heading
  line      INTEGER NOT NULL, -- 0 if an index lists it
  text      TEXT NOT NULL     -- the rest of its table row or its line; the description of the slice for an index
);
CREATE INDEX error_code_magnitude ON error_code (magnitude);

-- One cross-product relation of the base.
CREATE TABLE relation (id INTEGER PRIMARY KEY, relation_id TEXT NOT NULL, description TEXT NOT NULL);

-- One product of a relation.
CREATE TABLE relation_product (
  relation INTEGER NOT NULL REFERENCES relation (id),
  product_id TEXT NOT NULL REFERENCES product (product_id),
  PRIMARY KEY (relation, product_id)
) WITHOUT ROWID;

-- One slice of a relation; ids that the base does not have are left out.
CREATE TABLE relation_slice (
  relation INTEGER NOT NULL REFERENCES relation (id),
  position INTEGER NOT NULL,
  slice    INTEGER NOT NULL REFERENCES slice (id),
  PRIMARY KEY (relation, position)
) WITHOUT ROWID;

-- One scenario of the base.
CREATE TABLE scenario (
  id          INTEGER PRIMARY KEY,
  scenario_id TEXT NOT NULL UNIQUE,
  name        TEXT NOT NULL,
  description TEXT NOT NULL,
  file        TEXT NOT NULL,
  planned     INTEGER NOT NULL CHECK (planned IN (0, 1)),
  text        TEXT NOT NULL -- its whole page
);

-- One slice of a scenario, in the order of the base's index, each once.
CREATE TABLE scenario_slice (
  scenario INTEGER NOT NULL REFERENCES scenario (id),
  position INTEGER NOT NULL,
  slice    INTEGER NOT NULL REFERENCES slice (id),
  PRIMARY KEY (scenario, position)
) WITHOUT ROWID;

-- ── From the words of a query to concepts, tags and products ───────────────────────────────────────────────────

-- One concept: a row of the specification's hint table, or an entry of the bilingual lexicon. Concepts without a tag
-- in this base are kept: by them a query about a feature that the base lacks is recognized.
CREATE TABLE concept (
  id     INTEGER PRIMARY KEY,
  name   TEXT NOT NULL,
  source TEXT NOT NULL CHECK (source IN ('hint', 'lexicon')),
  role   TEXT NOT NULL CHECK (role IN ('subject', 'context', 'case'))
  -- context: a platform, a framework or a kind of document; case: only used to find NIM cases
);

-- One meaning of one lookup key: the only table in which the words of a query are looked up. key is text without
-- case, spaces and hyphens, as keys() in query/analysis/normalize.py makes it. ref is what the key names, by kind:
--   concept       concept.id; word: the spelling of the data file, where it differs from key and --explain prints it
--   tag           slice_tag.key
--   product       product.product_id
--   stop word     '': the key carries no subject
--   common word   '': an everyday word that sounds like the name of a concept; it is not a misspelling of that name
--   nim product   nim_unit.scope; rank: position in the product table, or, if learned, the number of units
--   nim platform  nim_platform.platform
--   nim tag       the tag in its first spelling; rank: the number of units that have it
--   nim origin    '': a product or platform of some unit; here key is a whole tag in lower case
CREATE TABLE dictionary (
  key      TEXT NOT NULL,
  kind     TEXT NOT NULL,
  ref      NOT NULL, -- '' where the kind names nothing
  strength TEXT CHECK (strength IN ('evokes', 'typo', 'learned')), -- NULL: a name; evokes: only suggests ref;
                    -- typo: a misspelled name; learned: a term that almost only this product's units contain
  rank     INTEGER,
  word     TEXT,
  PRIMARY KEY (key, kind, ref)
) WITHOUT ROWID;

-- One Mandarin syllable without tone and the characters read so. Each character has one syllable.
CREATE TABLE han_sound (sound TEXT PRIMARY KEY, characters TEXT NOT NULL) WITHOUT ROWID;

-- One Chinese name of a concept of TRTC search, under its syllables: the look-up for mistyped words.
CREATE TABLE concept_sound (
  sound   TEXT NOT NULL,
  key     TEXT NOT NULL, -- -> dictionary.key
  concept INTEGER NOT NULL REFERENCES concept (id),
  PRIMARY KEY (sound, key, concept)
) WITHOUT ROWID;

-- One tag of the base that expresses a concept. broader: the tag names another, wider concept, or is generic.
CREATE TABLE concept_tag (
  concept INTEGER NOT NULL REFERENCES concept (id),
  key     TEXT NOT NULL, -- -> slice_tag.key
  broader INTEGER NOT NULL CHECK (broader IN (0, 1)),
  PRIMARY KEY (concept, key)
) WITHOUT ROWID;

-- How often the names of a concept occur in one field of a slice.
CREATE TABLE slice_posting (
  concept INTEGER NOT NULL REFERENCES concept (id),
  slice   INTEGER NOT NULL REFERENCES slice (id),
  field   TEXT NOT NULL, -- a column of slice_words
  hits    INTEGER NOT NULL,
  PRIMARY KEY (concept, slice, field)
) WITHOUT ROWID;

-- One slice as segmented words: rowid is slice.id. Contentless: shown text never comes from a full-text table.
CREATE VIRTUAL TABLE slice_words USING fts5 (
  name, tags, description, headings, apis, troubleshooting, body,
  content = '', tokenize = "unicode61 remove_diacritics 0 tokenchars '_.+#'" -- content="slice"
);
-- The vocabulary by which a query is segmented.
CREATE VIRTUAL TABLE slice_vocabulary USING fts5vocab (slice_words, row);
-- One occurrence of a word: its slice, field and position.
CREATE VIRTUAL TABLE slice_occurrence USING fts5vocab (slice_words, instance);

-- One scenario as segmented words: rowid is scenario.id.
CREATE VIRTUAL TABLE scenario_words USING fts5 (
  name, description,
  content = '', tokenize = "unicode61 remove_diacritics 0 tokenchars '_.+#'" -- content="scenario"
);
CREATE VIRTUAL TABLE scenario_vocabulary USING fts5vocab (scenario_words, row);
CREATE VIRTUAL TABLE scenario_occurrence USING fts5vocab (scenario_words, instance);

-- ── NIM: cases and entries ────────────────────────────────────────────────────────────────────────────────────

-- One searchable unit: a single-document case (entry 0) or the n-th entry of a file.
CREATE TABLE nim_unit (
  id             INTEGER PRIMARY KEY,
  path           TEXT NOT NULL,    -- knowledge/...
  entry          INTEGER NOT NULL, -- 0, or the ordinal of the entry comment in its file
  line           INTEGER NOT NULL,
  track_type     TEXT NOT NULL,
  sub_type       TEXT NOT NULL,
  product        TEXT NOT NULL,
  product_folder TEXT NOT NULL,
  scope          TEXT NOT NULL,    -- the standard product of its folder
  feature        TEXT NOT NULL,
  feature_folder TEXT NOT NULL,
  platform       TEXT NOT NULL,    -- as written
  title          TEXT NOT NULL,
  display_title  TEXT NOT NULL,    -- the title, or the first sentence of the description if the title is useless
  description    TEXT NOT NULL,    -- the symptoms, or the question
  root_cause     TEXT NOT NULL,
  solution       TEXT NOT NULL,
  answered       INTEGER NOT NULL CHECK (answered IN (0, 1)), -- 0 if the solution is only a placeholder
  details        TEXT NOT NULL,    -- the rest of the page that is worth finding
  source         TEXT NOT NULL,
  created        TEXT NOT NULL,
  updated        TEXT NOT NULL,
  frequency      INTEGER NOT NULL,
  copy_of        INTEGER NOT NULL REFERENCES nim_unit (id) -- the first unit with this text; itself if there is none
);
CREATE INDEX nim_unit_copy ON nim_unit (copy_of);

-- One feature folder of one product, with the number of its units.
CREATE TABLE nim_folder (
  scope          TEXT NOT NULL, -- -> nim_unit.scope
  feature_folder TEXT NOT NULL,
  units          INTEGER NOT NULL,
  PRIMARY KEY (scope, feature_folder)
) WITHOUT ROWID;

-- One tag of one unit.
CREATE TABLE nim_tag (
  unit     INTEGER NOT NULL REFERENCES nim_unit (id),
  position INTEGER NOT NULL,
  tag      TEXT NOT NULL,
  PRIMARY KEY (unit, position)
) WITHOUT ROWID;

-- One customer of one unit.
CREATE TABLE nim_customer (
  unit     INTEGER NOT NULL REFERENCES nim_unit (id),
  position INTEGER NOT NULL,
  customer TEXT NOT NULL,
  PRIMARY KEY (unit, position)
) WITHOUT ROWID;

-- One platform of one unit, under its canonical name.
CREATE TABLE nim_platform (
  unit     INTEGER NOT NULL REFERENCES nim_unit (id),
  platform TEXT NOT NULL,
  PRIMARY KEY (unit, platform)
) WITHOUT ROWID;

-- The token sets of one unit by which candidates are compared: the single characters, then each longer token after a
-- space, sorted.
CREATE TABLE nim_set (
  unit        INTEGER PRIMARY KEY REFERENCES nim_unit (id),
  is_trouble  INTEGER NOT NULL CHECK (is_trouble IN (0, 1)), -- graded by the rule for 排查类
  has_cause   INTEGER NOT NULL CHECK (has_cause IN (0, 1)),  -- it has a root cause that is not a placeholder
  title       TEXT NOT NULL,
  tags        TEXT NOT NULL
);

-- One size of the token sets of one field. The sets of a field are ranked from 0 by size, the smallest first.
CREATE TABLE nim_set_size (
  field      TEXT NOT NULL CHECK (field IN ('title', 'tags', 'conclusion')),
  size       INTEGER NOT NULL, -- in tokens, at least 1
  first_rank INTEGER NOT NULL, -- rank of the first set of this size; the others follow
  units      BLOB NOT NULL,    -- -> nim_unit, in rank order, four bytes each, little-endian
  PRIMARY KEY (field, size)
) WITHOUT ROWID;

-- One token of one field: the ranks of the sets that contain it (query/analysis/posting_lists.py).
CREATE TABLE nim_posting (
  field TEXT NOT NULL CHECK (field IN ('title', 'tags', 'conclusion')),
  token TEXT NOT NULL,
  ranks BLOB NOT NULL, -- packed
  PRIMARY KEY (field, token)
) WITHOUT ROWID;

-- The concepts named in the title, tags and description of one unit, one character each (query/analysis/tokens.py).
CREATE TABLE nim_concept (unit INTEGER PRIMARY KEY REFERENCES nim_unit (id), concepts TEXT NOT NULL);

-- One unit as segmented words: rowid is nim_unit.id. concepts: c and the number of each concept in nim_concept.
CREATE VIRTUAL TABLE nim_words USING fts5 (
  title, tags, description, root_cause, solution, details, place, concepts,
  content = '', tokenize = "unicode61 remove_diacritics 0 tokenchars '_.+#'" -- content="nim_unit"
);
CREATE VIRTUAL TABLE nim_vocabulary USING fts5vocab (nim_words, row);

-- One unit as overlapping pairs of Han characters: finds text that crosses the borders of its words.
CREATE VIRTUAL TABLE nim_bigrams USING fts5 (
  text, content = '', detail = none, tokenize = "unicode61 remove_diacritics 0"
);
-- The units that contain a pair.
CREATE VIRTUAL TABLE nim_bigram_occurrence USING fts5vocab (nim_bigrams, instance);
