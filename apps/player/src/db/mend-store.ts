import {
  chmodSync,
  copyFileSync,
  existsSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { syncToDisk } from '@manara/kit/write-durably'
import { inOneStep } from './in-one-step.ts'
import { type Db, migrate, openStore } from './open-store.ts'
import { storeProblem } from './store-problem.ts'

/** SQLite's numbers for a file that contradicts itself, and for one that is none of its own. */
const DAMAGE = new Set([11, 26])
const FULL = new Set([13, 'ENOSPC', 'EDQUOT'])
/** What SQLite says where a quota is used up: of that it knows nothing. */
const NOT_WRITTEN = 778

/** Kept for whoever can read more of it; gone with a factory reset, and with any learner who is erased. */
export const DAMAGED_STORE = 'player.db.damaged'

const DAMAGED = 'the disk had damaged what the box remembers; what could still be read was kept'
const LOST = 'the disk had lost what the box remembers; nothing of it could be read any more'

/**
 * The state store. Of one that a worn card has damaged, all that can still be read is put into a new
 * one: a box that does not start calls no adhan. `problem` is for the owner.
 */
export function openOrMendStore(dataDir: string): { db: Db; problem?: string } {
  const found = conditionOf(dataDir)
  if (found === 'new') putInPlace(dataDir, (draft) => fillDraft(draft))
  if (found === 'log') {
    // Beside an empty store SQLite deletes it; beside a page of zeros it reads what it holds.
    writeFileSync(path.join(dataDir, 'player.db'), Buffer.alloc(PAGE), { mode: 0o600 })
  }
  if (found === 'emptied') {
    // Where not even the name of it is left.
    writeFileSync(path.join(dataDir, 'player.db'), '', { flag: 'a', mode: 0o600 })
  }
  const whole = found === 'emptied' ? undefined : openWhole(dataDir)
  if (whole) return { db: whole }
  const isKept = mendStore(dataDir)
  return { db: openStore(dataDir), problem: isKept ? DAMAGED : LOST }
}

/** What mending would take beside the damaged store: the new one, and the copy of the old. */
export function roomToMend(dataDir: string): number {
  return 2 * (sizeOf(dataDir, 'player.db') + sizeOf(dataDir, 'player.db-wal'))
}

/** A first start gives the store its name when it is whole: one that is empty was there before. */
function conditionOf(dataDir: string): 'new' | 'emptied' | 'log' | 'filled' {
  if (sizeOf(dataDir, 'player.db') > 0) return 'filled'
  if (sizeOf(dataDir, 'player.db-wal') > 0) return 'log'
  const wasThere = ['player.db', ...MADE_WITH_A_STORE]
  return wasThere.some((name) => existsSync(path.join(dataDir, name))) ? 'emptied' : 'new'
}

/** What a box makes only when it has a store: beside them one that is missing was lost. */
const MADE_WITH_A_STORE = ['ca.key', 'mqtt-id', 'chime.wav']
const PAGE = 4096
const sizeOf = (dataDir: string, name: string) =>
  statSync(path.join(dataDir, name), QUIETLY)?.size ?? 0

export function isDamaged(dataDir: string): boolean {
  // Looked at by SQLite, the log would be gone.
  if (conditionOf(dataDir) !== 'filled') return conditionOf(dataDir) !== 'new'
  try {
    using db = new DatabaseSync(path.join(dataDir, 'player.db'), { readOnly: true })
    return storeProblem(db) !== undefined
  } catch (error) {
    return DAMAGE.has(numberOf(error))
  }
}

const QUIETLY = { throwIfNoEntry: false } as const
// Above the lowest byte SQLite tells details.
const numberOf = (error: unknown) => ((error as { errcode?: number }).errcode ?? 0) & 0xff

/** Of any error: whether what was to be written did not fit. */
export function isNoRoom(error: unknown): boolean {
  const { errcode, code = '' } = error as { errcode?: number; code?: string }
  return errcode === NOT_WRITTEN || FULL.has(numberOf(error)) || FULL.has(code)
}

/** Undefined where it is damaged. */
function openWhole(dataDir: string): Db | undefined {
  let db: Db | undefined
  try {
    db = openStore(dataDir)
    if (storeProblem(db) === undefined) return db
  } catch (error) {
    if (!DAMAGE.has(numberOf(error))) {
      db?.close()
      throw error
    }
  }
  db?.close()
  return undefined
}

/**
 * May be cut anywhere and repeated: the damaged one stays under its name until the new one is whole.
 * Whether anything could be read.
 */
function mendStore(dataDir: string): boolean {
  let kept = 0
  putInPlace(dataDir, (draft) => {
    kept = fillDraft(draft, path.join(dataDir, 'player.db'))
    keepDamaged(dataDir)
  })
  return kept > 0
}

function putInPlace(dataDir: string, make: (draft: string) => void) {
  const file = path.join(dataDir, 'player.db')
  const draft = `${file}.new`
  const dropDraft = () => {
    for (const ending of ['', '-journal']) rmSync(draft + ending, { force: true })
  }
  dropDraft()
  try {
    make(draft)
  } catch (error) {
    dropDraft()
    throw error
  }
  // The log goes first: SQLite would replay it into the new store.
  for (const ending of ['-wal', '-shm']) rmSync(file + ending, { force: true })
  renameSync(draft, file)
  syncToDisk(dataDir)
}

/** How many rows were read from the damaged one. */
function fillDraft(draft: string, damagedFile?: string): number {
  // Private before the content comes: the device token is in it.
  writeFileSync(draft, '', { mode: 0o600 })
  using whole = new DatabaseSync(draft)
  whole.exec('PRAGMA foreign_keys = OFF')
  migrate(whole)
  const changes = whole.prepare('SELECT total_changes() AS count')
  const own = Number(changes.get()?.count)
  if (damagedFile) {
    using damaged = new DatabaseSync(damagedFile)
    inOneStep(whole, () => copyReadable(damaged, whole))
  }
  syncToDisk(draft)
  return Number(changes.get()?.count) - own
}

/** With the log, where SQLite could not put it into the store. An empty one replaces nothing. */
export function keepDamaged(dataDir: string) {
  const isKept = existsSync(path.join(dataDir, DAMAGED_STORE))
  if (isKept && conditionOf(dataDir) === 'emptied') return
  const hasLog = sizeOf(dataDir, 'player.db-wal') > 0
  if (!hasLog) rmSync(path.join(dataDir, `${DAMAGED_STORE}-wal`), { force: true })
  for (const ending of hasLog ? ['', '-wal'] : ['']) {
    const copy = path.join(dataDir, DAMAGED_STORE + ending)
    copyFileSync(path.join(dataDir, `player.db${ending}`), copy)
    chmodSync(copy, 0o600)
  }
}

export function forgetDamaged(dataDir: string) {
  for (const ending of ['', '-wal'])
    rmSync(path.join(dataDir, DAMAGED_STORE + ending), { force: true })
}

function copyReadable(damaged: Db, whole: Db) {
  const tables = whole
    .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .all() as { name: string }[]
  // From both ends: what lies behind a damaged page is reached from the other. Then by the first
  // column, whose index knows a name that is damaged in the table.
  for (const { name } of tables)
    for (const order of ['rowid', 'rowid DESC', '1'])
      ifReadable(() => copyRows(damaged, whole, name, order))
  // What belongs to something that is lost is lost with it.
  for (const orphan of whole.prepare('PRAGMA foreign_key_check').all()) {
    whole.prepare(`DELETE FROM "${orphan.table}" WHERE rowid = ?`).run(orphan.rowid ?? null)
  }
}

function copyRows(damaged: Db, whole: Db, table: string, order: string) {
  const columnsOf = (db: Db) =>
    db.prepare(`PRAGMA table_info("${table}")`).all() as { name: string }[]
  const known = new Set(columnsOf(damaged).map(({ name }) => name))
  const names = columnsOf(whole).flatMap(({ name }) => (known.has(name) ? [`"${name}"`] : []))
  const columns = names.join(', ')
  const insert = whole.prepare(
    `INSERT OR IGNORE INTO "${table}" (${columns}) VALUES (${names.map(() => '?').join(', ')})`,
  )
  const rows = damaged.prepare(`SELECT ${columns} FROM "${table}" ORDER BY ${order}`)
  for (const row of rows.iterate()) ifReadable(() => insert.run(...Object.values(row)))
}

/** Whatever is wrong with this, the rest may be well; what there is no room for is not unreadable. */
function ifReadable(work: () => void) {
  try {
    work()
  } catch (error) {
    if (isNoRoom(error)) throw error
  }
}
