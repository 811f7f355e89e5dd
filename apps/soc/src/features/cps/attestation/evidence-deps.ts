import type { Evidence } from '@manara/attestation/evidence'
import type { Kysely } from 'kysely'
import type { Changes } from '../../../core/change/operator-change.ts'
import type { Tables } from '../../../db/tables.ts'
import type { KnownFirmware } from '../domain/appraise.ts'
import type { RaiseAlert } from './device-alerts.ts'

export type EvidenceDeps = {
  internalWorkflow: Changes['internalWorkflow']
  raiseAlert: RaiseAlert
  firmwareOf(db: Kysely<Tables>, sha256: string): Promise<KnownFirmware>
  now(): number
}

/** An answer that is what it should be; what it says is not looked at yet. */
export type Accepted = { evidence: Evidence; bytes: Buffer; certificateSerial: string }
