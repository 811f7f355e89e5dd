// The library wants the metadata of its decorators before it is loaded.
import 'reflect-metadata'
import { cryptoProvider } from '@peculiar/x509'

cryptoProvider.set(crypto as never)

export * from '@peculiar/x509'

/** The only kind of key here: what devices sign their attestations with, too. */
export const P256 = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const

export const toPem = (label: string, der: ArrayBuffer | Uint8Array): string =>
  `-----BEGIN ${label}-----\n${Buffer.from(der as Uint8Array)
    .toString('base64')
    .replaceAll(/.{1,64}/g, '$&\n')}-----END ${label}-----\n`
