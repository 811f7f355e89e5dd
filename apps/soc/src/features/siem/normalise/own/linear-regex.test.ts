import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compileGrok } from './compile-grok.ts'
import { GROK_PATTERNS } from './grok-patterns.ts'

const SHORT = 1_000
const LONG = 8_000
/** How the engine looks at a text, one character a time. */
const LOOKS = ['codePointAt', 'charCodeAt', 'charAt'] as const

/** How often a text was looked at: work done, which no busy machine changes. */
function looksAt(text: string, read: (text: string) => unknown): number {
  let looks = 0
  const before = LOOKS.map((name) => [name, String.prototype[name]] as const)
  for (const [name, look] of before) {
    const counting = function counting(this: string, at: number) {
      if (this.length === text.length) looks += 1
      return (look as (at: number) => unknown).call(this, at)
    }
    Object.defineProperty(String.prototype, name, { value: counting, configurable: true })
  }
  try {
    read(text)
  } finally {
    for (const [name, look] of before) {
      Object.defineProperty(String.prototype, name, {
        ...{ value: look, configurable: true, writable: true },
      })
    }
  }
  return looks
}

/** Each takes an engine that goes back the square of the length, or two to its power. */
const HOSTILE: [pattern: string, piece: string, end: string][] = [
  ['^(?<x>(?:a+)+)$', 'a', '!'],
  ['^(?<x>(?:a|aa)+)$', 'a', '!'],
  ['^(?<x>(?:a|a)*)b$', 'a', 'b!'],
  ['(?<x>.*)(?<y>.*)(?<z>.*)=end', 'a=', '=en'],
  ['(?<x>\\w+\\s*)+: end', 'word ', ': en'],
  ['(?<x>(?:[a-z]+\\.)+)[a-z]+@', 'a.', '@!'.slice(1)],
  ['^%{DATA:x} %{DATA:y} %{GREEDYDATA:z} stop$', 'a b ', ' stop!'],
]

test('the work of a pattern of the user’s own grows with the length of the line', () => {
  const names = Object.keys(GROK_PATTERNS).flatMap((name): typeof HOSTILE => [
    [`^%{${name}:x} end$`, '1.a:', ' end!'],
    [`%{${name}:x}-%{${name}:y} end`, '/0-', ' en'],
  ])
  let counted = 0
  for (const [pattern, piece, end] of [...HOSTILE, ...names]) {
    const read = compileGrok({ kind: 'grok', pattern, definitions: {} })
    const line = (length: number) => piece.repeat(Math.floor(length / piece.length)) + end
    const [few, many] = [SHORT, LONG].map((length) => looksAt(line(length), read)) as [
      number,
      number,
    ]
    if (many > LONG) counted += 1
    const growth = LONG / SHORT
    assert.ok(many <= 2 * growth * Math.max(few, SHORT), `${pattern}: ${few} to ${many}`)
  }
  assert.ok(counted > 10, `only ${counted} patterns looked at the text`)
})

test('the count would see an engine that goes back', () => {
  const back = (text: string) => {
    for (let from = 0; from < text.length; from += 1) {
      for (let at = from; at < text.length; at += 1) text.charCodeAt(at)
    }
  }
  const [few, many] = [100, 800].map((length) => looksAt('a'.repeat(length), back))
  assert.ok(Number(many) > 2 * 8 * Number(few))
})
