import { spawn } from 'node:child_process'
import { createPublicKey, verify } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import { StartError } from '@manara/kit/errors'
import type { Signer } from '../ports/signer.ts'

const PATIENCE_MS = 10_000

/**
 * A program of the owner's that holds the key elsewhere (a card, an HSM, another machine): it reads
 * the message on standard input and writes the 64 bytes of its Ed25519 signature.
 */
export function createCommandSigner(command: string, publicKeyFile: string): Signer {
  const publicKey = readPublicKey(publicKeyFile)
  return {
    publicKey,
    async sign(message) {
      const child = spawn('/bin/sh', ['-c', command], {
        stdio: ['pipe', 'pipe', 'ignore'],
        timeout: PATIENCE_MS,
      })
      child.stdin.on('error', () => {})
      child.stdin.end(message)
      const [signature, [code]] = await Promise.all([buffer(child.stdout), once(child, 'close')])
      if (code !== 0) throw new Error(`SOC_SIGNER_COMMAND ended with ${code}`)
      if (!verify(null, message, publicKey, signature)) {
        throw new Error('SOC_SIGNER_COMMAND: its signature does not fit SOC_SIGNER_PUBLIC_KEY')
      }
      return signature
    },
  }
}

function readPublicKey(file: string) {
  try {
    const key = createPublicKey(readFileSync(file))
    if (key.asymmetricKeyType === 'ed25519') return key
  } catch (error) {
    throw new StartError(`SOC_SIGNER_PUBLIC_KEY: ${file}: ${(error as Error).message}`)
  }
  throw new StartError(`SOC_SIGNER_PUBLIC_KEY: ${file} must be an Ed25519 public key`)
}
