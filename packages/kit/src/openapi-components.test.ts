import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tidyComponents } from './openapi-components.ts'

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })

test('components are those that are used, under plain names where nothing differs', () => {
  const { paths, schemas } = tidyComponents(
    { a: [ref('AlertInput'), ref('Alert'), ref('TagInput'), ref('CaseInput'), ref('Case')] },
    {
      Alert: { title: ref('Text') },
      AlertInput: { title: ref('TextInput') },
      Text: { type: 'string' },
      TextInput: { type: 'string' },
      Tag: { type: 'string', default: 'x' },
      TagInput: { type: 'string' },
      Case: { required: ['a'] },
      CaseInput: {},
      Unused: {},
    },
  )
  assert.deepEqual(Object.keys(schemas).sort(), ['Alert', 'Case', 'CaseInput', 'Tag', 'Text'])
  assert.deepEqual(paths, {
    a: [ref('Alert'), ref('Alert'), ref('Tag'), ref('CaseInput'), ref('Case')],
  })
})
