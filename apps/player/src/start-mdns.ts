import type { EventBus } from '@manara/kit/event-bus'
import type { PlayerEvents } from '@manara/player-contract/events'
import { createMdns, type MdnsOptions } from './adapters/mdns.ts'
import { systemClock } from './adapters/system-clock.ts'

const ADDRESSES_MS = 15_000

/** Tells the network the name and the addresses of the box, whenever they change. The result ends it. */
export function announceName(
  options: MdnsOptions,
  hostname: () => string,
  events: EventBus<PlayerEvents>,
): () => Promise<void> {
  const mdns = createMdns(options)
  const announce = () => mdns.announce(hostname())
  announce()
  const ends = [
    events.on('settings', announce),
    // Wi-Fi is up after the service, and a router gives other addresses without a word.
    systemClock.every(ADDRESSES_MS, announce),
  ]
  return () => {
    for (const end of ends) end()
    return mdns.stop()
  }
}
