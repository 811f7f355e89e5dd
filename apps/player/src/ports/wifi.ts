export type WifiStatus = {
  connected: boolean
  /** Of the network in use; empty when there is none or it is not known. */
  ssid: string
  /** The address others reach the box at, over cable too; empty without one. */
  ip: string
}

export type WifiFailure =
  | 'unavailable'
  | 'not_found'
  | 'wrong_password'
  | 'password_missing'
  | 'open_network'
  | 'no_address'
  | 'timeout'
  | 'refused'

export type WifiJoin = { joined: true } | { joined: false; failure: WifiFailure; reason: string }

export type Wifi = {
  /** Never rejects. */
  status(): Promise<WifiStatus>
  /**
   * Resolves when the box has an address in that network, or with the reason why not; then it is
   * back in the network it was in before. The password leaves the process on a pipe alone and is in
   * no reason.
   */
  join(ssid: string, password: string): Promise<WifiJoin>
}
