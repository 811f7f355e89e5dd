import path from 'node:path'
import type { Logger } from '@manara/kit/logging'
import type { Kysely } from 'kysely'
import { createSyslogAnchor } from '../adapters/anchors/syslog-anchor.ts'
import { createTimeStampAnchor } from '../adapters/anchors/time-stamp-anchor.ts'
import { createWebhookAnchor } from '../adapters/anchors/webhook-anchor.ts'
import { createCommandSigner } from '../adapters/command-signer.ts'
import type { Config } from '../config.ts'
import { createAnchorHeads } from '../core/proofs/anchor-heads.ts'
import { signerFromSeed } from '../core/proofs/signer.ts'
import { openUnsent } from '../core/proofs/unsent-heads.ts'
import { createWitness } from '../core/proofs/witness.ts'
import type { Tables } from '../db/tables.ts'
import { createWorker } from '../db/worker.ts'

const POLL_MS = 500

/** Signs how far the audit log and the evidence have come, and keeps that outside the database. */
export function composeProofs(deps: {
  config: Config
  db: Kysely<Tables>
  log: Logger
  seed: Uint8Array
  isReady(): boolean
}) {
  const { config, db, log, isReady } = deps
  const { intervalMs, syslog, webhook, timeStamps, signerCommand, signerPublicKey } = config.proofs
  const now = () => new Date()
  const signer =
    signerCommand && signerPublicKey
      ? createCommandSigner(signerCommand, signerPublicKey)
      : signerFromSeed(deps.seed)
  const directory = path.join(config.dataDir, 'anchors')
  const witness = createWitness({ directory, signer, now })
  const anchors = [
    ...(syslog ? [createSyslogAnchor(syslog)] : []),
    ...(webhook ? [createWebhookAnchor(webhook)] : []),
    ...(timeStamps ? [createTimeStampAnchor(timeStamps)] : []),
  ]
  const unsent = openUnsent(directory, anchors)
  const pass = createAnchorHeads({ db, witness, unsent, log, intervalMs, now })
  const worker = createWorker({ pass, isReady, pollMs: POLL_MS, gapMs: POLL_MS, log })

  return { witness, start: worker.start, stop: worker.stop }
}
