import { z } from 'zod'

/** `1.4.0`, or `1.4.0-rc.1` for what comes before it. */
export const VERSION = /^\d{1,6}\.\d{1,6}\.\d{1,6}(-[0-9A-Za-z.-]{1,40})?$/

const Version = z.string().regex(VERSION, 'must be a version such as 1.4.0')

/** The signed part of an image: what it is, and what may take it. */
export const Manifest = z.object({
  version: Version,
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  /** Bytes of the compressed archive that follows. */
  size: z.int().positive(),
  /** Bytes of all files when unpacked. */
  unpacked_size: z.int().positive(),
  /** The oldest version that can be updated straight to this one. */
  minimum_version: Version,
  /** Such as `linux-arm64`; `any` when nothing in it is compiled. */
  platform: z.string().min(1).max(40),
  /** A public key (SPKI, base64) to be trusted besides the others once this version has proven itself. */
  adds_key: z.string().max(200).optional(),
})
export type Manifest = z.infer<typeof Manifest>

const Slot = z.enum(['factory', 'a', 'b'])
export type Slot = z.infer<typeof Slot>

/**
 * What the launcher and the service tell each other over a restart. The launcher is never updated,
 * so fields are only ever added, and each with a default.
 */
export const BootRecord = z.object({
  /** What is known to work. */
  active: Slot.default('factory'),
  /** What was, before that; null when its slot was filled anew since. */
  before: Slot.nullable().default(null),
  /** What is to prove itself. */
  pending: z
    .object({
      slot: z.enum(['a', 'b']),
      version: z.string(),
      mode: z.enum(['pull', 'upload']),
      /** How often it may still be started before it counts as broken. */
      tries_left: z.int().min(0),
      /** The state store as the version before left it is kept. */
      has_snapshot: z.boolean(),
      /** Why it is not worth another try; empty otherwise. */
      problem: z.string().default(''),
    })
    .nullable()
    .default(null),
  /** How the last update ended. */
  last: z
    .object({
      status: z.enum(['success', 'rolled_back']),
      version: z.string(),
      error: z.string(),
    })
    .nullable()
    .default(null),
})
export type BootRecord = z.infer<typeof BootRecord>
