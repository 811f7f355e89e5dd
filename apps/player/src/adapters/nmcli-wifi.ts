import type { networkInterfaces } from 'node:os'
import { createQueue } from '@manara/kit/queue'
import type { Wifi, WifiFailure, WifiJoin, WifiStatus } from '../ports/wifi.ts'
import { joinFailure, terseRows } from './nmcli-output.ts'
import type { RunCommand } from './run-command.ts'
import { openTree, type Tree } from './sysfs/tree.ts'

const WAIT_S = 45
const SCAN_MS = 30_000
// Two names in turn: the network that is kept stays whole until the next one has proved itself.
const PROFILES = ['manara-a', 'manara-b'] as const

const REASONS: Record<WifiFailure, string> = {
  unavailable: 'NetworkManager is not running or there is no Wi-Fi device',
  not_found: 'no network of that name is in range',
  wrong_password: 'the network did not accept the password',
  password_missing: 'this network needs a password',
  open_network: 'this network has no password: send an empty one to join it all the same',
  no_address: 'the network gave the box no address',
  timeout: `the network did not answer within ${WAIT_S} s`,
  refused: 'NetworkManager refused',
}

const TWIN =
  'another network of that name, which has no password, answered in its place: find out whose it is, or try again nearer to yours'

export type NmcliParts = { run: RunCommand; root: string; interfaces: typeof networkInterfaces }

/**
 * Wi-Fi through NetworkManager's own command. The password goes in on standard input, where `--ask`
 * reads it: arguments and environment of a process are open to others on the machine.
 */
export function createNmcliWifi({ run, root, interfaces }: NmcliParts): Wifi {
  const tree = openTree(root)
  const nmcli = (...args: string[]) => run('nmcli', args)

  async function networks(rescan: 'yes' | 'no') {
    const fields = ['--terse', '--fields', 'IN-USE,SSID,SECURITY']
    const outcome = await run('nmcli', [...fields, 'device', 'wifi', 'list', '--rescan', rescan], {
      timeoutMs: SCAN_MS,
    })
    const rows = terseRows(outcome.stdout).map(([inUse, ssid = '', security = '']) => ({
      inUse: inUse === '*',
      ssid,
      isOpen: security === '' || security === '--',
    }))
    return { ...outcome, rows }
  }

  /** A radio that cannot look around now may still know what it saw a minute ago. */
  async function scan() {
    const fresh = await networks('yes')
    return fresh.code === undefined && !fresh.isMissing ? networks('no') : fresh
  }

  async function activeProfile(): Promise<{ uuid: string; name: string } | undefined> {
    const fields = ['--terse', '--fields', 'UUID,NAME,TYPE']
    const { stdout } = await nmcli(...fields, 'connection', 'show', '--active')
    const row = terseRows(stdout).find(([, , type]) => type === '802-11-wireless')
    return row && { uuid: row[0] ?? '', name: row[1] ?? '' }
  }

  /** Not that of a network that is kept, in use or not: it may be all that the box can fall back to. */
  async function spareName(inUse: string | undefined) {
    const { stdout } = await nmcli('--terse', '--fields', 'NAME', 'connection', 'show')
    const kept = terseRows(stdout).map(([name]) => name)
    const isFree = (name: string) => !kept.includes(name)
    return PROFILES.find(isFree) ?? PROFILES.find((name) => name !== inUse) ?? PROFILES[0]
  }

  async function join(ssid: string, password: string): Promise<WifiJoin> {
    const found = await scan()
    if (found.isMissing) return failed('unavailable', 'NetworkManager is not installed')
    if (found.code !== 0) return failed('unavailable')
    const candidates = found.rows.filter((network) => network.ssid === ssid)
    if (candidates.length === 0) return failed('not_found')
    // Or anyone could give an open network the name of a protected one and have the box join it.
    if (password !== '' && candidates.every(({ isOpen }) => isOpen)) return failed('open_network')
    if (password === '' && candidates.every(({ isOpen }) => !isOpen)) {
      return failed('password_missing')
    }

    const before = await activeProfile()
    const name = await spareName(before?.name)
    const other = name === PROFILES[0] ? PROFILES[1] : PROFILES[0]
    await nmcli('connection', 'delete', 'id', name)
    const outcome = await run(
      'nmcli',
      ['--ask', '--wait', `${WAIT_S}`, 'device', 'wifi', 'connect', ssid, 'name', name],
      { input: password === '' ? '' : `${password}\n`, timeoutMs: (WAIT_S + 15) * 1000 },
    )
    const isTwin = outcome.code === 0 && password !== '' && !(await isProtected(name))
    if (outcome.code === 0 && !isTwin) {
      await nmcli('connection', 'delete', 'id', other)
      return { joined: true }
    }
    await nmcli('connection', 'delete', 'id', name)
    if (before) await nmcli('--wait', '20', 'connection', 'up', 'uuid', before.uuid)
    return isTwin ? failed('open_network', TWIN) : failed(joinFailure(outcome))
  }

  /** Of two networks of one name nmcli takes any, and where that is open it asks for no password. */
  async function isProtected(name: string): Promise<boolean> {
    const field = '802-11-wireless-security.key-mgmt'
    const { stdout } = await nmcli('--get-values', field, 'connection', 'show', 'id', name)
    return stdout.trim() !== ''
  }

  // Two at once would take each other's profile for the one to fall back to.
  const joins = createQueue()

  return {
    join: (ssid, password) => joins.run(() => join(ssid, password)),

    async status(): Promise<WifiStatus> {
      const wireless = await wirelessInterfaces(tree)
      const up = wireless.filter(({ isUp }) => isUp).map(({ name }) => name)
      const inUse = up.length > 0 ? (await networks('no')).rows.find((row) => row.inUse) : undefined
      return {
        connected: up.length > 0,
        ssid: inUse?.ssid ?? '',
        ip: addressOf(interfaces(), up),
      }
    },
  }
}

const failed = (failure: WifiFailure, reason = ''): WifiJoin => ({
  joined: false,
  failure,
  reason: reason || REASONS[failure],
})

async function wirelessInterfaces(tree: Tree) {
  const names = await tree.list('sys/class/net')
  const looked = await Promise.all(
    names.map(async (name) => ({
      name,
      isWireless: (await tree.list(`sys/class/net/${name}`)).includes('wireless'),
      isUp: (await tree.read(`sys/class/net/${name}/operstate`)) === 'up',
    })),
  )
  return looked.filter(({ isWireless }) => isWireless)
}

/** Of the Wi-Fi when it is up, else of a cable. */
function addressOf(interfaces: ReturnType<typeof networkInterfaces>, wireless: string[]): string {
  const usable = Object.entries(interfaces)
    .flatMap(([name, addresses]) => (addresses ?? []).map((address) => ({ name, ...address })))
    .filter(({ family, internal }) => family === 'IPv4' && !internal)
  const first = usable.find(({ name }) => wireless.includes(name)) ?? usable[0]
  return first?.address ?? ''
}
