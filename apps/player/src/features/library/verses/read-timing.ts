import { open } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import { readLabels } from './domain/read-labels.ts'
import { readTimingJson } from './domain/read-timing-json.ts'
import type { TimedVerse } from './domain/timing.ts'

export const LARGEST = 8 * 2 ** 20

/** Of one surah, in whatever order the file has them. Throws with what is wrong with the file. */
export async function readTiming(file: string, surah: number): Promise<TimedVerse[]> {
  const { size } = await withFile(file, (handle) => handle.stat())
  if (size > LARGEST) throw new Error('is larger than 8 MB')
  if (/\.db$/i.test(file)) return readTimingDb(file, surah)
  const text = await withFile(file, (handle) => handle.readFile('utf8'))
  if (/\.txt$/i.test(file)) return readLabels(text, surah)
  try {
    return readTimingJson(text, surah)
  } catch (error) {
    if (error instanceof SyntaxError) throw new Error('is not JSON')
    throw error
  }
}

async function withFile<Value>(
  file: string,
  use: (handle: Awaited<ReturnType<typeof open>>) => Promise<Value>,
): Promise<Value> {
  const handle = await open(file, 'r')
  try {
    return await use(handle)
  } finally {
    await handle.close()
  }
}

// quran_android: starts only; ayah 0 is the basmala, 999 the end of the last verse.
const END = 999

/** `immutable`: nothing is written beside it, and a journal that another machine left is not played. */
async function readTimingDb(file: string, surah: number): Promise<TimedVerse[]> {
  const { DatabaseSync } = await import('node:sqlite')
  const url = pathToFileURL(file)
  url.search = '?immutable=1'
  const db = new DatabaseSync(url, { readOnly: true, allowExtension: false })
  try {
    db.exec('PRAGMA trusted_schema = OFF')
    // A view or a computed column could go on for ever, or do something else than give numbers.
    const table = db.prepare("SELECT type, sql FROM sqlite_schema WHERE name = 'timings'").get()
    if (table?.type !== 'table' || /^\s*CREATE\s+VIRTUAL/i.test(String(table.sql))) {
      throw new Error('has no table `timings`')
    }
    const columns = db.prepare('PRAGMA table_xinfo(timings)').all()
    const plain = columns.filter(({ hidden }) => hidden === 0).map(({ name }) => String(name))
    if (
      plain.length < columns.length ||
      !['sura', 'ayah', 'time'].every((c) => plain.includes(c))
    ) {
      throw new Error('has a table `timings` without the columns sura, ayah and time')
    }
    const rows = db
      .prepare(
        `SELECT ayah, time FROM timings
         WHERE sura = ? AND typeof(ayah) = 'integer' AND typeof(time) = 'integer' LIMIT 1000`,
      )
      .all(surah) as { ayah: number; time: number }[]
    return withEnds(rows)
  } catch (error) {
    if ((error as { code?: string }).code === 'ERR_SQLITE_ERROR') {
      throw new Error('is not an SQLite file that can be read')
    }
    throw error
  } finally {
    db.close()
  }
}

function withEnds(rows: readonly { ayah: number; time: number }[]): TimedVerse[] {
  const end = rows.find(({ ayah }) => ayah === END)?.time
  const verses = rows
    .filter(({ ayah }) => ayah !== END)
    .map(({ ayah, time }): TimedVerse => ({ verse: ayah, start: time }))
  const last = verses.reduce<TimedVerse | undefined>(
    (latest, verse) => (latest && latest.verse > verse.verse ? latest : verse),
    undefined,
  )
  if (last && end !== undefined) last.end = end
  return verses
}
