import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { type AudioChoice, createAudioOutput, type Machine } from './audio-output.ts'

type Has = { programs?: string[]; card?: boolean; pipewire?: boolean }

const machine = ({ programs = [], card = false, pipewire = false }: Has): Machine => ({
  hasProgram: (name) => programs.includes(name),
  hasSoundCard: () => card,
  hasPipewire: () => pipewire,
})

async function choose(choice: Omit<AudioChoice, 'machine'>, has: Has) {
  const { output, fallbacks } = await createAudioOutput({ ...choice, machine: machine(has) })
  const { engine, sink } = output
  await output.close()
  return { engine, sink, fallbacks }
}

const capture = `capture:${join(tmpdir(), 'never-written.raw')}`
const everything = { programs: ['aplay', 'pw-cat'], card: true, pipewire: true }

const table: [choice: Omit<AudioChoice, 'machine'>, has: Has, sink: string, fallbacks: string[]][] =
  [
    [{ engine: 'auto', sink: 'auto' }, everything, 'pw-cat', []],
    [{ engine: 'auto', sink: 'auto' }, { programs: ['aplay'], card: true }, 'aplay', []],
    [
      { engine: 'auto', sink: 'auto' },
      { programs: ['aplay', 'pw-cat'] },
      'null',
      ['no sound device found; sound goes to the null sink'],
    ],
    [
      { engine: 'embedded', sink: 'auto' },
      { card: true },
      'null',
      ['aplay not installed; sound goes to the null sink'],
    ],
    [{ engine: 'embedded', sink: 'aplay' }, everything, 'aplay', []],
    [
      { engine: 'embedded', sink: 'aplay' },
      { programs: ['aplay'] },
      'null',
      ['no sound device found for aplay; sound goes to the null sink'],
    ],
    [{ engine: 'embedded', sink: 'null' }, everything, 'null', []],
    [{ engine: 'auto', sink: capture }, { programs: ['mpv'] }, 'capture', []],
    [
      { engine: 'mpv', sink: capture },
      { programs: ['mpv'] },
      'capture',
      ['mpv cannot capture its output; playing with the embedded engine'],
    ],
    [
      { engine: 'mpv', sink: 'null' },
      everything,
      'null',
      ['mpv is not installed; playing with the embedded engine'],
    ],
    [{ engine: 'embedded', sink: 'alsa:plughw:0' }, everything, 'alsa:plughw:0', []],
    [{ engine: 'embedded', sink: 'pipewire:usb' }, everything, 'pipewire:usb', []],
    [
      { engine: 'embedded', sink: 'alsa:plughw:0' },
      { card: true },
      'null',
      ['aplay not installed; sound goes to the null sink'],
    ],
  ]

for (const [choice, has, sink, fallbacks] of table)
  test(`engine ${choice.engine} and sink ${choice.sink} with ${JSON.stringify(has)} is ${sink}`, async () => {
    assert.deepEqual(await choose(choice, has), { engine: 'embedded', sink, fallbacks })
  })

test('a device that comes later is found, and is where auto leads to from then on', async (t) => {
  const has: Has = { programs: ['aplay'] }
  const later: Machine = { ...machine(has), hasSoundCard: () => has.card === true }
  const chosen = await createAudioOutput({ engine: 'embedded', sink: 'auto', machine: later })
  const { output, findDevice } = chosen
  t.after(() => output.close())
  assert.deepEqual([findDevice?.(), output.sink], [false, 'null'])
  has.card = true
  assert.equal(findDevice?.(), true)
  await output.useOutput('auto')
  assert.equal(output.sink, 'aplay')
})

test('where a device is there, or none was asked for, none is looked for', async (t) => {
  for (const [sink, has] of [
    ['auto', everything],
    ['null', {}],
    ['alsa:plughw:0', everything],
  ] as const) {
    const chosen = { engine: 'embedded', sink, machine: machine(has) } as const
    const { output, findDevice } = await createAudioOutput(chosen)
    t.after(() => output.close())
    assert.equal(findDevice, undefined)
  }
})
