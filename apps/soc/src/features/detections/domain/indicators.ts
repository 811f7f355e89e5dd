import type { FieldValue, LogRecord } from '@manara/log-query/event'
import { EMPTY_FILE } from '@manara/soc-contract/empty-file'
import { storable } from '@manara/soc-contract/storable'
import { isSystemBinary } from './acting-file.ts'

const MOST = 50

const ADDRESS = /^(?:\d{1,3}(?:\.\d{1,3}){3}|[0-9a-f:.]*:[0-9a-f:.]+)$/i
/** This machine, its link, everybody, nobody. */
const NOBODY = /^(?:127\.|0\.|169\.254\.|2(?:2[4-9]|3\d)\.|255\.|::1?$|fe[89ab][0-9a-f]:|ff)/i
const PRIVATE =
  /^(?:10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.|f[cd][0-9a-f]{2}:)/i
const HASH = /(?<![0-9a-z])(?:[0-9a-f]{64}|[0-9a-f]{40}|[0-9a-f]{32})(?![0-9a-z])/gi
const DOMAIN = /^(?=.{4,253}$)(?:[a-z0-9_-]{1,63}\.)+[a-z][a-z0-9-]{1,62}$/i
const HOME = /\.(?:arpa|local|localdomain|lan|home|internal|intranet|corp)$/i

/** Sysmon's `Hashes`, `file.hash.sha256`, `attachment.md5` … of the file itself, not of its parent. */
const HAS_HASHES = /(?<!imp|ssdeep|fuzzy|tls|ja3|ja3s|h)(?:hash|hashes|md5|sha1|sha256)$/i
const OF_ANOTHER = /parent|imphash|ja3|ja4|hassh|fingerprint|certificate|x509|\bcert/i
/** Sysmon, ECS, Zeek and Suricata. */
const HAS_DOMAIN =
  /^(?:queryname|destinationhostname|dns\.question\.name|dns\.rrname|query|url\.domain|destination\.domain|server_name|tls\.sni|http\.hostname)$/i

/**
 * What points at the attack in this event: the file that acted, and the addresses and domains at the
 * other end. What every machine has, as a program that came with the system, is no indicator of
 * anything, and blocking it would stop clean machines.
 */
export function indicatorsOf(log: LogRecord): string[] {
  const found = new Set<string>(remoteAddresses(log))
  const isOfSystem = isSystemBinary(log.fields)
  for (const [name, value] of Object.entries(log.fields)) {
    if (HAS_HASHES.test(name) && !OF_ANOTHER.test(name)) {
      if (!isOfSystem) for (const hash of hashesIn(textOf(value))) found.add(hash)
    } else if (HAS_DOMAIN.test(name) && isForeign(textOf(value))) {
      found.add(textOf(value).toLowerCase())
    }
  }
  return [...found].slice(0, MOST).map(storable)
}

const isForeign = (name: string) => DOMAIN.test(name) && !HOME.test(name)

/** Of a connection from inside to outside only the outer end, else both: one may be the attacker. */
function remoteAddresses({ src_ip, dst_ip, fields }: LogRecord): string[] {
  const own = new Set([fields['host.ip'] ?? []].flat().map(String))
  const ends = [src_ip, dst_ip].filter(
    (address): address is string =>
      !!address && ADDRESS.test(address) && !NOBODY.test(address) && !own.has(address),
  )
  const initiated = String(fields.Initiated ?? '').toLowerCase()
  if (initiated === 'true' && ends.length === 2) return ends.slice(1)
  if (initiated === 'false' && ends.length === 2) return ends.slice(0, 1)
  const outer = ends.filter((address) => !PRIVATE.test(address))
  return outer.length > 0 ? outer : ends
}

/** `SHA1=…,IMPHASH=…`: an import hash is shared by whole families of clean programs. */
function hashesIn(text: string): string[] {
  return [...text.replaceAll(/imphash[=:]\s*[0-9a-f]+/gi, '').matchAll(HASH)]
    .map(([hash]) => hash.toLowerCase())
    .filter((hash) => !/^0+$/.test(hash) && !EMPTY_FILE.has(hash))
}

const textOf = (value: FieldValue) => (Array.isArray(value) ? value.join(' ') : String(value ?? ''))
