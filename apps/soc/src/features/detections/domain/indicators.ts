import type { FieldValue, LogRecord } from '@manara/log-query/event'
import { storable } from './storable.ts'

const MOST = 50

const ADDRESS = /^(?:\d{1,3}(?:\.\d{1,3}){3}|[0-9a-f:.]*:[0-9a-f:.]+)$/i
const OWN_MACHINE = /^(?:127\.|0\.0\.0\.0$|::1?$)/
const HASH = /\b(?:[0-9a-f]{64}|[0-9a-f]{40}|[0-9a-f]{32})\b/gi
const DOMAIN = /^(?=.{4,253}$)(?:[a-z0-9_-]{1,63}\.)+[a-z][a-z0-9-]{1,62}$/i

/** Sysmon's `Hashes`, `file.hash.sha256`, `attachment.md5` … */
const HAS_HASHES = /(?:hash|hashes|md5|sha1|sha256)$/i
/** Sysmon, ECS, Zeek and Suricata. */
const HAS_DOMAIN =
  /^(?:queryname|destinationhostname|dns\.question\.name|dns\.rrname|query|url\.domain|destination\.domain|server_name|tls\.sni|http\.hostname)$/i

/** Addresses, hashes and domains that an alert about this event should name. */
export function indicatorsOf(log: LogRecord): string[] {
  const found = new Set<string>()
  for (const address of [log.src_ip, log.dst_ip]) {
    if (address && ADDRESS.test(address) && !OWN_MACHINE.test(address)) found.add(address)
  }
  for (const [name, value] of Object.entries(log.fields)) {
    if (HAS_HASHES.test(name)) {
      for (const [hash] of textOf(value).matchAll(HASH)) found.add(hash.toLowerCase())
    } else if (HAS_DOMAIN.test(name) && DOMAIN.test(textOf(value))) {
      found.add(textOf(value).toLowerCase())
    }
  }
  return [...found].slice(0, MOST).map(storable)
}

const textOf = (value: FieldValue) => (Array.isArray(value) ? value.join(' ') : String(value ?? ''))
