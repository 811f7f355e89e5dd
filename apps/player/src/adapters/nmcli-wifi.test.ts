import assert from 'node:assert/strict'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { fakeTree } from '../testing/fake-tree.ts'
import { createNmcliWifi } from './nmcli-wifi.ts'
import { createRunCommand } from './run-command.ts'

const PASSWORD = 'it\'s a $ecret: \\ "x" '
// As NetworkManager 1.42 lists them: the marks of use, names with colons escaped, security.
const LISTED = String.raw`*:Home\: 5 GHz:WPA2
 :Home\: 5 GHz:WPA1 WPA2
 :Café:
 :Back\\slash:WPA3
`

type Script = {
  connect?: string
  list?: string
  active?: string
  kept?: string
  /** Of the profile that has joined. */
  security?: string
}

/** A stand-in for `nmcli` that keeps its arguments, environment and input in files. */
function setup(t: TestContext, script: Script | undefined, sysfs: Record<string, string> = {}) {
  const { root, put } = fakeTree(t, sysfs)
  const bin = path.join(root, 'bin')
  const log = path.join(root, 'calls')
  mkdirSync(bin)
  if (script) {
    put({ 'bin/list': '', 'bin/active': '', 'bin/kept': '' })
    writeFileSync(path.join(bin, 'list'), script.list ?? LISTED)
    writeFileSync(path.join(bin, 'active'), script.active ?? '')
    writeFileSync(path.join(bin, 'kept'), script.kept ?? '')
    writeFileSync(
      path.join(bin, 'nmcli'),
      `#!/bin/sh
printf '%s\\n' "$*" >> ${log}
env >> ${log}.env
case "$*" in
  *"device wifi list"*) cat ${bin}/list; exit 0 ;;
  *key-mgmt*) echo '${script.security ?? 'wpa-psk'}'; exit 0 ;;
  *"connection show --active"*) cat ${bin}/active; exit 0 ;;
  *"connection show") cat ${bin}/kept; exit 0 ;;
  *"device wifi connect"*) cat > ${log}.stdin; ${script.connect ?? 'exit 0'} ;;
esac
exit 0
`,
    )
    chmodSync(path.join(bin, 'nmcli'), 0o755)
  }
  const read = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8') : '')
  return {
    wifi: createNmcliWifi({
      root,
      run: createRunCommand(`${bin}:/usr/bin:/bin`),
      interfaces: () => ({
        lo: [address('127.0.0.1', true)],
        eth0: [address('10.0.0.5')],
        wlan0: [address('192.168.1.20')],
      }),
    }),
    calls: () => read(log).split('\n').filter(Boolean),
    stdin: () => read(`${log}.stdin`),
    environment: () => read(`${log}.env`),
  }
}

const address = (ip: string, internal = false) => ({
  address: ip,
  family: 'IPv4' as const,
  internal,
  netmask: '255.255.255.0',
  mac: '00:00:00:00:00:00',
  cidr: `${ip}/24`,
})

test('join: the password goes in on standard input and nowhere else', async (t) => {
  const { wifi, calls, stdin, environment } = setup(t, {})
  assert.deepEqual(await wifi.join('Home: 5 GHz', PASSWORD), { joined: true })
  assert.equal(stdin(), `${PASSWORD}\n`)
  assert.ok(calls().some((call) => call.endsWith('device wifi connect Home: 5 GHz name manara-a')))
  for (const place of [calls().join('\n'), environment()])
    assert.ok(!place.includes('$ecret'), place)
})

test('join: the next network proves itself before the last one is forgotten', async (t) => {
  const { wifi, calls } = setup(t, {
    active: 'u-1:manara-a:802-11-wireless\nu-2:Wired:802-3-ethernet\n',
    kept: 'manara-a\nWired\n',
  })
  await wifi.join('Café', '')
  const steps = calls().map((call) => call.replace(/^.*(connect |delete )/, '$1'))
  assert.deepEqual(steps.slice(3), [
    'delete id manara-b',
    'connect Café name manara-b',
    'delete id manara-a',
  ])
})

test('join: with a password the box does not stay in an open network of the same name', async (t) => {
  const { wifi, calls } = setup(t, {
    list: ' :Home:\n :Home:WPA2\n',
    active: 'u-1:manara-b:802-11-wireless\n',
    security: '',
  })
  const result = await wifi.join('Home', 'password')
  assert.partialDeepStrictEqual(result, { joined: false, failure: 'open_network' })
  assert.match(JSON.stringify(result), /another network of that name/)
  assert.deepEqual(calls().slice(-2), [
    'connection delete id manara-a',
    '--wait 20 connection up uuid u-1',
  ])
})

test('join: after a failure the box is back where it was', async (t) => {
  const { wifi, calls } = setup(t, {
    active: 'u-1:Old net:802-11-wireless\n',
    connect:
      'echo "Error: Connection activation failed: (7) Secrets were required, but not provided." >&2; exit 4',
  })
  const result = await wifi.join('Home: 5 GHz', 'wrong password')
  assert.deepEqual(result, {
    joined: false,
    failure: 'wrong_password',
    reason: 'the network did not accept the password',
  })
  assert.deepEqual(calls().slice(-2), [
    'connection delete id manara-a',
    '--wait 20 connection up uuid u-1',
  ])
})

for (const [where, active] of [
  ['on a cable', 'u-2:Wired:802-3-ethernet\n'],
  ['in a network that it was set up with', 'u-1:preconfigured:802-11-wireless\n'],
] as const)
  test(`join: a box ${where} keeps the network it joined last when the next one fails`, async (t) => {
    const { wifi, calls } = setup(t, {
      ...{ active, kept: 'preconfigured\nmanara-a\nWired\n' },
      connect: 'echo "Error: Timeout 45 sec expired." >&2; exit 3',
    })
    assert.equal((await wifi.join('Home: 5 GHz', 'password')).joined, false)
    assert.deepEqual(
      calls().filter((call) => call.includes('manara-a')),
      [],
    )
  })

test('join: of two that a power cut has left, the one in use is kept', async (t) => {
  const { wifi, calls } = setup(t, {
    ...{ active: 'u-1:manara-b:802-11-wireless\n', kept: 'manara-a\nmanara-b\n' },
    connect: 'echo "Error: Timeout 45 sec expired." >&2; exit 3',
  })
  await wifi.join('Home: 5 GHz', 'password')
  assert.ok(calls().includes('connection delete id manara-a'))
  assert.ok(!calls().includes('connection delete id manara-b'))
})

const FAILURES: [what: string, connect: string, failure: string][] = [
  [
    'a wrong password, as newer versions say it',
    'echo "Error: Connection activation failed: Secrets were required, but not provided." >&2; exit 4',
    'wrong_password',
  ],
  [
    'a supplicant that gives up',
    'echo "Error: Connection activation failed: (11) 802.1X supplicant took too long to authenticate" >&2; exit 4',
    'wrong_password',
  ],
  [
    'a network that went away',
    'echo "Error: Connection activation failed: (53) The Wi-Fi network could not be found" >&2; exit 4',
    'not_found',
  ],
  [
    'a name that is gone from the list',
    `echo "Error: No network with SSID 'Home' found." >&2; exit 10`,
    'not_found',
  ],
  ['no answer in time', 'echo "Error: Timeout 45 sec expired." >&2; exit 3', 'timeout'],
  [
    'no address',
    'echo "Error: Connection activation failed: (5) IP configuration could not be reserved (no available address, timeout, etc.)." >&2; exit 4',
    'no_address',
  ],
  ['no radio', 'echo "Error: No Wi-Fi device found." >&2; exit 1', 'unavailable'],
  [
    'no rights',
    'echo "Error: Failed to add/activate new connection: Not authorized to control networking." >&2; exit 4',
    'refused',
  ],
]

for (const [what, connect, failure] of FAILURES) {
  test(`join tells ${what} by its reason`, async (t) => {
    const result = await setup(t, { connect }).wifi.join('Home: 5 GHz', 'password')
    assert.equal(result.joined, false)
    assert.equal(!result.joined && result.failure, failure)
  })
}

const UNTRIED: [what: string, ssid: string, password: string, failure: string][] = [
  ['a network that is not in range', 'Elsewhere', 'password', 'not_found'],
  ['a protected network without a password', 'Back\\slash', '', 'password_missing'],
  ['an open network with the name of a protected one', 'Café', 'password', 'open_network'],
]

for (const [what, ssid, password, failure] of UNTRIED) {
  test(`join does not try ${what}`, async (t) => {
    const { wifi, calls } = setup(t, {})
    const result = await wifi.join(ssid, password)
    assert.equal(!result.joined && result.failure, failure)
    assert.equal(calls().length, 1)
  })
}

test('join without NetworkManager says so', async (t) => {
  assert.deepEqual(await setup(t, undefined).wifi.join('Home', 'password'), {
    joined: false,
    failure: 'unavailable',
    reason: 'NetworkManager is not installed',
  })
})

const WLAN_UP = {
  'sys/class/net/eth0/operstate': 'up',
  'sys/class/net/wlan0/operstate': 'up',
  'sys/class/net/wlan0/wireless/x': '',
}

test('status: the network in use and its address', async (t) => {
  assert.deepEqual(await setup(t, {}, WLAN_UP).wifi.status(), {
    connected: true,
    ssid: 'Home: 5 GHz',
    ip: '192.168.1.20',
  })
})

test('status without NetworkManager: what the kernel knows', async (t) => {
  assert.deepEqual(await setup(t, undefined, WLAN_UP).wifi.status(), {
    connected: true,
    ssid: '',
    ip: '192.168.1.20',
  })
})

test('status of a box on a cable', async (t) => {
  assert.deepEqual(await setup(t, {}).wifi.status(), { connected: false, ssid: '', ip: '10.0.0.5' })
})
