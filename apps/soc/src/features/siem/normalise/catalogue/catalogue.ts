import { FIREWALLS } from './firewall/firewalls.ts'
import { cef } from './generic/cef.ts'
import { keyValue } from './generic/key-value.ts'
import { leef } from './generic/leef.ts'
import { linuxAuth } from './linux/auth.ts'
import type { LogFormat } from './log-format.ts'
import { suricata } from './network/suricata.ts'
import { zeek } from './network/zeek.ts'
import { accessLog } from './web/access-log.ts'
import { windowsEvent } from './windows/windows-event.ts'

/**
 * Every format that is read, one file each. Where several fit an event the first that reads it
 * counts, so the more particular stand before the more general.
 */
export const CATALOGUE: readonly LogFormat[] = [
  cef,
  leef,
  suricata,
  zeek,
  windowsEvent,
  linuxAuth,
  ...FIREWALLS,
  accessLog,
  keyValue,
]
