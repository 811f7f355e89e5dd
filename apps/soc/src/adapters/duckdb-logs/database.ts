import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { type DuckDBConnection, DuckDBInstance, listValue } from '@duckdb/node-api'
import { createQueue } from '@manara/kit/queue'
import { CREATE_LOGS } from './rows.ts'
import { readTextsWhole } from './whole-texts.ts'

/** One file of events that were taken in one after the other, dropped as a whole when its time is over. */
export type Partition = {
  /** `2026-11-15-001`: the day its events came in, which file of that day, and `-r2` when rewritten. */
  name: string
  /** What DuckDB calls it. */
  alias: string
  /** Milliseconds since 1970 at which that day began. */
  dayStart: number
}

export const DAY_MS = 86_400_000

const FILE = /^((\d{4}-\d\d-\d\d-\d{3})(?:-r\d+)?)[.]duckdb$/
const UNFINISHED = '.unfinished'

export type Database = Awaited<ReturnType<typeof openDatabase>>

export type DatabaseSettings = { directory: string; memoryMb: number; threads?: number }

/** One DuckDB instance over all partitions of a directory. */
export async function openDatabase({ directory, memoryMb, threads = 1 }: DatabaseSettings) {
  mkdirSync(directory, { recursive: true })
  readTextsWhole()
  const instance = await DuckDBInstance.create(':memory:', {
    // With one, a statement runs on the thread that asks for it. Where another thread has its only
    // task, the one that asks does not sleep meanwhile and takes a core from everybody else.
    threads: String(threads),
    memory_limit: `${memoryMb}MB`,
    temp_directory: path.join(directory, 'spill'),
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    // We make them where nobody waits; the engine's own, in the midst of a commit, are for the worst.
    checkpoint_threshold: '1GB',
  })
  const admin = await instance.connect()
  /** A connection does one thing at a time, and settling takes long. */
  const settler = await instance.connect()
  const settling = new Set<string>()
  /** A file that is being settled cannot be dropped. */
  const turns = createQueue()
  // The writer settles what would take the next start long; the rest is read by it.
  await admin.run('PRAGMA disable_checkpoint_on_shutdown')

  const fileOf = (name: string) => path.join(directory, `${name}.duckdb`)

  function remove(file: string) {
    for (const each of [file, `${file}.wal`]) rmSync(each, { force: true })
  }

  async function attach(name: string, file = fileOf(name)): Promise<Partition> {
    const alias = aliasOf(name)
    await admin.run(`ATTACH '${file.replaceAll("'", "''")}' AS ${alias} (STORAGE_VERSION 'v1.5.0')`)
    return { name, alias, dayStart: Date.parse(name.slice(0, 10)) }
  }

  const createTables = (alias: string) =>
    admin.run(`USE ${alias}; ${CREATE_LOGS}; ${CREATE_SEGMENTS}; ${ADD_REWRITES}; USE memory`)

  /** Oldest first. Where a rewritten file stands beside the one it replaces, the latter goes. */
  function names(): string[] {
    const newest = new Map<string, string>()
    for (const file of readdirSync(directory)) {
      if (file.includes(UNFINISHED)) rmSync(path.join(directory, file), { force: true })
      const [, name, base] = FILE.exec(file) ?? []
      if (!name || !base) continue
      const other = newest.get(base)
      if (other === undefined || generation(other) < generation(name)) newest.set(base, name)
      if (other !== undefined) remove(fileOf(newest.get(base) === name ? other : name))
    }
    return [...newest.values()].toSorted()
  }

  return {
    connect: (): Promise<DuckDBConnection> => instance.connect(),
    names,
    /** On disk, with what is not yet in its place; of one partition or of all. */
    bytes: (partition?: Partition) =>
      readdirSync(directory)
        .filter((file) => file.startsWith(partition?.name ?? '') && file.includes('.duckdb'))
        .reduce((sum, file) => sum + sizeOf(path.join(directory, file)), 0),
    attach: (name: string) => attach(name),
    /** Also of one that was attached only in part; none is fine. */
    async detach(name: string) {
      await admin.run(`DETACH DATABASE IF EXISTS ${aliasOf(name)}`)
    },
    ensureTables: ({ alias }: Partition) => createTables(alias),
    /** Whether some of it is only in its write-ahead log. */
    hasLog: ({ name }: Partition) => existsSync(`${fileOf(name)}.wal`),
    logBytes: ({ name }: Partition) => sizeOf(`${fileOf(name)}.wal`),
    /**
     * Everything in its place, and no log beside it. Whoever adds events to it meanwhile is held up, and
     * with it the whole thread.
     */
    async settle({ name, alias }: Partition) {
      settling.add(name)
      try {
        await turns.run(() => settler.run(`CHECKPOINT ${alias}`))
      } finally {
        settling.delete(name)
      }
    },
    isSettling: ({ name }: Partition) => settling.has(name),
    async create(name: string): Promise<Partition> {
      const partition = await attach(name)
      await createTables(partition.alias)
      return partition
    },
    /** A copy without the events of some sources, as a file of its own; `partition` stays. */
    async rewrite(partition: Partition, withoutSources: string[]): Promise<Partition> {
      const name = `${partition.name.slice(0, 14)}-r${generation(partition.name) + 1}`
      const unfinished = `${fileOf(name)}${UNFINISHED}`
      const alias = aliasOf(name)
      try {
        await attach(name, unfinished)
        await createTables(alias)
        await admin.run(
          `INSERT INTO ${alias}.logs SELECT * FROM ${partition.alias}.logs
           WHERE NOT list_contains($1, source)`,
          [listValue(withoutSources)],
        )
        await admin.run(`INSERT INTO ${alias}.segments SELECT * FROM ${partition.alias}.segments`)
        await admin.run(`CHECKPOINT ${alias}`)
        await admin.run(`DETACH ${alias}`)
      } catch (error) {
        // What is left of it takes room, of which there may be none, and its name from the next try.
        await admin.run(`USE memory; DETACH DATABASE IF EXISTS ${alias}`).catch(() => {})
        remove(unfinished)
        throw error
      }
      renameSync(unfinished, fileOf(name))
      return attach(name)
    },
    async setSources({ alias }: Partition, seg: number, events: number, sources: string) {
      await admin.run(`UPDATE ${alias}.segments SET events = $1, sources = $2 WHERE seg = $3`, [
        events,
        sources,
        seg,
      ])
    },
    /** The space is the system's again at once. */
    drop: ({ name, alias }: Partition) =>
      turns.run(async () => {
        await admin.run(`DETACH ${alias}`)
        remove(fileOf(name))
      }),
    close() {
      admin.closeSync()
      settler.closeSync()
      instance.closeSync()
    },
  }
}

/** A log may go at any moment: the engine removes it when its file is settled. */
const sizeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? 0

const aliasOf = (name: string) => `p${name.replaceAll('-', '_')}`

const generation = (name: string) => Number(name.slice(16) || 0)

const CREATE_SEGMENTS = `CREATE TABLE IF NOT EXISTS segments (
  seg INTEGER NOT NULL, events INTEGER NOT NULL, min_at BIGINT NOT NULL, max_at BIGINT NOT NULL,
  min_received BIGINT NOT NULL, max_received BIGINT NOT NULL, sources VARCHAR NOT NULL,
  filter BLOB NOT NULL)`

/** How often events of a segment were written anew; files of before had no such column. */
const ADD_REWRITES = 'ALTER TABLE segments ADD COLUMN IF NOT EXISTS rewrites INTEGER DEFAULT 0'
