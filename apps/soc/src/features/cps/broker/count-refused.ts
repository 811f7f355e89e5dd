import type { Meter } from '../../../core/metrics/meter.ts'
import type { BrokerRefusal } from '../../../ports/device-broker.ts'

/** Connections that the embedded broker ended, by why. */
export function countRefused(meter: Meter) {
  const refused = meter.counter(
    'soc_device_connections_refused_total',
    'Connections of devices that the embedded broker ended',
    ['reason'],
  )
  return (reason: BrokerRefusal) => refused.inc({ reason })
}
