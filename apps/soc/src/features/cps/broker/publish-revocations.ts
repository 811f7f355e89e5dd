import { readFileSync } from 'node:fs'
import type { Logger } from '@manara/kit/logging'
import { writeDurably } from '@manara/kit/write-durably'
import type { Revocations } from '../authority/revocations.ts'
import { toPem } from '../authority/x509.ts'

/**
 * Puts the list where a broker reads it, and tells the broker to. Without a file its owner has to
 * fetch the list from `/cps/crl`; without a process to tell, to reload it.
 */
export async function publishRevocations(
  revocations: Revocations,
  { crlFile, pidFile }: { crlFile?: string | undefined; pidFile?: string | undefined },
  log: Logger,
): Promise<void> {
  if (!crlFile) return log.warn('MQTT_CRL is not set: the broker has to fetch /cps/crl by itself')
  writeDurably(crlFile, toPem('X509 CRL', await revocations.list()), 0o644)
  if (!pidFile) return log.warn('MQTT_PID is not set: the broker has to reload its CRL by itself')
  try {
    process.kill(Number(readFileSync(pidFile, 'utf8').trim()), 'SIGHUP')
  } catch (error) {
    log.error({ err: error }, 'the broker could not be told to reload its CRL')
  }
}
