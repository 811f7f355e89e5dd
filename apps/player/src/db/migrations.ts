/**
 * A version with this many migrations or more works on the store as the last one leaves it: those
 * after it only add. One that takes away or changes what is there raises this to its own number.
 */
export const READABLE_FROM = 1

/** Applied in order, each once, those that are missing in one transaction. Append; never edit one that has shipped. */
export const MIGRATIONS = [
  `CREATE TABLE device (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
   CREATE TABLE settings (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
   CREATE TABLE favorites (
     id INTEGER PRIMARY KEY AUTOINCREMENT,
     type TEXT NOT NULL,
     reciter TEXT NOT NULL DEFAULT '',
     surah INTEGER NOT NULL DEFAULT 0,
     url TEXT NOT NULL DEFAULT '',
     name TEXT NOT NULL DEFAULT '',
     play_count INTEGER NOT NULL DEFAULT 0,
     last_played INTEGER,
     created_at INTEGER NOT NULL,
     UNIQUE (type, reciter, surah, url)
   ) STRICT;
   CREATE TABLE stations (
     id INTEGER PRIMARY KEY AUTOINCREMENT,
     name TEXT NOT NULL,
     url TEXT NOT NULL UNIQUE,
     created_at INTEGER NOT NULL
   ) STRICT;
   CREATE TABLE resume (
     id INTEGER PRIMARY KEY CHECK (id = 1),
     source TEXT NOT NULL,
     position_ms INTEGER NOT NULL,
     saved_at INTEGER NOT NULL
   ) STRICT;
   CREATE TABLE durations (
     path TEXT PRIMARY KEY,
     size INTEGER NOT NULL,
     mtime_ms INTEGER NOT NULL,
     duration_ms INTEGER NOT NULL
   ) STRICT`,
  `CREATE TABLE prayer (
     id INTEGER PRIMARY KEY CHECK (id = 1),
     config TEXT NOT NULL
   ) STRICT;
   CREATE TABLE schedules (
     id INTEGER PRIMARY KEY AUTOINCREMENT,
     hour INTEGER NOT NULL,
     minute INTEGER NOT NULL,
     days INTEGER NOT NULL,
     target TEXT NOT NULL,
     volume INTEGER,
     enabled INTEGER NOT NULL,
     armed_at INTEGER,
     last_result TEXT
   ) STRICT;
   CREATE TABLE fired (
     key TEXT NOT NULL,
     date TEXT NOT NULL,
     at INTEGER NOT NULL,
     PRIMARY KEY (key, date)
   ) STRICT`,
  `CREATE TABLE nfc_cards (
     uid TEXT PRIMARY KEY,
     name TEXT NOT NULL,
     binding TEXT NOT NULL,
     second_tap TEXT NOT NULL,
     created_at INTEGER NOT NULL,
     last_tapped INTEGER
   ) STRICT`,
  `CREATE TABLE queue (
     id INTEGER PRIMARY KEY AUTOINCREMENT,
     place INTEGER NOT NULL,
     track TEXT NOT NULL
   ) STRICT`,
  `CREATE TABLE heard_files (
     path TEXT PRIMARY KEY,
     size INTEGER NOT NULL,
     mtime_ms INTEGER NOT NULL,
     duration_ms INTEGER NOT NULL,
     spans TEXT,
     problem TEXT NOT NULL,
     found TEXT,
     heard_at INTEGER NOT NULL
   ) STRICT;
   CREATE TABLE verse_marks (
     path TEXT NOT NULL,
     verse INTEGER NOT NULL,
     size INTEGER NOT NULL,
     mtime_ms INTEGER NOT NULL,
     start_ms INTEGER NOT NULL,
     PRIMARY KEY (path, verse)
   ) STRICT`,
  `CREATE TABLE soc_events (
     seq INTEGER PRIMARY KEY AUTOINCREMENT,
     id TEXT NOT NULL,
     body TEXT NOT NULL
   ) STRICT`,
  `CREATE TABLE learners (
     id INTEGER PRIMARY KEY AUTOINCREMENT,
     name TEXT NOT NULL,
     created_at INTEGER NOT NULL,
     new_played_on TEXT NOT NULL DEFAULT ''
   ) STRICT;
   CREATE TABLE learner_plans (
     learner INTEGER PRIMARY KEY REFERENCES learners ON DELETE CASCADE,
     plan TEXT NOT NULL
   ) STRICT;
   CREATE TABLE portions (
     id INTEGER PRIMARY KEY,
     learner INTEGER NOT NULL REFERENCES learners ON DELETE CASCADE,
     surah INTEGER NOT NULL,
     from_verse INTEGER NOT NULL,
     to_verse INTEGER NOT NULL,
     learnt_on TEXT NOT NULL,
     planned INTEGER NOT NULL,
     grade TEXT NOT NULL,
     graded_on TEXT NOT NULL,
     heard_on TEXT NOT NULL,
     heard_before TEXT NOT NULL DEFAULT ''
   ) STRICT;
   CREATE INDEX portions_of_learner ON portions (learner);
   CREATE TABLE gradings (
     id INTEGER PRIMARY KEY AUTOINCREMENT,
     learner INTEGER NOT NULL REFERENCES learners ON DELETE CASCADE,
     surah INTEGER NOT NULL,
     from_verse INTEGER NOT NULL,
     to_verse INTEGER NOT NULL,
     grade TEXT NOT NULL,
     by_whom TEXT NOT NULL,
     at INTEGER NOT NULL,
     date TEXT NOT NULL
   ) STRICT;
   CREATE INDEX gradings_of_learner ON gradings (learner);
   CREATE TABLE practice_days (
     learner INTEGER NOT NULL REFERENCES learners ON DELETE CASCADE,
     date TEXT NOT NULL,
     PRIMARY KEY (learner, date)
   ) STRICT;
   CREATE TABLE learner_turn (
     id INTEGER PRIMARY KEY CHECK (id = 1),
     learner INTEGER NOT NULL REFERENCES learners ON DELETE CASCADE,
     surah INTEGER NOT NULL,
     from_verse INTEGER NOT NULL,
     to_verse INTEGER NOT NULL,
     at INTEGER NOT NULL
   ) STRICT`,
  `CREATE TABLE sleep_timer (
     id INTEGER PRIMARY KEY CHECK (id = 1),
     ends_at INTEGER NOT NULL,
     length_ms INTEGER NOT NULL,
     fade_s INTEGER NOT NULL
   ) STRICT`,
  `ALTER TABLE gradings ADD COLUMN request TEXT;
   CREATE INDEX gradings_of_request ON gradings (learner, request)`,
  `ALTER TABLE queue ADD COLUMN part TEXT NOT NULL DEFAULT ''`,
]
