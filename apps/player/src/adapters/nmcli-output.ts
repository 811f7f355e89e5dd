import type { WifiFailure } from '../ports/wifi.ts'
import type { Outcome } from './run-command.ts'

/** One line of `nmcli --terse`: fields between colons, with `\:` and `\\` inside them. */
function terseFields(line: string): string[] {
  const fields: string[] = []
  let field = ''
  for (const [part] of line.matchAll(/\\.|./gsu)) {
    if (part === ':') {
      fields.push(field)
      field = ''
    } else field += part.length > 1 && part.startsWith('\\') ? part.slice(1) : part
  }
  return [...fields, field]
}

export const terseRows = (stdout: string): string[][] =>
  stdout.split('\n').filter(Boolean).map(terseFields)

const TIMEOUT = 3
const NOT_RUNNING = 8
const NOT_THERE = 10

// The sentences of NetworkManager's device state reasons, in English by LC_ALL.
const SENTENCES: [RegExp, WifiFailure][] = [
  [
    /secrets were required|supplicant (disconnected|failed|took too long)|psk.*invalid/i,
    'wrong_password',
  ],
  [/network could not be found|no network with ssid/i, 'not_found'],
  [/ip configuration|dhcp/i, 'no_address'],
  [/timeout/i, 'timeout'],
  [/no wi-fi device|not running|could not create NMClient/i, 'unavailable'],
]

/** Why `nmcli device wifi connect` failed: by its exit status, else by what it says. */
export function joinFailure({ code, stderr }: Outcome): WifiFailure {
  if (code === NOT_RUNNING) return 'unavailable'
  if (code === TIMEOUT) return 'timeout'
  const sentence = SENTENCES.find(([pattern]) => pattern.test(stderr))
  if (sentence) return sentence[1]
  // Ended by us for taking too long.
  if (code === undefined) return 'timeout'
  return code === NOT_THERE ? 'not_found' : 'refused'
}
