import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  bytes,
  count,
  countsByName,
  directory,
  flag,
  hosts,
  listenAddress,
  networks,
  oneOf,
  origins,
  port,
  readEnv,
  secret,
  text,
  unknownSettings,
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
  SIZE: bytes(0),
  DAYS: countsByName({ min: 1, max: 9 }),
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
      SIZE: 0,
      DAYS: {},
    },
  )
})

test('settings are parsed to their types', () => {
  const env = { PORT: '8443', MODE: 'dummy', TLS: 'off', LIMIT: '9', DATA: '/var/lib/x' }
  const { PORT, MODE, TLS, LIMIT, DATA } = readEnv(env, KINDS)
  assert.deepEqual([PORT, MODE, TLS, LIMIT, DATA], [8443, 'dummy', false, 9, '/var/lib/x'])
})

test('sizes and counts by name are read as people write them', () => {
  for (const [SIZE, size] of [
    ['512', 512],
    ['2K', 2048],
    ['500GB', 500 * 2 ** 30],
  ] as const) {
    assert.equal(readEnv({ SIZE }, KINDS).SIZE, size)
  }
  const { DAYS } = readEnv({ DAYS: 'dns=7, my app = 9' }, KINDS)
  assert.deepEqual(DAYS, { dns: 7, 'my app': 9 })
})

test('a word or a prefix with something after it is kept as it is', () => {
  for (const DEVICE of ['auto', 'off', 'serial:/dev/ttyUSB0']) {
    assert.equal(readEnv({ DEVICE }, KINDS).DEVICE, DEVICE)
  }
})

const REFUSED: [env: NodeJS.ProcessEnv, message: string][] = [
  [{ PORT: 'abc' }, 'PORT: must be a port, got "abc"'],
  [{ SIZE: '5 apples' }, 'SIZE: must be a number of bytes, such as 500G, got "5 apples"'],
  [{ DAYS: 'dns' }, 'DAYS: must be name=number, separated by commas, from 1 to 9, got "dns"'],
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

const LISTEN: [text: string, address: object | undefined][] = [
  ['off', undefined],
  ['5514', { host: undefined, port: 5514 }],
  ['0.0.0.0:514', { host: '0.0.0.0', port: 514 }],
  ['log.example.test:514', { host: 'log.example.test', port: 514 }],
  ['[::1]:0', { host: '::1', port: 0 }],
]
for (const [text, address] of LISTEN) {
  test(`listen on ${text}`, () => {
    assert.deepEqual(readEnv({ AT: text }, { AT: listenAddress() }).AT, address)
  })
}

for (const text of ['70000', '::1:514', 'host:', 'host', ':514', '1.2.3.4:x']) {
  test(`no address to listen on: ${text}`, () => {
    assert.throws(
      () => readEnv({ AT: text }, { AT: listenAddress() }),
      /^StartError: AT: must be a port/,
    )
  })
}

test('hosts are names, addresses and networks, some with a port', () => {
  const text = 'hooks.lan:8080, 10.1.0.0/16,::1, [fe80::1]:80 ,fd00::/8, localhost'
  assert.deepEqual(readEnv({ ALLOW: text }, { ALLOW: hosts() }).ALLOW, [
    'hooks.lan:8080',
    '10.1.0.0/16',
    '::1',
    '[fe80::1]:80',
    'fd00::/8',
    'localhost',
  ])
  assert.deepEqual(readEnv({}, { ALLOW: hosts() }).ALLOW, [])
  for (const bad of ['10.0.0.0/33', 'x/8', 'a,,b', 'http://x', 'a b', '10.0.0.0/']) {
    assert.throws(() => readEnv({ ALLOW: bad }, { ALLOW: hosts() }), /^StartError: ALLOW: /, bad)
  }
})

test('origins and networks are lists; what is neither stops the start', () => {
  const kinds = { ORIGINS: origins(), PROXIES: networks() }
  const read = readEnv(
    { ORIGINS: 'https://Player.example.org, radio.lan:81,[::1]', PROXIES: '127.0.0.1, fd00::/8' },
    kinds,
  )
  assert.deepEqual(read.ORIGINS, ['https://player.example.org', 'radio.lan:81', '[::1]'])
  assert.deepEqual(read.PROXIES, ['127.0.0.1', 'fd00::/8'])
  for (const ORIGINS of ['*', 'https://a.example/path', 'ftp://a.example', 'a b', 'https://u@a']) {
    assert.throws(() => readEnv({ ORIGINS }, kinds), /^StartError: ORIGINS: /)
  }
  for (const PROXIES of ['proxy.lan', '10.0.0.0/33', '10.0.0.0/', 'all']) {
    assert.throws(() => readEnv({ PROXIES }, kinds), /^StartError: PROXIES: .* is no address/)
  }
})

test('a variable that begins like ours and is none is told with the nearest name', () => {
  const env = { SOC_PROT: '1', SOC_PORT: '2', SOC_WHATEVER_THIS_IS: '3', HOME: '/' }
  assert.deepEqual(unknownSettings(env, 'SOC_', ['SOC_PORT', 'SOC_HOST']), [
    'SOC_PROT is no setting and has no effect: did you mean SOC_PORT?',
    'SOC_WHATEVER_THIS_IS is no setting and has no effect',
  ])
})
