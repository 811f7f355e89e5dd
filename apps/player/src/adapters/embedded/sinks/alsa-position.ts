import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const ASOUND = '/proc/asound'

/**
 * Frames that the sound card has played for the process `pid`, as the kernel counts them; undefined
 * while it does not own a card, as behind a sound server.
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

  return (): number | undefined => {
    if (!status) find()
    const frames = status ? field(read(status), 'hw_ptr') : undefined
    return frames === undefined ? undefined : (frames * rate) / cardRate
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
