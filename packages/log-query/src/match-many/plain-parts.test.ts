import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { fold } from '../fold.ts'
import { createPlainParts } from './plain-parts.ts'

const anyText = fc.string({ unit: fc.constantFrom(...'aAKİſ{$}[@`_09.:\0é＄'), maxLength: 12 })

test('a text in which a literal stands, in whatever case, is never passed over', () => {
  const literals = fc.array(anyText.map(fold), { minLength: 1, maxLength: 6 })
  fc.assert(
    fc.property(literals, fc.array(anyText), anyText, (staying, going, around) => {
      const parts = createPlainParts()
      for (const literal of [...staying, ...going]) parts.add(literal)
      for (const literal of going) parts.remove(literal)
      for (const literal of staying) {
        const texts = [`${literal}${around}`, `${around}${literal.toUpperCase()}`]
        const having = texts.filter((text) => fold(text).includes(literal))
        assert.deepEqual(having.filter(parts.mayStandIn), having)
      }
    }),
  )
})

test('a text without the parts of a few literals is passed over', () => {
  const parts = createPlainParts()
  parts.add('%{jndi:')
  assert.equal(parts.mayStandIn('costs 5% {at least}'), false)
  assert.equal(parts.mayStandIn('a %{JNDI:'), true)
  parts.add('mimikatz')
  assert.equal(parts.mayStandIn('costs 5%'), true, 'this one has letters only')
  parts.remove('mimikatz')
  assert.equal(parts.mayStandIn('costs 5%'), false)
})
