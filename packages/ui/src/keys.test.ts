import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Command, createCommands } from './keys.ts'

function keyboard() {
  const state = { now: 0, isCovered: false }
  const commands = createCommands({
    now: () => state.now,
    isTyping: (target) => target === 'input',
    isCovered: () => state.isCovered,
  })
  const done: string[] = []
  const command = (id: string, keys: string, more: Partial<Command> = {}): Command => ({
    ...{ id, title: id, group: 'test', keys, run: () => done.push(id) },
    ...more,
  })
  const press = (key: string, more: object = {}) =>
    commands.hear({
      ...{ key, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false },
      ...{ repeat: false, isComposing: false, target: 'body', preventDefault() {} },
      ...more,
    })
  return { state, commands, command, press, done }
}

test('a key does what it is printed for, and what was added last comes first', () => {
  const { commands, command, press, done } = keyboard()
  commands.add([command('frame', 'e'), command('down', 'j', { alsoKeys: ['ArrowDown'] })])
  const leave = commands.add([command('page', 'e')])
  press('e')
  press('ArrowDown')
  leave()
  press('e')
  assert.deepEqual(done, ['page', 'down', 'frame'])
})

test('while one types, while letters are composed and under a dialog keys are only letters', () => {
  const { state, commands, command, press, done } = keyboard()
  commands.add([command('close', 'e'), command('palette', 'mod+k')])
  press('e', { target: 'input' })
  press('e', { isComposing: true })
  press('e', { altKey: true })
  state.isCovered = true
  press('e')
  assert.deepEqual(done, [])
  press('K', { ctrlKey: true, target: 'input' })
  assert.deepEqual(done, ['palette'])
})

test('a key that is held moves on and on, and changes something once', () => {
  const { commands, command, press, done } = keyboard()
  commands.add([command('down', 'j', { isQuiet: true }), command('close', 'e')])
  for (const key of ['j', 'e']) {
    press(key)
    press(key, { repeat: true })
  }
  assert.deepEqual(done, ['down', 'down', 'close'])
})

test('two keys after another are one command, as long as they follow soon', () => {
  const { state, commands, command, press, done } = keyboard()
  commands.add([command('alerts', 'g a'), command('assign', 'a')])
  press('g')
  press('a')
  press('g')
  state.now = 5_000
  press('a')
  press('g', { shiftKey: true })
  assert.deepEqual(done, ['alerts', 'assign'])
})
