import { isIPv4 } from 'node:net'

type Reach = { tls: boolean; mdns: boolean }

/** Where a phone opens the dashboard: by the name that is announced, else by an address. */
export function dashboardAddress(
  { tls, mdns }: Reach,
  port: number,
  hostname: string,
  addresses: readonly string[],
): string {
  const address = addresses.find((one) => isIPv4(one) && !one.startsWith('127.'))
  const host = mdns ? `${hostname.toLowerCase().split('.')[0]}.local` : (address ?? 'localhost')
  return new URL(`${tls ? 'https' : 'http'}://${host}:${port}`).origin
}
