import { spawnSync } from 'node:child_process'
import path from 'node:path'

/**
 * `npm test` makes a cluster of PostgreSQL with the schema of the soc in it once, and says here where
 * it lies. A service, or a suite, that begins with a copy has it in a fraction of the work.
 */
const PLACE = 'SOC_READY_CLUSTER'

export const sayReadyCluster = (folder: string) => {
  process.env[PLACE] = path.join(folder, 'postgres')
}

/** Whether there was one to copy. */
export function copyReadyCluster(dataDir: string): boolean {
  const ready = process.env[PLACE]
  if (!ready) return false
  // Whose it is stays: PostgreSQL refuses the files of others.
  const { status, stderr } = spawnSync('cp', ['-a', ready, path.join(dataDir, 'postgres')])
  if (status !== 0) throw new Error(`no copy of ${ready}: ${stderr}`)
  return true
}
