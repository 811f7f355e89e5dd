import { hash } from 'node:crypto'

/** SHA-256 over the JSON array `[title, source, sorted iocs]` in UTF-8: equal alerts, equal hash. */
export function dedupHash(alert: { title: string; source: string; iocs: string[] }): string {
  const identity = JSON.stringify([alert.title, alert.source, alert.iocs.toSorted()])
  return hash('sha256', identity, 'hex')
}
