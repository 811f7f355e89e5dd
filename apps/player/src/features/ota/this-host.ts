import type { Host } from './domain/admission.ts'

// Unpacked, an image is a good three times as large.
const UNPACKED = 6

/** What this box takes: `packed` is the bytes an image may have. */
export const thisHost = (version: string, packed: number): Host => ({
  version,
  platform: `${process.platform}-${process.arch}`,
  limit: { packed, unpacked: packed * UNPACKED },
})
