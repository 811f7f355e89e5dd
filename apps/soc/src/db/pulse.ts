import { afterSteps } from '@manara/kit/after-steps'
import pg from 'pg'
import { isSilence, NO_ANSWER } from './connection-failure.ts'

/** Whether the database answers, on a connection of its own: a busy pool is no sign of a lost one. */
export function createPulse(connection: pg.PoolConfig, patienceMs: number) {
  const pool = new pg.Pool({ ...connection, max: 1, connectionTimeoutMillis: patienceMs })

  /** Patience has only what leaves the service itself its time: an answer may lie there unread. */
  async function feel() {
    const client = await pool.connect()
    const silence = Promise.withResolvers<never>()
    const stopWaiting = afterSteps(patienceMs, () => silence.reject(new Error(NO_ANSWER)))
    try {
      await Promise.race([client.query('SELECT 1'), silence.promise])
      client.release()
    } catch (error) {
      client.release(true)
      throw error
    } finally {
      stopWaiting()
    }
  }

  /** For work that waits for answers: a host that goes dark meanwhile would be waited for in vain. */
  async function watchDuring(work: () => Promise<void>, onSilence: () => void) {
    const watch = setInterval(() => {
      feel().catch((error) => {
        if (isSilence(error)) onSilence()
      })
    }, patienceMs)
    await work().finally(() => clearInterval(watch))
  }

  return { pool, feel, watchDuring }
}
