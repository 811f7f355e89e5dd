import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import {
  appendDurably,
  syncToDisk,
  writeDurably,
  writeFileDurably,
} from '@manara/kit/write-durably'

/** Read at each start: more than this goes into a file of its own. */
const MOST_BYTES = 8 * 2 ** 20

/**
 * Below `SOC_DATA/anchors`: `heads.ndjson`, which only grows, and what it was before as
 * `heads-000001.ndjson` and so on; `latest.json`, the audit log's newest head; and
 * `public-keys.pem`, every key that has signed here. What `append` and `writeLatest` write is on disk
 * when they resolve; whoever calls them awaits one before the next.
 */
export function openAnchorFiles(directory: string, mostBytes = MOST_BYTES) {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const heads = path.join(directory, 'heads.ndjson')
  const latest = path.join(directory, 'latest.json')
  const keys = path.join(directory, 'public-keys.pem')
  const begun = `${heads}.next`
  // Ended between the two renames of a change of files.
  if (!existsSync(heads) && existsSync(begun)) renameSync(begun, heads)
  /** What the file began with: the ends of all chains may be many. */
  let carried = 0

  /** Nothing is removed; the new file begins with the furthest head of each chain. */
  function beginAnother(lines: object[]) {
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
    writeDurably(begun, text, 0o600)
    renameSync(heads, path.join(directory, nextName(readdirSync(directory))))
    renameSync(begun, heads)
    syncToDisk(directory)
    carried = Buffer.byteLength(text)
  }

  return {
    heads,
    /** Moves on to another file when this one has grown enough. */
    keepBounded(furthest: () => object[]) {
      if (statSync(heads).size - carried > mostBytes) beginAnother(furthest())
    },
    /** Whole lines; what a power cut left of the last one is taken off. */
    readLines(): string[] {
      if (!existsSync(heads)) return []
      const text = readFileSync(heads, 'utf8')
      const whole = text.lastIndexOf('\n') + 1
      if (whole < text.length) truncateSync(heads, Buffer.byteLength(text.slice(0, whole)))
      return text.slice(0, whole).split('\n').filter(Boolean)
    },
    append: (line: object) => appendDurably(heads, `${JSON.stringify(line)}\n`, 0o600),
    readLatest: (): string | undefined =>
      existsSync(latest) ? readFileSync(latest, 'utf8') : undefined,
    writeLatest: (head: object) => writeFileDurably(latest, `${JSON.stringify(head)}\n`, 0o600),
    readKeys: (): string => (existsSync(keys) ? readFileSync(keys, 'utf8') : ''),
    addKey(pem: string) {
      writeFileSync(keys, pem, { flag: 'a', mode: 0o600 })
      syncToDisk(keys)
    },
  }
}

/** Behind the last that is there: older ones may have been put away elsewhere. */
function nextName(names: string[]): string {
  const numbers = names.map((name) => Number(/^heads-(\d+)\.ndjson$/.exec(name)?.[1] ?? 0))
  return `heads-${String(Math.max(0, ...numbers) + 1).padStart(6, '0')}.ndjson`
}
