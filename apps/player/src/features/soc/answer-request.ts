import { createPrivateKey } from 'node:crypto'
import { signEvidence } from '@manara/attestation/evidence'
import { parseRequest } from '@manara/attestation/request'
import type { Enrolment } from './soc-files.ts'

export type AnswerDeps = {
  version: string
  /** What runs, measured now. */
  measure(): Promise<string>
  boot: { count: number; seed: string }
  uptime(): number
  now(): number
}

/** Evidence for a request, or undefined when it is none for this box. */
export async function answerRequest(
  deps: AnswerDeps,
  enrolment: Enrolment,
  payload: Buffer,
): Promise<{ evidence: Buffer; sha256: string } | undefined> {
  const request = parseRequest(payload)
  if (!request || request.device_id !== enrolment.device_id) return undefined
  const sha256 = await deps.measure()
  const claims = {
    device_id: enrolment.device_id,
    nonce: request.nonce,
    issued_at: new Date(deps.now()).toISOString(),
    firmware: { name: 'manara-player', version: deps.version, sha256 },
    measurements: [],
    boot_count: deps.boot.count,
    boot_seed: deps.boot.seed,
    uptime_s: Math.floor(deps.uptime()),
    debug: process.execArgv.some((argument) => /^--inspect(-brk|-wait)?(=|$)/.test(argument)),
  }
  const key = createPrivateKey(enrolment.key)
  return { evidence: signEvidence(claims, key, enrolment.fingerprint), sha256 }
}
