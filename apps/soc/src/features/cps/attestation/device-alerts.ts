import type { AlertCreate } from '@manara/soc-contract/alerts'
import type { ChangeContext } from '../../../core/change/operator-change.ts'
import type { DeviceRow } from '../devices/device-record.ts'

export type RaiseAlert = (
  change: ChangeContext,
  alert: AlertCreate,
  occurrences?: number,
) => Promise<unknown>

type Kind = 'contraindicated' | 'missing' | 'refused' | 'cloned'

const KINDS: Record<Kind, { title: string; severity: AlertCreate['severity']; technique: string }> =
  {
    // ATT&CK for ICS: Module Firmware, Loss of View, Spoof Reporting Message, Rogue Master.
    contraindicated: {
      title: 'Attestation contraindicated',
      severity: 'high',
      technique: 'T0839',
    },
    missing: { title: 'Attestation missing', severity: 'medium', technique: 'T0829' },
    refused: { title: 'Attestation answer refused', severity: 'medium', technique: 'T0856' },
    cloned: { title: 'Certificate used by two devices', severity: 'critical', technique: 'T0848' },
  }

/** One alert a device and kind: it counts up until somebody closes it. */
export async function alertAbout(
  raiseAlert: RaiseAlert,
  change: ChangeContext,
  device: Pick<DeviceRow, 'id' | 'name' | 'site_id' | 'zone' | 'hostname'>,
  kind: Kind,
  reason: string,
): Promise<void> {
  const { title, severity, technique } = KINDS[kind]
  await raiseAlert(change, {
    title: `${title}: ${device.name}`.slice(0, 500),
    source: 'cps',
    source_ref: `device:${device.id}`,
    severity,
    status: 'new',
    description: reason,
    // The name alone may be shared by two devices: their alerts must not be.
    iocs: [`device:${device.id}`],
    host: device.hostname ?? device.name.slice(0, 255),
    site_id: device.site_id,
    tags: ['cps', `attestation:${kind}`],
    mitre_techniques: [technique],
    raw: { device_id: device.id, device: device.name, zone: device.zone, kind, reason },
  })
}
