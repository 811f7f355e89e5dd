import { createHash, createPrivateKey, type KeyObject } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Sealing } from '../../../core/keys/sealing.ts'
import type { Tables } from '../../../db/tables.ts'
import { type Issuer, issueRoot, validFor } from './issue.ts'
import * as x509 from './x509.ts'

export type Authority = {
  issuer: Issuer
  /** The same key for what the library does not sign. */
  key: KeyObject
  pem: string
  /** SHA-256 of the certificate, in hex. */
  fingerprint: string
}

const PURPOSE = 'cps/authority'
const ROOT_DAYS = 20 * 365

/**
 * The authority of devices: made at the first use, its key sealed with the key file. Processes on
 * one database share it. Throws `WrongKey` where the key file is another.
 */
export function createAuthority(deps: { db: Kysely<Tables>; sealing: Sealing; now(): number }) {
  let opened: Promise<Authority> | undefined

  async function open(): Promise<Authority> {
    const row = (await stored(deps.db)) ?? (await make())
    const certificate = new x509.X509Certificate(row.certificate_pem)
    const pkcs8 = deps.sealing.open(row.sealed_key, PURPOSE)
    const key = await crypto.subtle.importKey('pkcs8', new Uint8Array(pkcs8), x509.P256, false, [
      'sign',
    ])
    return {
      issuer: { certificate, key },
      key: createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' }),
      pem: row.certificate_pem,
      fingerprint: fingerprintOf(certificate),
    }
  }

  /** Of two processes that make one at once, both end with the one that was stored. */
  async function make() {
    const keys = await crypto.subtle.generateKey(x509.P256, true, ['sign', 'verify'])
    const root = await issueRoot(keys, 'Manara devices', validFor(ROOT_DAYS, deps.now()))
    const key = await crypto.subtle.exportKey('pkcs8', keys.privateKey)
    await deps.db
      .insertInto('cps_authority')
      .values({
        id: 1,
        certificate_pem: x509.toPem('CERTIFICATE', root.rawData),
        sealed_key: deps.sealing.seal(new Uint8Array(key), PURPOSE),
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    const row = await stored(deps.db)
    if (!row) throw new Error('the authority of devices was not stored')
    return row
  }

  return {
    open(): Promise<Authority> {
      opened ??= open().catch((error) => {
        opened = undefined
        throw error
      })
      return opened
    },
  }
}

const stored = (db: Kysely<Tables>) =>
  db.selectFrom('cps_authority').select(['certificate_pem', 'sealed_key']).executeTakeFirst()

export const fingerprintOf = ({ rawData }: Pick<x509.X509Certificate, 'rawData'>): string =>
  createHash('sha256').update(Buffer.from(rawData)).digest('hex')
