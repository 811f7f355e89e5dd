import { z } from 'zod'
import { ListQuery, moment } from './lists.ts'
import { filledText, RecordId, text } from './text.ts'

/** What the owner says of a version; `blocked` counts against every device that runs it. */
export const FirmwareStatus = z.enum(['allowed', 'deprecated', 'blocked'])
export type FirmwareStatus = z.infer<typeof FirmwareStatus>

const sha256 = z
  .string()
  .regex(/^[0-9a-fA-F]{64}$/, 'must be 64 hexadecimal digits')
  .transform((hex) => hex.toLowerCase())
  .meta({ type: 'string', pattern: '^[0-9a-fA-F]{64}$' })

const SignatureStatus = z.enum(['verified', 'unsigned', 'invalid', 'key_revoked'])

export const Firmware = z.object({
  id: z.string(),
  vendor: z.string(),
  product: z.string(),
  version: z.string(),
  sha256: z.string().meta({ description: 'What a device reports that runs it' }),
  status: FirmwareStatus,
  released_at: z.string().nullable(),
  release_notes: z.string().nullable(),
  signature: z.object({
    status: SignatureStatus.meta({
      description: 'Checked against the vendor’s key each time it is read',
    }),
    value: z.string().nullable().meta({ description: 'Base64, over the bytes of release_notes' }),
    key_id: z.string().nullable(),
    key_fingerprint: z.string().nullable(),
  }),
  is_outdated: z.boolean().meta({ description: 'A newer version of the product is known' }),
  latest_version: z.string().nullable(),
  component_count: z.int(),
  device_count: z.int().meta({ description: 'Devices that report this hash' }),
  origin: z.enum(['manual', 'csv', 'cyclonedx', 'spdx']),
  created_by: z.string(),
  created_at: z.string(),
  updated_at: z.string(),
})
export type Firmware = z.infer<typeof Firmware>

const Name = filledText(200)
const Version = filledText(100)
const Signature = z
  .string()
  .max(2_000)
  .regex(/^[A-Za-z0-9+/]+={0,2}$/, 'must be base64')

export const FirmwareCreate = z.strictObject({
  vendor: Name,
  product: Name,
  version: Version,
  sha256,
  status: FirmwareStatus.default('allowed'),
  released_at: moment.nullish(),
  release_notes: text(20_000).nullish(),
  signature: Signature.nullish(),
})
export type FirmwareCreate = z.infer<typeof FirmwareCreate>

/** The hash identifies a firmware, so it never changes. */
export const FirmwareUpdate = FirmwareCreate.omit({ sha256: true })
  .extend({ status: FirmwareStatus })
  .partial()
  .refine((body) => Object.keys(body).length > 0, 'must change something')
export type FirmwareUpdate = z.infer<typeof FirmwareUpdate>

const yesNo = z.enum(['true', 'false']).transform((word) => word === 'true')

export const FirmwareListQuery = ListQuery.extend({
  vendor: text(200).optional(),
  product: text(200).optional(),
  version: text(100).optional(),
  sha256: sha256.optional(),
  status: FirmwareStatus.optional(),
  outdated: yesNo.optional(),
  /** By the name of something inside. */
  component: filledText(300).optional(),
  sort: z.enum(['created_at', 'updated_at']).default('created_at'),
})
export type FirmwareListQuery = z.infer<typeof FirmwareListQuery>

export const FirmwareParams = z.object({ id: z.string() })

export const Component = z.object({
  id: z.string(),
  firmware_id: z.string(),
  name: z.string(),
  version: z.string().nullable(),
  type: z.string().nullable(),
  supplier: z.string().nullable(),
  purl: z.string().nullable(),
  cpe: z.string().nullable(),
  license: z.string().nullable(),
  sha256: z.string().nullable(),
})
export type Component = z.infer<typeof Component>

/** A component with where it is: the answer to "do we have this anywhere?" */
export const FoundComponent = Component.extend({
  firmware: z.object({
    id: z.string(),
    vendor: z.string(),
    product: z.string(),
    version: z.string(),
    sha256: z.string(),
  }),
  device_count: z.int(),
})
export type FoundComponent = z.infer<typeof FoundComponent>

export const ComponentListQuery = ListQuery.pick({
  skip: true,
  limit: true,
  cursor: true,
  order: true,
  q: true,
}).extend({
  name: filledText(300).optional().meta({ description: 'The whole name, in any letter case' }),
  version: filledText(200).optional(),
  purl: filledText(1_000).optional().meta({ description: 'Begins with it' }),
  firmware_id: text(100).optional(),
  sort: z.enum(['name']).default('name'),
})
export type ComponentListQuery = z.infer<typeof ComponentListQuery>

/** What the parts of a file are about, where the file does not say it itself. */
export const FirmwareImportQuery = z.strictObject({
  vendor: Name.optional(),
  product: Name.optional(),
  version: Version.optional(),
  sha256: sha256.optional(),
})
export type FirmwareImportQuery = z.infer<typeof FirmwareImportQuery>

export const FirmwareImportResult = z.object({
  format: z.enum(['csv', 'cyclonedx', 'spdx']),
  imported: z.int(),
  updated: z.int(),
  components: z.int().meta({ description: 'Of a bill of materials' }),
  firmware_ids: z.array(z.string()).meta({ description: 'At most a hundred' }),
  skipped: z
    .array(z.object({ place: z.string(), reason: z.string() }))
    .meta({ description: 'At most a thousand, by line or by path in the file' }),
  skipped_count: z.int(),
})
export type FirmwareImportResult = z.infer<typeof FirmwareImportResult>

export const VendorKey = z.object({
  id: z.string(),
  vendor: z.string(),
  name: z.string(),
  algorithm: z.enum(['ed25519', 'ecdsa', 'rsa']),
  public_key: z.string().meta({ description: 'PEM' }),
  fingerprint: z.string().meta({ description: 'SHA-256 of the key in DER, hexadecimal' }),
  revoked_at: z.string().nullable(),
  created_by: z.string(),
  created_at: z.string(),
})
export type VendorKey = z.infer<typeof VendorKey>

export const VendorKeyCreate = z.strictObject({
  vendor: Name,
  name: Name,
  public_key: filledText(10_000),
})
export type VendorKeyCreate = z.infer<typeof VendorKeyCreate>

export const VendorKeyListQuery = ListQuery.pick({
  skip: true,
  limit: true,
  cursor: true,
  order: true,
}).extend({
  vendor: text(200).optional(),
  sort: z.enum(['created_at']).default('created_at'),
})
export type VendorKeyListQuery = z.infer<typeof VendorKeyListQuery>

/** `unreported`: the device has not said what it runs. */
const RunningState = z.enum(['current', 'outdated', 'blocked', 'unknown', 'unreported'])

export const RunningFirmware = z.object({
  device_id: z.string(),
  device_name: z.string(),
  site_id: z.string().nullable(),
  zone: z.string().nullable(),
  vendor: z.string().nullable(),
  model: z.string().nullable(),
  firmware_version: z.string().nullable(),
  firmware_sha256: z.string().nullable(),
  state: RunningState,
  firmware_id: z.string().nullable(),
  latest_version: z.string().nullable(),
})
export type RunningFirmware = z.infer<typeof RunningFirmware>

export const RunningListQuery = ListQuery.pick({
  skip: true,
  limit: true,
  cursor: true,
  order: true,
  q: true,
}).extend({
  state: RunningState.optional(),
  site_id: RecordId.optional(),
  firmware_id: text(100).optional(),
  sort: z.enum(['device']).default('device'),
})
export type RunningListQuery = z.infer<typeof RunningListQuery>
