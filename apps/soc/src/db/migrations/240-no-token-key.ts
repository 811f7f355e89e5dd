import { statement } from './statement.ts'

/** The key of session tokens is derived from the key file now; backups may still hold this one. */
export const noTokenKey = statement(`
  DELETE FROM signing_keys WHERE purpose = 'jwt';
`)
