import { gunzipSync } from 'node:zlib'
import { invalid } from '@manara/kit/errors'
import type { RuleFile } from './drafts.ts'
import { readTar } from './read-tar.ts'
import { readZip } from './read-zip.ts'
import { type Budget, createBudget } from './unpack-budget.ts'

/** The rule files of a body: one YAML text, a zip, or a tar that may be gzipped. Told by content. */
export function readRuleFiles(body: Buffer, maxBytes?: number): RuleFile[] {
  const budget = createBudget(maxBytes)
  if (body.subarray(0, 4).equals(ZIP)) return [...readZip(body, budget)]
  if (!body.subarray(0, 2).equals(GZIP)) return unpacked(body, budget)
  return unpacked(gunzip(body, budget), budget)
}

const ZIP = Buffer.from([0x50, 0x4b, 3, 4])
const GZIP = Buffer.from([0x1f, 0x8b])

function unpacked(bytes: Buffer, budget: Budget): RuleFile[] {
  if (bytes.toString('latin1', 257, 262) === 'ustar') return [...readTar(bytes, budget)]
  return [{ name: 'body', content: budget.take('body', bytes) }]
}

function gunzip(body: Buffer, budget: Budget): Buffer {
  try {
    // Headers and padding come on top of what the files hold.
    return gunzipSync(body, { maxOutputLength: budget.left() * 2 })
  } catch (error) {
    throw budget.explain(error) ?? invalid('body', 'is not a whole gzip file: pack it again')
  }
}
