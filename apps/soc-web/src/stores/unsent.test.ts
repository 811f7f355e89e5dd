import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signal } from '@preact/signals'
import { createUnsent, takeSent } from './unsent.ts'

test('what was typed is there until it is sent, and there is something to lose so long', () => {
  const unsent = createUnsent()
  const text = unsent.text('comment')
  assert.equal(unsent.isAny(), false)
  text.value = 'It began with'
  assert.deepEqual([unsent.text('comment').value, unsent.isAny()], ['It began with', true])
  text.value = ''
  unsent.keepDraft('rule', { name: 'Half' })
  assert.deepEqual([unsent.draft('rule'), unsent.isAny()], [{ name: 'Half' }, true])
  unsent.keepDraft('rule', undefined)
  assert.deepEqual([unsent.draft('rule'), unsent.isAny()], [undefined, false])
})

test('who leaves leaves nothing behind', () => {
  const unsent = createUnsent()
  unsent.text('comment').value = 'not for others'
  unsent.keepDraft('rule', {})
  unsent.forget()
  assert.deepEqual([unsent.text('comment').value, unsent.isAny()], ['', false])
})

test('what is typed while a text is sent stays', () => {
  const left = (typed: string) => {
    const text = signal(typed)
    takeSent(text, 'first thought')
    return text.value
  }
  assert.equal(left('first thought'), '')
  assert.equal(left('first thought\n\nand a second'), 'and a second')
  // Nobody can say what of it was sent.
  assert.equal(left('the first thought'), 'the first thought')
})
