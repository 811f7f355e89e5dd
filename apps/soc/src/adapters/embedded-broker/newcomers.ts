import type { Socket } from 'node:net'

/**
 * Connections that were not let in yet, counted by the network they come from: one that only opens
 * connections does not take them all.
 */
export function createNewcomers(options: { each: number; networkOf(address: string): string }) {
  const counts = new Map<string, number>()
  const waiting = new Map<string, () => void>()
  const endOf = ({ remoteAddress, remotePort }: Socket) => `${remoteAddress} ${remotePort}`

  return {
    /** False when its network has too many already. */
    come(socket: Socket): boolean {
      const network = options.networkOf(socket.remoteAddress ?? '')
      const count = counts.get(network) ?? 0
      if (count >= options.each) return false
      counts.set(network, count + 1)
      const end = endOf(socket)
      const leave = () => {
        if (!waiting.delete(end)) return
        const left = (counts.get(network) ?? 1) - 1
        if (left > 0) counts.set(network, left)
        else counts.delete(network)
      }
      waiting.set(end, leave)
      socket.once('close', leave)
      return true
    },
    /** It was let in: the same connection, seen above or below its encryption. */
    isIn: (socket: Socket) => waiting.get(endOf(socket))?.(),
  }
}
