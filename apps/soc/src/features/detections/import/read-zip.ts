import { inflateRawSync } from 'node:zlib'
import { invalid } from '@manara/kit/errors'
import type { RuleFile } from './drafts.ts'
import type { Budget } from './unpack-budget.ts'

const END = 0x06054b50
const ENTRY = 0x02014b50
const LOCAL = 0x04034b50
const STORED = 0
const DEFLATED = 8

/** By the directory at the end of the archive, the only place that says what really belongs to it. */
export function* readZip(bytes: Buffer, budget: Budget): Generator<RuleFile> {
  const end = findEnd(bytes)
  const count = bytes.readUInt16LE(end + 10)
  let at = bytes.readUInt32LE(end + 16)
  for (let index = 0; index < count; index += 1) {
    if (at + 46 > bytes.length || bytes.readUInt32LE(at) !== ENTRY) throw broken()
    const method = bytes.readUInt16LE(at + 10)
    const packed = bytes.readUInt32LE(at + 20)
    const nameLength = bytes.readUInt16LE(at + 28)
    const restLength = bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32)
    const name = bytes.toString('utf8', at + 46, at + 46 + nameLength)
    const start = startOfData(bytes, bytes.readUInt32LE(at + 42))
    at += 46 + nameLength + restLength
    if (!budget.wants(name)) continue
    const data = bytes.subarray(start, start + packed)
    yield { name, content: budget.take(name, unpack(name, method, data, budget)) }
  }
}

function findEnd(bytes: Buffer): number {
  const earliest = Math.max(0, bytes.length - 22 - 0xffff)
  for (let at = bytes.length - 22; at >= earliest; at -= 1) {
    if (bytes.readUInt32LE(at) === END) return at
  }
  throw broken()
}

function startOfData(bytes: Buffer, at: number): number {
  if (at + 30 > bytes.length || bytes.readUInt32LE(at) !== LOCAL) throw broken()
  return at + 30 + bytes.readUInt16LE(at + 26) + bytes.readUInt16LE(at + 28)
}

function unpack(name: string, method: number, data: Buffer, budget: Budget): Buffer {
  if (method === STORED) return data
  if (method !== DEFLATED) throw invalid('body', `${name}: is packed in a way this cannot read`)
  try {
    return inflateRawSync(data, { maxOutputLength: budget.left() })
  } catch (error) {
    throw budget.explain(error) ?? broken()
  }
}

const broken = () => invalid('body', 'is not a whole zip archive: pack it again')
