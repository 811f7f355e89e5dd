import type { LogFormat } from '../log-format.ts'
import { openvpn } from './openvpn.ts'
import { strongswan } from './strongswan.ts'
import { wireguard } from './wireguard.ts'

export const TUNNELS: readonly LogFormat[] = [openvpn, wireguard, strongswan]
