import { readConfig } from './config.ts'
import { tokenIn } from './features/system/device-token.ts'

/** `npm run player:token`: for the person at the console; no route ever returns it. */
try {
  const { dataDir } = readConfig()
  const token = tokenIn(dataDir)
  if (!token) throw new Error(`there is no device token in ${dataDir} yet: start the player first`)
  process.stdout.write(`device token: ${token}\n`)
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`)
  process.exitCode = 1
}
