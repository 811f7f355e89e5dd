import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exampleOf, type Schema } from './openapi-example.ts'

const source = {
  schemas: { Host: { type: 'string' }, Tree: { type: 'object', properties: {} } },
  samples: { title: 'Failed sign-ins', count: 3 },
}
const answered = (schema: Schema) => exampleOf(schema, source, 'answered')
const sent = (schema: Schema) => exampleOf(schema, source, 'sent')

test('an example fits its schema', () => {
  assert.equal(answered({ type: 'string', enum: ['a', 'b'] }), 'a')
  assert.equal(answered({ type: 'integer', minimum: 5 }), 5)
  assert.equal(answered({ type: ['null', 'boolean'] }), false)
  assert.equal(answered({ anyOf: [{ type: 'null' }, { const: 7 }] }), 7)
  assert.equal(String(answered({ type: 'string', pattern: '^[0-9a-f]{64}$' })).length, 64)
  assert.match(String(answered({ type: 'string', format: 'date-time' })), /Z$/)
  assert.deepEqual(answered({ type: 'array', items: { $ref: '#/components/schemas/Host' } }), [
    'example',
  ])
})

test('what is sent has what is required, what is answered everything', () => {
  const schema: Schema = {
    type: 'object',
    required: ['title'],
    properties: { title: { type: 'string' }, count: { type: 'integer' } },
  }
  assert.deepEqual(sent(schema), { title: 'Failed sign-ins' })
  assert.deepEqual(answered(schema), { title: 'Failed sign-ins', count: 3 })
  const change: Schema = { type: 'object', properties: schema.properties ?? {} }
  assert.deepEqual(sent(change), { title: 'Failed sign-ins' })
})

test('a sample that does not fit is left alone, and a schema within itself ends', () => {
  const schemas: Record<string, Schema> = {}
  schemas.Tree = {
    type: 'object',
    properties: { title: { type: 'integer' }, below: { $ref: '#/components/schemas/Tree' } },
  }
  const tree = exampleOf(schemas.Tree, { ...source, schemas }, 'answered') as { title: number }
  assert.equal(tree.title, 1)
})
