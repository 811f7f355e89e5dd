import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { syncToDisk, writeDurably } from '@manara/kit/write-durably'

/**
 * Below `SOC_DATA/anchors`: `heads.ndjson`, which only grows; `latest.json`, the audit log's newest
 * head; and `public-keys.pem`, every key that has signed here.
 */
export function openAnchorFiles(directory: string) {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const [heads, latest, keys] = ['heads.ndjson', 'latest.json', 'public-keys.pem'].map((name) =>
    path.join(directory, name),
  ) as [string, string, string]

  return {
    heads,
    /** Whole lines; what a power cut left of the last one is taken off. */
    readLines(): string[] {
      if (!existsSync(heads)) return []
      const text = readFileSync(heads, 'utf8')
      const whole = text.lastIndexOf('\n') + 1
      if (whole < text.length) truncateSync(heads, Buffer.byteLength(text.slice(0, whole)))
      return text.slice(0, whole).split('\n').filter(Boolean)
    },
    /** On disk when it returns. */
    append(line: object) {
      appendFileSync(heads, `${JSON.stringify(line)}\n`, { mode: 0o600 })
      syncToDisk(heads)
    },
    readLatest: (): string | undefined =>
      existsSync(latest) ? readFileSync(latest, 'utf8') : undefined,
    writeLatest: (head: object) => writeDurably(latest, `${JSON.stringify(head)}\n`, 0o600),
    readKeys: (): string => (existsSync(keys) ? readFileSync(keys, 'utf8') : ''),
    addKey(pem: string) {
      writeFileSync(keys, pem, { flag: 'a', mode: 0o644 })
      syncToDisk(keys)
    },
  }
}
