import { invalid } from '@manara/kit/errors'
import type { RuleFile } from './drafts.ts'
import type { Budget } from './unpack-budget.ts'

const BLOCK = 512

/** ustar, with the long names of GNU tar and of pax. */
export function* readTar(bytes: Buffer, budget: Budget): Generator<RuleFile> {
  let longName: string | undefined
  for (let at = 0; at + BLOCK <= bytes.length; ) {
    const header = bytes.subarray(at, at + BLOCK)
    if (header.every((byte) => byte === 0)) return
    const size = Number.parseInt(text(header, 124, 12).trim() || '0', 8)
    const data = bytes.subarray(at + BLOCK, at + BLOCK + size)
    if (!hasRightSum(header) || data.length !== size) throw broken()
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK

    const type = text(header, 156, 1)
    if (type === 'L') longName = text(data, 0, size)
    if (type === 'x') longName = paxPath(data) ?? longName
    if (type === 'L' || type === 'x') continue
    const name = longName ?? shortName(header)
    longName = undefined
    if ((type === '0' || type === '') && budget.wants(name)) {
      yield { name, content: budget.take(name, data) }
    }
  }
}

function shortName(header: Buffer): string {
  const isUstar = text(header, 257, 5) === 'ustar'
  const prefix = isUstar ? text(header, 345, 155) : ''
  return prefix ? `${prefix}/${text(header, 0, 100)}` : text(header, 0, 100)
}

/** Records are `<length> key=value\n`. */
function paxPath(data: Buffer): string | undefined {
  return /(?:^|\n)\d+ path=([^\n]*)\n/.exec(data.toString('utf8'))?.[1]
}

/** The sum of the header's bytes, its own field read as blanks. */
function hasRightSum(header: Buffer): boolean {
  let sum = 8 * 32
  for (const [index, byte] of header.entries()) if (index < 148 || index >= 156) sum += byte
  return sum === Number.parseInt(text(header, 148, 8).trim(), 8)
}

function text(bytes: Buffer, start: number, length: number): string {
  const end = bytes.indexOf(0, start)
  const limit = start + length
  return bytes.toString('utf8', start, end === -1 || end > limit ? limit : end)
}

const broken = () => invalid('body', 'is not a whole tar archive: pack it again')
