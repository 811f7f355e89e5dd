import { inParallel, type Sender, shuffled } from './sender.ts'

/** Longer than most of these answers take. */
const MOST_MS = 60
const CALLERS = 12

const QUERIES = ['', '*', 'a*', 'user:*', 'severity:high OR source:b*']
const READS = [
  ...['/siem/logs', '/siem/count', '/siem/histogram', '/siem/fields', '/siem/fields/host/values'],
  ...['/siem/aggregate?by=source', '/siem/export?format=ndjson'],
]
const OTHERS = ['/alerts', '/cases', '/audit', '/iocs', '/dashboard/stats', '/siem/sources']

/** Many callers at once who are gone at any moment: nobody else is to notice. */
export async function leaveEarly(sender: Sender, ends: number): Promise<void> {
  for (const path of [...READS, ...OTHERS]) sender.reach('left early', path, 0)
  do {
    const asked = [...READS.flatMap((path) => QUERIES.map((q) => withQuery(path, q))), ...OTHERS]
    await inParallel(shuffled(asked), Number.POSITIVE_INFINITY, leave, CALLERS)
  } while (Date.now() < ends)

  async function leave(path: string) {
    await sender.leave('GET', `/api/v1${path}`, Math.floor(Math.random() * MOST_MS))
    sender.reach('left early', path.replace(/[?&]q=.*/, ''))
  }
}

const withQuery = (path: string, q: string) =>
  `${path}${path.includes('?') ? '&' : '?'}q=${encodeURIComponent(q)}`
