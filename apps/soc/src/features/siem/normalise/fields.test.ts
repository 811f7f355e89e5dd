import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { flatten, isTooDeep, type JsonMap, OVERFLOW, rebuild } from './fields.ts'

const stored = (object: JsonMap) => {
  const { fields, isExact } = flatten(object)
  return { fields, original: isExact ? null : JSON.stringify(object) }
}

const EXAMPLES: [object: JsonMap, fields: object, isExact: boolean][] = [
  [{ a: 1, b: 'x', c: null, d: true }, { a: 1, b: 'x', c: null, d: true }, true],
  [{ process: { name: 'sh', pid: 1 } }, { 'process.name': 'sh', 'process.pid': 1 }, true],
  [{ tags: ['a', 1, null], none: [] }, { tags: ['a', 1, null], none: [] }, true],
  [{ 'process.name': 'sh' }, { 'process.name': 'sh' }, false],
  [{ a: {} }, {}, false],
  [{ list: [{ a: 1 }, { a: 2, b: 3 }, 4] }, { 'list.a': [1, 2], 'list.b': 3, list: 4 }, false],
  [{ 'a.b': 1, a: { b: 2 } }, { 'a.b': [1, 2] }, false],
  [{ t: 'a\0b\ud800' }, { t: 'a\ufffdb\ufffd' }, false],
]

for (const [object, fields, isExact] of EXAMPLES) {
  test(`${JSON.stringify(object)} flat`, () => {
    assert.deepEqual(flatten(object), { fields, isExact })
    assert.deepEqual(rebuild(stored(object)), object)
  })
}

test('what a parser added is in the rebuilt fields, whether or not the original was kept', () => {
  const exact = { fields: { a: 1, 'http.method': 'GET' }, original: null }
  assert.deepEqual(rebuild(exact), { a: 1, http: { method: 'GET' } })
  const kept = { fields: { 'a.b': 1, EventID: 5 }, original: '{"a.b":1}' }
  assert.deepEqual(rebuild(kept), { 'a.b': 1, EventID: 5 })
})

test('a name that stands for a value and for a path keeps both, in whichever order they came', () => {
  const names = fc.constantFrom('a', 'b', 'a.b', 'b.a', 'a.b.c', 'b.a.c')
  fc.assert(
    fc.property(fc.dictionary(names, fc.integer()), (fields) => {
      assert.deepEqual({ ...flatten(rebuild({ fields, original: null })).fields }, { ...fields })
    }),
  )
})

test('what a line says under the name of an object takes nothing from it', () => {
  const original = '{"a":{"b":1,"c":[{"d":2},{"d":3}]},"e":{}}'
  const { fields } = flatten(JSON.parse(original))
  assert.deepEqual(rebuild({ fields: { ...fields, a: 'typed' }, original }), {
    ...{ a: 'typed', 'a.b': 1, 'a.c.d': [2, 3] },
    e: {},
  })
})

test('beyond a thousand fields the rest is text, and the original is whole', () => {
  const object = Object.fromEntries(Array.from({ length: 3_000 }, (_, n) => [`name${n}`, n]))
  const { fields, original } = stored(object)
  assert.equal(Object.keys(fields).length, 1_001)
  assert.match(String(fields[OVERFLOW]), /"name2999":2999/)
  assert.deepEqual(rebuild({ fields: {}, original }), object)
})

test('a name with more dots than an object has levels is one name', () => {
  for (const name of ['a.'.repeat(100_000), `${'a.'.repeat(17)}b`]) {
    const { fields } = flatten({ [name]: 1 }, true)
    assert.deepEqual(JSON.parse(JSON.stringify(rebuild({ fields, original: null }))), { [name]: 1 })
  }
})

test('beneath sixteen levels the rest is text', () => {
  let object: JsonMap = { deepest: 'treasure' }
  for (let n = 0; n < 40; n += 1) object = { n: object }
  const [value] = Object.values(flatten(object).fields)
  assert.match(String(value), /"deepest":"treasure"/)
})

test('JSON too deep to walk is known as such', () => {
  assert.equal(isTooDeep('['.repeat(100_000)), true)
  assert.equal(isTooDeep('[[]]'.repeat(100_000)), false)
  const nested = (depth: number) => `${'{"a":['.repeat(depth / 2)}1${']}'.repeat(depth / 2)}`
  assert.equal(isTooDeep(nested(200)), false)
  assert.equal(isTooDeep(nested(202)), true)
  assert.equal(isTooDeep(`${'[]'.repeat(150)}${nested(200)}`), false, 'side by side')
})

test('brackets inside texts are no nesting', () => {
  const open = '[{'.repeat(200)
  for (const text of [open, `"${open}`, `${open}\\`, `\\"${open}\\\\"`, `\\\\${open}`]) {
    const json = JSON.stringify({ [text]: text, list: [text, text] })
    assert.equal(isTooDeep(json), false, json.slice(0, 20))
    const deep = `${json.slice(0, -1)},"deep":${'['.repeat(201)}${']'.repeat(201)}}`
    assert.equal(isTooDeep(deep), true, 'what comes after them counts')
  }
  const cutOff = JSON.stringify(Array.from({ length: 250 }, (_, n) => `${n}: cut off {"a`))
  assert.equal(isTooDeep(cutOff), false, 'many texts together')
  assert.equal(isTooDeep(`{"never closed ${open}`), false)
})

test('__proto__ changes nothing and stays searchable', () => {
  const { fields } = flatten(JSON.parse('{"__proto__":{"a":1},"b":2}'))
  assert.deepEqual(Object.values(fields), [1, 2])
  assert.equal(Object.getPrototypeOf(fields), Object.prototype)
})

test('any object comes back as it was', () => {
  const values = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 4 }), { maxKeys: 8 })
  fc.assert(
    fc.property(values, (value) => {
      const object = JSON.parse(JSON.stringify(value))
      assert.deepEqual(rebuild(stored(object)), object)
    }),
    { numRuns: 500 },
  )
})
