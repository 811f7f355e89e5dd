import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const ASOUND = '/proc/asound'

/** In frames since the card was last made ready: what it has played, and what it was given. */
export type AlsaPosition = { played: number; given: number }

/**
 * What the kernel counts of the sound of the process `pid`; undefined while it does not own a card,
 * as behind a sound server, and while the card stands still because it ran dry.
 */
export function createAlsaPosition(pid: number, rate: number, root = ASOUND) {
  let status: string | undefined
  let cardRate = rate

  function find() {
    status = globSync('card*/pcm*p/sub*/status', { cwd: root })
      .map((name) => join(root, name))
      .find((path) => field(read(path), 'owner_pid') === pid)
    // A card that cannot do this rate counts in its own.
    if (status) cardRate = field(read(join(dirname(status), 'hw_params')), 'rate') ?? rate
  }

  return (): AlsaPosition | undefined => {
    if (!status) find()
    const now = status ? read(status) : ''
    const played = now.startsWith('state: XRUN') ? undefined : field(now, 'hw_ptr')
    if (played === undefined) return undefined
    const given = field(now, 'appl_ptr') ?? 0
    return { played: (played * rate) / cardRate, given: (given * rate) / cardRate }
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

function field(text: string, name: string): number | undefined {
  const found = new RegExp(`^${name}\\s*: (\\d+)`, 'm').exec(text)
  return found ? Number(found[1]) : undefined
}
