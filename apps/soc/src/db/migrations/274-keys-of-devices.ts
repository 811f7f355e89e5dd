import { statement } from './statement.ts'

/**
 * Whose a key is gets asked at every enrolment and renewal. It cannot be unique: a device has several
 * certificates for one key, a revoked one may come back with it as a new device, and in data from
 * before devices share keys.
 */
export const keysOfDevices = statement(`
  CREATE INDEX cps_certificates_key ON cps_certificates (key_sha256);
`)
