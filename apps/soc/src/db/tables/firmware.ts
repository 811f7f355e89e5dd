import type { Component, Firmware, FirmwareStatus, VendorKey } from '@manara/soc-contract/firmware'
import type { ColumnType, GeneratedAlways } from 'kysely'
import type { Timestamp } from './columns.ts'

type Optional<T> = ColumnType<T | null, T | null | undefined, T | null>
type OptionalTime = ColumnType<Date | null, Date | null | undefined, Date | null>

export type FirmwareTables = {
  firmware_keys: {
    id: string
    vendor: string
    name: string
    algorithm: VendorKey['algorithm']
    public_key: string
    fingerprint: string
    revoked_at: OptionalTime
    created_by: string
    created_at: Timestamp
  }
  firmware: {
    id: string
    vendor: string
    product: string
    version: string
    /** The order of its bytes is the order of versions. */
    version_key: string
    sha256: string
    status: FirmwareStatus
    released_at: OptionalTime
    release_notes: Optional<string>
    signature: Optional<string>
    /** The key that the signature was made with. */
    key_id: Optional<string>
    origin: Firmware['origin']
    created_by: string
    created_at: Timestamp
    updated_at: Timestamp
  }
  firmware_components: Component & { name_key: GeneratedAlways<string> }
}
