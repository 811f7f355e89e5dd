import { randomBytes } from 'node:crypto'
import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import path from 'node:path'
import { StartError } from '@manara/kit/errors'
import { syncToDisk } from '@manara/kit/write-durably'

const KEY = /^soc-key-1 ([\w-]{43})$/

/**
 * The one secret that is never in the database: what the database holds sealed is opened with it,
 * and what it holds as proof is signed with it. Made at the first start, for its owner alone.
 */
export function openKeyFile(file: string): Buffer {
  const text = readKey(file) ?? makeKey(file)
  const [, key] = KEY.exec(text.trim()) ?? []
  if (!key) {
    throw new StartError(`${file}: is no key file of this service: put back the one it had`)
  }
  return Buffer.from(key, 'base64url')
}

function readKey(file: string): string | undefined {
  try {
    const { mode } = statSync(file)
    if (mode & 0o007) {
      throw new StartError(`${file}: everybody on this machine can reach the key: chmod 600 it`)
    }
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

/** Linked into place: of two processes that make it at once, both end with the same key. */
function makeKey(file: string): string {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
  const draft = `${file}.${randomBytes(6).toString('hex')}`
  const handle = openSync(draft, 'wx', 0o600)
  writeSync(handle, `soc-key-1 ${randomBytes(32).toString('base64url')}\n`)
  fsyncSync(handle)
  closeSync(handle)
  try {
    linkSync(draft, file)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  } finally {
    rmSync(draft, { force: true })
  }
  syncToDisk(path.dirname(file))
  return readFileSync(file, 'utf8')
}
