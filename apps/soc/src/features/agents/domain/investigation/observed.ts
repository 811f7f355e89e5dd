import type { Story } from './investigate.ts'

export type Observed = { value: string; type: 'ip' | 'domain' | 'hash' }

const MOST = 12
const OWN =
  /^(10\.|127\.|169\.254\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|::1$|fe80:|f[cd]|0\.0\.0\.0|-$)/i
const SHA256 = /sha256=([0-9a-f]{64})/i

/** What of a story can be seen elsewhere: files it ran, names it asked for, addresses it met. */
export function observedIn(story: Story | undefined): Observed[] {
  if (!story) return []
  const found = new Map<string, Observed>()
  const add = (type: Observed['type'], value: string) => {
    if (value !== '' && !found.has(value)) found.set(value, { type, value })
  }
  const members = new Set(story.parts)
  for (const part of story.parts) {
    if (part.kind === 'address') add('ip', part.name)
    const events = [...part.told, ...[...part.reasons.values()].flatMap(({ events }) => events)]
    for (const event of events) {
      if (event.kind === 'sysmon' && event.code === 1) {
        add('hash', SHA256.exec(event.text('Hashes'))?.[1]?.toLowerCase() ?? '')
      }
    }
  }
  for (const [event, actor] of story.graph.actorOf) {
    if (!members.has(actor) || event.kind !== 'sysmon') continue
    // A name without a dot is a host of ours.
    const asked = event.code === 22 ? event.text('QueryName').toLowerCase() : ''
    if (asked.includes('.')) add('domain', asked)
    const to = event.code === 3 ? event.text('DestinationIp') : ''
    if (to !== '' && !OWN.test(to)) add('ip', to)
  }
  return [...found.values()]
    .sort((a, b) => (a.type + a.value < b.type + b.value ? -1 : 1))
    .slice(0, MOST)
}
