import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  count,
  directory,
  flag,
  oneOf,
  port,
  readEnv,
  secret,
  text,
  url,
  wordOrPrefixed,
} from './env.ts'

const KINDS = {
  PORT: port(80),
  MODE: oneOf(['real', 'dry_run', 'dummy'], 'real'),
  DEVICE: wordOrPrefixed(['auto', 'off'], ['serial:'], 'auto'),
  TLS: flag(true),
  LIMIT: count(5, { min: 1, max: 9 }),
  HOST: text('localhost'),
  DATA: directory('data'),
  DATABASE: url(['postgres', 'postgresql']),
  PASSWORD: secret({ minLength: 8 }),
}

test('settings that are absent or empty take their defaults', () => {
  const settings = readEnv({ PORT: '', TLS: '  ' }, KINDS)
  assert.deepEqual(
    { ...settings, DATA: settings.DATA.endsWith('/data') },
    {
      PORT: 80,
      MODE: 'real',
      DEVICE: 'auto',
      TLS: true,
      LIMIT: 5,
      HOST: 'localhost',
      DATA: true,
      DATABASE: undefined,
      PASSWORD: undefined,
    },
  )
})

test('settings are parsed to their types', () => {
  const env = { PORT: '8443', MODE: 'dummy', TLS: 'off', LIMIT: '9', DATA: '/var/lib/x' }
  const { PORT, MODE, TLS, LIMIT, DATA } = readEnv(env, KINDS)
  assert.deepEqual([PORT, MODE, TLS, LIMIT, DATA], [8443, 'dummy', false, 9, '/var/lib/x'])
})

test('a word or a prefix with something after it is kept as it is', () => {
  for (const DEVICE of ['auto', 'off', 'serial:/dev/ttyUSB0']) {
    assert.equal(readEnv({ DEVICE }, KINDS).DEVICE, DEVICE)
  }
})

const REFUSED: [env: NodeJS.ProcessEnv, message: string][] = [
  [{ PORT: 'abc' }, 'PORT: must be a port, got "abc"'],
  [{ PORT: '65536' }, 'PORT: must be a port, got "65536"'],
  [{ PORT: '-1' }, 'PORT: must be a port, got "-1"'],
  [{ PORT: '80.5' }, 'PORT: must be a port, got "80.5"'],
  [{ MODE: 'Real' }, 'MODE: must be real, dry_run or dummy, got "Real"'],
  [{ DEVICE: 'serial:' }, 'DEVICE: must be auto, off or serial:…, got "serial:"'],
  [{ DEVICE: 'usb' }, 'DEVICE: must be auto, off or serial:…, got "usb"'],
  [{ TLS: 'maybe' }, 'TLS: must be on or off, got "maybe"'],
  [{ LIMIT: '10' }, 'LIMIT: must be a whole number from 1 to 9, got "10"'],
  [{ LIMIT: '1e1' }, 'LIMIT: must be a whole number from 1 to 9, got "1e1"'],
]

for (const [env, message] of REFUSED) {
  test(`a bad setting stops the start with one line: ${message}`, () => {
    assert.throws(() => readEnv(env, KINDS), { name: 'StartError', message })
  })
}

test('the value of a setting that may hold a secret is not shown', () => {
  const address = { DATABASE: 'mysql://root:hunter22@db' }
  assert.throws(
    () => readEnv(address, KINDS),
    (error: Error) => !error.message.includes('hunter'),
  )
  assert.throws(() => readEnv({ PASSWORD: 'hunter2' }, KINDS), {
    message: 'PASSWORD: must have at least 8 characters',
  })
})
