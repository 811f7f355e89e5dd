import { spawnSync } from 'node:child_process'
import { accessSync, constants, globSync } from 'node:fs'
import path from 'node:path'

/**
 * What tests on real engines need beyond npm, as Debian names it. A suite that needs one ends in
 * `.<command>.test.ts` and is left out, by name, where the command is missing.
 */
export const TEST_PACKAGES: DebianPackage[] = [
  {
    name: 'mpv',
    command: 'mpv',
    why: 'the audio engine of devices: the contract test of audio outputs runs on it',
  },
  {
    name: 'pcscd',
    command: 'pcscd',
    why: 'the daemon of USB card readers: our client of its socket is tested on it',
  },
  {
    name: 'vsmartcard-vpcd',
    command: 'vpcd-config',
    suite: 'pcscd',
    why: 'a reader for pcscd without hardware, whose cards the tests put down and lift',
  },
  {
    name: 'socat',
    command: 'socat',
    why: 'a pair of pseudo-terminals: a PN532 is emulated at one end and read at the other',
  },
  {
    name: 'util-linux-extra',
    command: 'hwclock',
    why: 'sets clock chips: the command we give it is tested with its --test',
  },
  {
    name: 'zbar-tools',
    command: 'zbarimg',
    why: 'reads the code that pairs a phone from the screen, as its camera would',
  },
  {
    name: 'openssl',
    command: 'openssl',
    why: 'a time-stamping authority, a signer outside the service, and a judge of our certificates',
  },
  { name: 'curl', command: 'curl', why: 'sends logs as the documentation of protocols has it' },
  { name: 'bsdutils', command: 'logger', why: 'sends syslog in each of its forms' },
  {
    name: 'rsyslog',
    command: 'rsyslogd',
    why: 'the syslog daemon of most Linux machines, as a sender of logs',
  },
  {
    name: 'rsyslog-elasticsearch',
    command: 'rsyslogd',
    library: 'rsyslog/omelasticsearch.so',
    why: 'its module for the Elastic protocol',
  },
  {
    name: 'clickhouse-server',
    command: 'clickhouse-server',
    why: 'the log store of large teams: its adapter is tested on one server and on two shards',
  },
  {
    name: 'mosquitto',
    command: 'mosquitto',
    why: 'the broker of most houses and plants: the player and the devices of the soc are tested on it',
  },
  {
    name: 'chromium',
    command: 'chromium',
    why: 'prints reports as PDF, and opens our pages where its smaller form is not to be had',
  },
]

/** What tests can do without, but take longer then. */
export const SPARING_PACKAGES: DebianPackage[] = [
  {
    name: 'chromium-headless-shell',
    command: 'chromium-headless-shell',
    suite: 'chromium',
    why: 'opens our pages with half the work of a browser that has windows',
  },
]

/** What benchmarks measure us beside. */
export const BENCH_PACKAGES: DebianPackage[] = [
  { name: 'mpd', command: 'mpd', why: 'the music player daemon, for scan and command times' },
]

export type DebianPackage = {
  name: string
  command: string
  why: string
  /** What it adds to the command, below /usr/lib/<machine>, where that tells it from another. */
  library?: string
  /** The suite that needs it, where that is not named after the command. */
  suite?: string
}

export const missing = (packages: DebianPackage[]): DebianPackage[] =>
  packages.filter(({ command, library }) => !isInstalled(command) || (library && !isThere(library)))

/** Installs with apt where this user may; says in a word why not otherwise. */
export function install(packages: DebianPackage[]): string | undefined {
  if (!isInstalled('apt-get')) return 'this machine has no apt-get'
  const sudo = process.getuid?.() === 0 ? [] : ['sudo', '-n']
  if (sudo.length > 0 && spawnSync('sudo', ['-n', 'true']).status !== 0) {
    return 'installing needs root, and sudo asks for a password'
  }
  for (const { name, why } of packages) process.stdout.write(`installing ${name}: ${why}\n`)
  const names = packages.map(({ name }) => name)
  for (const args of [
    ['update', '-q'],
    ['install', '-q', '-y', '--no-install-recommends', ...names],
  ]) {
    if (!aptGet(sudo, args)) return `apt-get ${args[0]} failed`
  }
  return undefined
}

const PATIENCE_S = 600

/** Another installer may be at work: its end is waited for, also at the lists, where apt itself does not. */
function aptGet(sudo: string[], args: string[]): boolean {
  const options = ['-o', `DPkg::Lock::Timeout=${PATIENCE_S}`]
  const [command = '', ...rest] = [...sudo, 'apt-get', ...options, ...args]
  const givenUpAt = Date.now() + PATIENCE_S * 1000
  for (;;) {
    const { status, stderr } = spawnSync(command, rest, {
      stdio: ['ignore', 'ignore', 'pipe'],
      encoding: 'utf8',
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    })
    if (status === 0) return true
    if (!/Could not get lock/.test(stderr) || Date.now() > givenUpAt) {
      process.stderr.write(stderr)
      return false
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_000)
  }
}

const isThere = (library: string) => globSync(`/usr/lib/*/${library}`).length > 0

// Daemons are not on the path of every user.
function isInstalled(command: string): boolean {
  return `${process.env.PATH ?? ''}:/usr/sbin:/sbin`.split(':').some((directory) => {
    try {
      accessSync(path.join(directory, command), constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}
