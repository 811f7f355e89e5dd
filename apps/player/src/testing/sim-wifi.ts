import type { Wifi, WifiJoin, WifiStatus } from '../ports/wifi.ts'

/** A radio that answers what a test wants it to. */
export function createSimWifi() {
  const asked: { ssid: string; password: string }[] = []
  const state: { status: WifiStatus; answer: WifiJoin } = {
    status: { connected: false, ssid: '', ip: '' },
    answer: { joined: true },
  }
  const port: Wifi = {
    status: async () => state.status,
    async join(ssid, password) {
      asked.push({ ssid, password })
      if (state.answer.joined) state.status = { connected: true, ssid, ip: '192.168.1.20' }
      return state.answer
    },
  }
  return { port, asked, state }
}
