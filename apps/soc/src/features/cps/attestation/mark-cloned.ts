import type { ChangeContext } from '../../../core/change/operator-change.ts'
import type { DeviceRow } from '../devices/device-record.ts'
import { changeDevice, deviceById } from '../devices/devices.store.ts'
import { alertAbout, type RaiseAlert } from './device-alerts.ts'

/** Which of the two is the real one cannot be told: neither is believed until somebody has looked. */
export async function markCloned(
  raiseAlert: RaiseAlert,
  change: ChangeContext,
  device: DeviceRow,
  reason: string,
): Promise<void> {
  if (device.status === 'revoked') return
  if (device.status !== 'quarantined') {
    const before = await deviceById(change.tx, device.id)
    const after = await changeDevice(change.tx, device.id, {
      status: 'quarantined',
      trust_status: 'untrusted',
    })
    await change.audit({
      action: 'device.quarantine',
      target: `device:${device.id}`,
      before,
      after: { ...after, detail: reason },
    })
    await change.publish('device.updated', after)
  }
  await alertAbout(raiseAlert, change, device, 'cloned', `${reason}. Revoke it and enrol it anew.`)
}
