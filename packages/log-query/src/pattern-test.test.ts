import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { RE2JS } from 're2js'
import type { Pattern, PatternPart } from './ast.ts'
import { fold, quoteRegex } from './fold.ts'
import { compileAnyWhole, compileInside, compileWhole } from './pattern-test.ts'

const text = fc
  .array(fc.constantFrom('a', 'B', 'ab', '😀', 'É', '\n', '.'), { maxLength: 6 })
  .map((chars) => chars.join(''))
const part = fc.oneof<fc.Arbitrary<PatternPart>[]>(
  text.filter((literal) => literal !== ''),
  fc.constant({ any: 'run' }),
  fc.constant({ any: 'one' }),
)

test('wildcards match as the same pattern written as a regex', () => {
  fc.assert(
    fc.property(fc.array(part, { maxLength: 6 }), text, fc.boolean(), (parts, value, isCased) => {
      const source = parts
        .map((piece) =>
          typeof piece === 'string'
            ? quoteRegex(isCased ? piece : fold(piece))
            : piece.any === 'run'
              ? '.*'
              : '.',
        )
        .join('')
      const pattern = {
        kind: 'pattern' as const,
        parts,
        ...(isCased && { isCaseSensitive: true as const }),
      }
      const subject = isCased ? value : fold(value)
      assert.equal(compileWhole(pattern)(subject), RE2JS.compile(`(?s)^${source}$`).test(subject))
      assert.equal(compileInside(pattern)(subject), RE2JS.compile(`(?s)${source}`).test(subject))
    }),
    { numRuns: 3000 },
  )
})

test('many patterns together match as each of them alone', () => {
  const pattern = fc
    .array(part, { maxLength: 4 })
    .map((parts): Pattern => ({ kind: 'pattern', parts }))
  fc.assert(
    fc.property(fc.array(pattern, { maxLength: 5 }), text.map(fold), (patterns, value) =>
      assert.equal(
        compileAnyWhole(patterns)(value),
        patterns.some((one) => compileWhole(one)(value)),
      ),
    ),
    { numRuns: 2000 },
  )
})
