import { z } from 'zod'
import { ListQuery } from './lists.ts'
import { filledText, RecordId, text } from './text.ts'

/** `quarantined` is connected and not to be believed; `revoked` cannot connect. */
export const DeviceStatus = z.enum(['online', 'offline', 'quarantined', 'revoked'])
export type DeviceStatus = z.infer<typeof DeviceStatus>

/** `unknown` has never attested. */
export const TrustStatus = z.enum(['trusted', 'suspect', 'untrusted', 'unknown'])
export type TrustStatus = z.infer<typeof TrustStatus>

/** RFC 9334's result of an appraisal; `none` is a request that has no answer. */
export const Verdict = z.enum(['affirming', 'warning', 'contraindicated', 'none'])
export type Verdict = z.infer<typeof Verdict>

export const AttestationStatus = z.enum([
  'requested',
  'delivered',
  'answered',
  'expired',
  'cancelled',
])
export type AttestationStatus = z.infer<typeof AttestationStatus>

export const AttestationTrigger = z.enum(['schedule', 'manual'])
export type AttestationTrigger = z.infer<typeof AttestationTrigger>

const CertificateStatus = z.enum(['active', 'revoked', 'expired'])

/** RFC 5280's reasons, as far as they are about a device. */
export const RevocationReason = z.enum([
  'unspecified',
  'key_compromise',
  'affiliation_changed',
  'superseded',
  'cessation_of_operation',
  'privilege_withdrawn',
])
export type RevocationReason = z.infer<typeof RevocationReason>

export const DeviceCertificate = z.object({
  serial: z.string(),
  fingerprint: z.string().meta({ description: 'SHA-256 of the certificate, in hex' }),
  not_before: z.string(),
  not_after: z.string(),
  status: CertificateStatus,
  revoked_at: z.string().nullable(),
  reason: z.string().nullable(),
})
export type DeviceCertificate = z.infer<typeof DeviceCertificate>

export const Device = z.object({
  id: z.string(),
  name: z.string(),
  device_type: z.string(),
  vendor: z.string().nullable(),
  model: z.string().nullable(),
  site_id: z.string().nullable(),
  zone: z.string().nullable(),
  purdue_level: z.number().nullable(),
  managed: z.boolean().meta({ description: 'False: only the logs have shown it' }),
  status: DeviceStatus,
  trust_status: TrustStatus,
  firmware_version: z.string().nullable(),
  firmware_sha256: z.string().nullable(),
  hostname: z.string().nullable(),
  addresses: z.array(z.string()),
  mac_addresses: z.array(z.string()),
  protocols: z.array(z.string()),
  certificate: DeviceCertificate.nullable(),
  sparkplug_node: z.string().nullable(),
  attest_every_s: z.int().meta({ description: '0 is never' }),
  next_attestation_at: z.string().nullable(),
  last_attestation_at: z.string().nullable(),
  mqtt_topic: z.string().meta({ description: 'Where its requests come' }),
  created_at: z.string(),
  updated_at: z.string(),
  last_seen_at: z.string().nullable(),
})
export type Device = z.infer<typeof Device>

/** What a device said about itself, as `packages/attestation` reads it. */
export const AttestationClaims = z.object({
  device_id: z.string(),
  nonce: z.string(),
  issued_at: z.string(),
  firmware: z.object({ name: z.string(), version: z.string(), sha256: z.string() }),
  measurements: z.array(z.object({ name: z.string(), sha256: z.string() })),
  boot_count: z.int(),
  boot_seed: z.string(),
  uptime_s: z.int(),
  debug: z.boolean(),
})
export type AttestationClaims = z.infer<typeof AttestationClaims>

export const Attestation = z.object({
  id: z.string(),
  device_id: z.string(),
  nonce: z.string(),
  trigger: AttestationTrigger,
  requested_by: z.string(),
  requested_at: z.string(),
  expires_at: z.string(),
  status: AttestationStatus,
  delivered_at: z.string().nullable(),
  received_at: z.string().nullable(),
  verdict: Verdict,
  reason: z.string(),
  claims: AttestationClaims.nullable(),
})
export type Attestation = z.infer<typeof Attestation>

const zone = text(100).nullish()
const purdueLevel = z
  .number()
  .min(0)
  .max(5)
  .multipleOf(0.5)
  .nullish()
  .meta({ description: '3.5 is the zone between IT and OT' })
const attestEvery = z.union([z.literal(0), z.int().min(10).max(31_536_000)])
const sparkplugNode = z
  .string()
  .max(400)
  .regex(/^[^/+#]+\/[^/+#]+$/, 'must be "group/edge node"')
  .nullish()

export const NewDevice = z.strictObject({
  name: filledText(200),
  device_type: filledText(100),
  vendor: text(200).nullish(),
  model: text(200).nullish(),
  site_id: RecordId.nullish(),
  zone,
  purdue_level: purdueLevel,
  sparkplug_node: sparkplugNode,
  attest_every_s: attestEvery.default(3_600),
})
export type NewDevice = z.infer<typeof NewDevice>

/** Many at once, each with the code with which it enrols. */
export const BulkCreate = z.strictObject({ devices: z.array(NewDevice).min(1).max(500) })

export const DeviceUpdate = z.strictObject({
  name: filledText(200).optional(),
  device_type: filledText(100).optional(),
  vendor: text(200).nullish(),
  model: text(200).nullish(),
  site_id: RecordId.nullish(),
  zone,
  purdue_level: purdueLevel,
  sparkplug_node: sparkplugNode,
  attest_every_s: attestEvery.optional(),
})
export type DeviceUpdate = z.infer<typeof DeviceUpdate>

export const DeviceParams = z.object({ id: z.string() })

export const DeviceListQuery = ListQuery.extend({
  status: DeviceStatus.optional(),
  trust_status: TrustStatus.optional(),
  device_type: text(100).optional(),
  vendor: text(200).optional(),
  site_id: RecordId.optional(),
  zone: text(100).optional(),
  managed: z.enum(['true', 'false']).optional(),
  firmware_sha256: text(64).optional(),
  sort: z.enum(['created_at', 'updated_at']).default('created_at'),
})
export type DeviceListQuery = z.infer<typeof DeviceListQuery>

export const AttestationListQuery = ListQuery.pick({
  skip: true,
  limit: true,
  cursor: true,
  order: true,
  from: true,
  to: true,
}).extend({
  device_id: text(200).optional(),
  verdict: Verdict.optional(),
  status: AttestationStatus.optional(),
  sort: z.enum(['requested_at']).default('requested_at'),
})
export type AttestationListQuery = z.infer<typeof AttestationListQuery>

export const AttestationParams = z.object({ id: z.string() })

export const AcceptRequest = z.strictObject({ note: text(2_000).nullish() })
export type AcceptRequest = z.infer<typeof AcceptRequest>

export const RevokeRequest = z.strictObject({
  reason: RevocationReason.default('unspecified'),
  note: text(2_000).nullish(),
})
export type RevokeRequest = z.infer<typeof RevokeRequest>

export const EnrolmentCodeRequest = z.strictObject({
  valid_s: z.int().min(60).max(604_800).default(86_400),
})

/** Shown once. */
export const EnrolmentCode = z.object({
  device_id: z.string(),
  code: z.string(),
  expires_at: z.string(),
  ca_fingerprint: z.string().meta({
    description: 'SHA-256 of the certificate of the authority: what a device compares',
  }),
})
export type EnrolmentCode = z.infer<typeof EnrolmentCode>

export const BulkCreated = z.object({
  items: z.array(z.object({ device: Device, code: EnrolmentCode })),
})
export type BulkCreated = z.infer<typeof BulkCreated>

/** The last values that a gateway reported, by their names. */
export const DeviceMetrics = z.object({
  device_id: z.string(),
  metrics: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  updated_at: z.string().nullable(),
})

/** The request is PKCS#10, as PEM or as base64 of its DER. */
export const EnrolRequest = z.strictObject({
  code: filledText(200),
  csr: filledText(16_384),
})
export type EnrolRequest = z.infer<typeof EnrolRequest>

/** With the same key the request proves by itself who asks; for a new key the old one signs too. */
export const RenewRequest = z.strictObject({
  csr: filledText(16_384),
  certificate: filledText(16_384).optional(),
  signature: filledText(1_024).optional().meta({
    description: 'Base64 of the signature by the present key over the DER of the request',
  }),
})
export type RenewRequest = z.infer<typeof RenewRequest>

export const Enrolled = z.object({
  device_id: z.string(),
  certificate: z.string().meta({ description: 'PEM' }),
  ca: z.string().meta({ description: 'PEM' }),
  serial: z.string(),
  fingerprint: z.string(),
  not_after: z.string(),
  renew_after: z.string().meta({ description: 'From then on the device should renew' }),
  mqtt: z.object({
    url: z.string().nullable().meta({ description: 'Null: the host is the one of this service' }),
    port: z.int(),
    client_id: z.string(),
    request_topic: z.string(),
    evidence_topic: z.string(),
  }),
})
export type Enrolled = z.infer<typeof Enrolled>
