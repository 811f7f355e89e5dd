import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { Regex } from './ast.ts'
import { fold } from './fold.ts'
import { compileRegex } from './regex.ts'
import { regexLiterals } from './regex-literals.ts'

describe('what a value must contain for a regex to be found in it', () => {
  const cases: [source: string, flags: Regex['flags'], clauses: string[][]][] = [
    ['Echo.*clip', {}, [['echo'], ['clip']]],
    ['(?:Invoke|Download)String', {}, [['invoke', 'download'], ['string']]],
    ['(?i)invoke-mimi', {}, [['invoke-mimi']]],
    ['mass', { i: true }, []],
    ['abc+def', {}, [['def']]],
    ['(abc)+(def)?(ghi){2,3}(jkl){0,2}(mno)*', {}, [['abc'], ['ghi']]],
    ['abc|de', {}, []],
    ['(abc|)def', {}, [['def']]],
    ['\\\\temp\\\\[^\\\\]+\\.exe$', {}, [['\\temp\\'], ['.exe']]],
    ['[abc]{3}', {}, []],
    ['a{b}c', {}, []],
    ['abc\\x41def', {}, [['abc'], ['def']]],
    ['\\Qa|b\\E', {}, []],
    ['(?P<name>abcd)(?s:.efg)', {}, [['abcd'], ['efg']]],
    ['x{,5}yzzy', {}, [['yzzy']]],
  ]
  for (const [source, flags, clauses] of cases) {
    test(`${source} requires ${JSON.stringify(clauses)}`, () => {
      assert.deepEqual(regexLiterals({ kind: 'regex', source, flags }), clauses)
    })
  }
})

test('a text in which a generated regex is found has them', () => {
  const word = fc.constantFrom('abc', 'aBcd', 'kiss', 'ſtop', 'éta', '\\.exe', 'K', 'x')
  const quantifier = fc.constantFrom('', '', '', '?', '*', '+', '{2}', '{0,1}', '+?')
  const source = fc.letrec<{ regex: string }>((tie) => ({
    regex: fc.oneof(
      { maxDepth: 3 },
      word,
      fc.tuple(tie('regex'), tie('regex')).map(([a, b]) => a + b),
      fc.tuple(tie('regex'), quantifier).map(([a, many]) => `(?:${a})${many}`),
      fc.tuple(tie('regex'), tie('regex')).map(([a, b]) => `(${a}|${b})`),
      fc.tuple(word, quantifier).map(([a, many]) => a + many),
    ),
  })).regex
  const texts = fc.array(fc.constantFrom('abc', 'ABCD', 'kiſſ', 'STOP', 'Éta', '.exe', 'K', 'x'))
  const caseless = fc.constantFrom<Regex['flags']>({}, { i: true })
  fc.assert(
    fc.property(source, caseless, texts, (pattern, flags, pieces) => {
      const regex: Regex = { kind: 'regex', source: pattern, flags }
      const text = pieces.join('')
      if (!compileRegex(regex)(text)) return
      for (const clause of regexLiterals(regex))
        assert.ok(clause.some((literal) => fold(text).includes(literal)))
    }),
    { numRuns: 2000 },
  )
})
