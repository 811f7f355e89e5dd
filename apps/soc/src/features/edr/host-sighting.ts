import { isIP } from 'node:net'
import type { FieldValue, LogRecord } from '@manara/log-query/event'

export type HostSighting = { hostname: string; ips: string[]; os: string | null; seenAt: number }

// Only fields that speak of the host itself: src_ip may be anybody's.
const OWN_IPS = ['host.ip', 'host_ip', 'host.ips']
const OWN_OS = ['host.os.name', 'host.os.type', 'host.os.family', 'os.name']
const WINDOWS = ['Channel', 'winlog.channel', 'Event.System.Channel', 'EventRecordID']
const OWN = [...OWN_IPS, ...OWN_OS, ...WINDOWS]
const UNIX_SOURCES = /^(sshd?|sudo|auth|auditd|cron|kernel|systemd|pam)/i

/** Whether there is more than its name. */
export function tellsAboutItself({ fields }: LogRecord): boolean {
  for (const name of OWN) if (fields[name] !== undefined) return true
  return false
}

/** What one event tells about the host that it comes from, if it names one. */
export function hostSighting(log: LogRecord): HostSighting | undefined {
  const hostname = log.host?.trim() ?? ''
  if (hostname === '' || hostname.length > 255 || !isName(hostname)) return undefined
  const ips = OWN_IPS.flatMap((name) => textsOf(log.fields[name])).filter((ip) => isIP(ip) > 0)
  if (isIP(hostname)) ips.push(hostname)
  return { hostname, ips: [...new Set(ips)].slice(0, 20), os: osOf(log), seenAt: log.at }
}

// Spaces and control characters are no host name but a message that a parser took apart wrongly.
const isName = (text: string) => /^[^\s\p{Cc}\p{Cs}]+$/u.test(text)

function osOf({ fields, source }: LogRecord): string | null {
  for (const name of OWN_OS) {
    const [os] = textsOf(fields[name])
    if (os) return os.slice(0, 100)
  }
  if (WINDOWS.some((name) => fields[name] !== undefined)) return 'Windows'
  return UNIX_SOURCES.test(source) ? 'Linux' : null
}

function textsOf(value: FieldValue | undefined): string[] {
  return [value].flat().filter((one) => typeof one === 'string')
}
