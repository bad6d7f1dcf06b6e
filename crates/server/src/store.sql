-- A player with a key, or a guest. The key itself is not stored.
CREATE TABLE player (
    name TEXT PRIMARY KEY,
    key_hash BLOB,
    made_at INTEGER NOT NULL
) WITHOUT ROWID;

-- A game. Times are milliseconds since 1970; `game_state` has the state that moves alone do not give.
CREATE TABLE game (
    id TEXT PRIMARY KEY,
    game TEXT NOT NULL,
    size INTEGER NOT NULL,
    swap INTEGER NOT NULL,
    first TEXT NOT NULL,
    second TEXT NOT NULL,
    settings TEXT NOT NULL,
    began_at INTEGER NOT NULL,
    ended_at INTEGER,
    winner TEXT,
    how TEXT,
    plies INTEGER NOT NULL DEFAULT 0,
    claimed TEXT
) WITHOUT ROWID;
CREATE INDEX game_began ON game (began_at, id);
CREATE INDEX game_running ON game (id) WHERE ended_at IS NULL;

-- The events of a game, numbered from 1 without a gap.
CREATE TABLE event (
    game_id TEXT NOT NULL REFERENCES game (id),
    number INTEGER NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (game_id, number)
) WITHOUT ROWID;

-- The positions of the games, each by the least key of its symmetric positions.
CREATE TABLE seen (
    game TEXT NOT NULL,
    size INTEGER NOT NULL,
    canonical INTEGER NOT NULL,
    game_id TEXT NOT NULL REFERENCES game (id),
    ply INTEGER NOT NULL,
    PRIMARY KEY (game, size, canonical, game_id, ply)
) WITHOUT ROWID;

-- Shared trees of claims; the body is JSON.
CREATE TABLE study (
    id TEXT PRIMARY KEY,
    made_at INTEGER NOT NULL,
    changed_at INTEGER NOT NULL,
    body TEXT NOT NULL
) WITHOUT ROWID;
