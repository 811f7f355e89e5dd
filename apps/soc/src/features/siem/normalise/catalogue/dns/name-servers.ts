import type { LogFormat } from '../log-format.ts'
import { bind } from './bind.ts'
import { dhcpd } from './dhcpd.ts'
import { dnsmasq } from './dnsmasq.ts'
import { microsoftDhcp } from './microsoft-dhcp.ts'
import { microsoftDns } from './microsoft-dns.ts'
import { unbound } from './unbound.ts'

/** Who gives names and addresses. */
export const NAME_SERVERS: readonly LogFormat[] = [
  bind,
  dnsmasq,
  unbound,
  microsoftDns,
  microsoftDhcp,
  dhcpd,
]
