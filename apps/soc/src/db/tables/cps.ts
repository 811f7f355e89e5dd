import type {
  AttestationClaims,
  AttestationStatus,
  AttestationTrigger,
  DeviceStatus,
  TrustStatus,
  Verdict,
} from '@manara/soc-contract/cps'
import type { ColumnType, Generated } from 'kysely'
import type { Json, Timestamp } from './columns.ts'

type Optional<T> = ColumnType<T | null, T | null | undefined, T | null>
type Moment = ColumnType<Date | null, Date | null | undefined, Date | null>

/** What a device ran when it was last found in order: a change of it has to be explained. */
export type Reference = Pick<AttestationClaims, 'firmware' | 'measurements'> & {
  /** By the hash of a firmware: what somebody accepted for it, until it answers well with that. */
  accepted?: Record<string, AttestationClaims['measurements']>
}

/** `received` is taken by the device and not yet released to it: MQTT's two steps of QoS 2. */
export type DeliveryPhase = 'waiting' | 'published' | 'received' | 'delivered'

export type CpsTables = {
  cps_authority: {
    id: number
    certificate_pem: string
    /** Opens with the key file alone. */
    sealed_key: string
    crl_number: Generated<string>
    created_at: Timestamp
  }
  cps_devices: {
    id: string
    name: string
    device_type: string
    vendor: Optional<string>
    model: Optional<string>
    site_id: Optional<string>
    zone: Optional<string>
    purdue_level: Optional<number>
    /** Has or had a certificate of ours; else only the logs have shown it. */
    managed: boolean
    status: Generated<DeviceStatus>
    trust_status: Generated<TrustStatus>
    firmware_name: Optional<string>
    firmware_version: Optional<string>
    firmware_sha256: Optional<string>
    hostname: Optional<string>
    addresses: Generated<string[]>
    mac_addresses: Generated<string[]>
    protocols: Generated<string[]>
    /** What a device of the logs is known by, so that it is found once. */
    discovery_key: Optional<string>
    /** `group/edge node`, of a gateway that speaks Sparkplug B. */
    sparkplug_node: Optional<string>
    /** 0 is never. */
    attest_every_s: Generated<number>
    next_attestation_at: Moment
    last_attestation_at: Moment
    reference: ColumnType<Reference | null, string | null | undefined, string | null>
    /** Of the last accepted answer. */
    boot_count: ColumnType<string | null, number | null | undefined, number | null>
    boot_seed: Optional<string>
    /** Requests in a row that were not answered. */
    missed: Generated<number>
    created_at: Timestamp
    updated_at: Timestamp
    last_seen_at: Moment
  }
  cps_certificates: {
    /** In hex, as its owner's tools print it. */
    serial: string
    device_id: string
    fingerprint: string
    /** Of the public key: a renewal may keep the key. */
    key_sha256: string
    certificate_pem: string
    not_before: Timestamp
    not_after: Timestamp
    status: Generated<'active' | 'revoked'>
    revoked_at: Moment
    reason: Optional<string>
    created_at: Timestamp
  }
  cps_enrolment_codes: {
    code_hash: string
    device_id: string
    created_by: string
    created_at: Timestamp
    expires_at: Timestamp
    used_at: Moment
  }
  cps_attestations: {
    id: string
    device_id: string
    nonce: string
    trigger: AttestationTrigger
    requested_by: string
    requested_at: Timestamp
    expires_at: Timestamp
    status: Generated<AttestationStatus>
    delivered_at: Moment
    received_at: Moment
    verdict: Generated<Verdict>
    reason: string
    claims: ColumnType<AttestationClaims | null, string | null | undefined, string | null>
    evidence: Optional<Buffer>
    certificate_serial: Optional<string>
  }
  cps_outbox: {
    attestation_id: string
    device_id: string
    payload: Json<Record<string, string>>
    expires_at: Timestamp
    attempts: Generated<number>
    next_attempt_at: Timestamp
    /** Of the packet that carries it; kept, so that a repeat is known as one. */
    message_id: Optional<number>
    phase: Generated<DeliveryPhase>
  }
  /** By name, as a gateway said them last. */
  cps_metrics: {
    device_id: string
    metrics: Json<Record<string, string | number | boolean | null>>
    /** Names by alias, as the birth gave them. */
    aliases: Json<Record<string, string>>
    updated_at: Timestamp
  }
  /** Of devices that asked to be remembered while they are away. */
  cps_sessions: { device_id: string; subscriptions: Json<{ topic: string; qos: number }[]> }
}
