import { existsSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { readConfig } from './config.ts'
import { storedToken } from './features/system/device-token.ts'

/** `npm run player:token`: for the person at the console; no route ever returns it. */
const file = path.join(readConfig().dataDir, 'player.db')
const token = existsSync(file) ? storedToken(new DatabaseSync(file, { readOnly: true })) : undefined
if (token) {
  process.stdout.write(`device token: ${token}\n`)
} else {
  process.stderr.write(`there is no device token in ${file} yet: start the player first\n`)
  process.exitCode = 1
}
