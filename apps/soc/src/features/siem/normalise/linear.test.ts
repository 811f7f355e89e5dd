import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { CATALOGUE } from './catalogue/catalogue.ts'
import type { TextFormat } from './catalogue/log-format.ts'
import { work } from './scan/work.ts'
import { parseSyslog } from './syslog-header.ts'

const RECEIVED_AT = Date.UTC(2026, 5, 1)
/** What every line is made longer with: what formats put between and around values. */
const PIECES = [
  ...['a', ' ', '1', '=', ' a=', ' a="', '"', '\\"', "'", ',', ',"', ';', '|', '\t', ':', '.', '/'],
  ...['[', ']', '(', ')', '<', '>', '<a>', '&amp;', '-', '%', '{"a":', 'a=1 ', 'a: ', '\\', '\n'],
]
const SHORT = 2_000
const LONG = 16_000

/** A sample with a piece again and again in it: at its beginning, within it and at its end. */
function* hostileLines(line: string, length: number): Iterable<string> {
  const third = Math.floor(line.length / 3)
  for (const at of [0, third, 2 * third, line.length]) {
    for (const piece of [...PIECES, line.slice(at, at + 12) || 'x']) {
      const more = piece.repeat(Math.floor(length / piece.length))
      yield line.slice(0, at) + more + line.slice(at)
    }
  }
  yield `${line} `.repeat(Math.ceil(length / line.length))
}

function stepsOf(format: TextFormat, text: string, process: string | undefined): number {
  const before = work.steps
  format.read(text, { receivedAt: RECEIVED_AT, process, memory: new Map() })
  return work.steps - before
}

const TEXTS = CATALOGUE.filter((format) => format.kind === 'text')

for (const format of TEXTS) {
  test(`the work of ${format.id} grows with the length of the line`, () => {
    for (const { event, program } of format.samples) {
      if (typeof event !== 'string') continue
      const header = parseSyslog(event, { receivedAt: RECEIVED_AT })
      const line = header?.message ?? event
      const process = header?.process ?? program
      const long = hostileLines(line, LONG)[Symbol.iterator]()
      for (const short of hostileLines(line, SHORT)) {
        const text = long.next().value ?? ''
        const [few, many] = [stepsOf(format, short, process), stepsOf(format, text, process)]
        const growth = text.length / short.length
        const shown = JSON.stringify(text.slice(0, 300))
        assert.ok(many <= 2 * growth * Math.max(few, short.length), `${few} to ${many}: ${shown}`)
      }
    }
  })
}

// Tried from every place where it could begin, each time up to the end: the work of a square.
const OPEN_AT_BOTH_ENDS = /\/(?!\^)[^/\n^]*[+*]\)?\$\/[a-z]*[.,)]/

test('no regular expression of a format begins anywhere and runs to the end of the line', () => {
  const catalogue = path.join(import.meta.dirname, 'catalogue')
  const files = globSync('**/*.ts', { cwd: catalogue }).filter((name) => !name.endsWith('.test.ts'))
  assert.ok(files.length > 20)
  for (const name of files) {
    const [found] = OPEN_AT_BOTH_ENDS.exec(readFileSync(path.join(catalogue, name), 'utf8')) ?? []
    assert.equal(found, undefined, name)
  }
})
