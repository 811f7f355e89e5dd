import { netfilter } from '../linux/netfilter.ts'
import type { LogFormat } from '../log-format.ts'
import { checkpoint } from './checkpoint.ts'
import { ciscoAsa } from './cisco-asa.ts'
import { ciscoIos } from './cisco-ios.ts'
import { filterlog } from './filterlog.ts'
import { fortigate } from './fortigate.ts'
import { juniperSrx } from './juniper-srx.ts'
import { mikrotik } from './mikrotik.ts'
import { panos } from './panos.ts'
import { sophosUtm } from './sophos-utm.ts'
import { sophosXg } from './sophos-xg.ts'
import { unifi } from './unifi.ts'

/** The more particular first: what is no ASA may be a switch. */
export const FIREWALLS: readonly LogFormat[] = [
  ciscoAsa,
  ciscoIos,
  panos,
  checkpoint,
  fortigate,
  sophosXg,
  sophosUtm,
  filterlog,
  juniperSrx,
  mikrotik,
  netfilter,
  unifi,
]
