import { CLOUDS } from './cloud/clouds.ts'
import { HOSTS } from './container/hosts.ts'
import { DATABASES } from './database/databases.ts'
import { NAME_SERVERS } from './dns/name-servers.ts'
import { ENDPOINTS } from './endpoint/endpoints.ts'
import { SENSORS } from './endpoint/sensors.ts'
import { FIREWALLS } from './firewall/firewalls.ts'
import { cef } from './generic/cef.ts'
import { keyValue } from './generic/key-value.ts'
import { leef } from './generic/leef.ts'
import { auditd } from './linux/auditd.ts'
import { auditdJson } from './linux/auditd-json.ts'
import { linuxAuth } from './linux/auth.ts'
import { goAudit } from './linux/go-audit.ts'
import type { LogFormat } from './log-format.ts'
import { MAIL_SERVERS } from './mail/mail-servers.ts'
import { suricata } from './network/suricata.ts'
import { zeek } from './network/zeek.ts'
import { zeekTsv } from './network/zeek-tsv.ts'
import { PROXIES } from './proxy/proxies.ts'
import { TUNNELS } from './vpn/tunnels.ts'
import { accessJson } from './web/access-json.ts'
import { accessLog } from './web/access-log.ts'
import { iisW3c } from './web/iis-w3c.ts'
import { windowsEvent } from './windows/windows-event.ts'
import { windowsLines } from './windows/windows-lines.ts'
import { windowsSyslog } from './windows/windows-syslog.ts'
import { windowsXml } from './windows/windows-xml.ts'

/**
 * Every format that is read, one file each. Where several fit an event the first that reads it
 * counts, so the more particular stand before the more general.
 */
export const CATALOGUE: readonly LogFormat[] = [
  cef,
  leef,
  suricata,
  ...ENDPOINTS,
  zeek,
  zeekTsv,
  iisW3c,
  windowsEvent,
  windowsXml,
  windowsLines,
  ...windowsSyslog,
  auditd,
  auditdJson,
  goAudit,
  linuxAuth,
  ...FIREWALLS,
  ...SENSORS,
  ...NAME_SERVERS,
  ...PROXIES,
  ...DATABASES,
  ...MAIL_SERVERS,
  ...TUNNELS,
  ...HOSTS,
  ...CLOUDS,
  accessLog,
  accessJson,
  keyValue,
]
