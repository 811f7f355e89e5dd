import { runService } from '@manara/kit/service'
import { readConfig } from './config.ts'
import { startSoc } from './start.ts'

// Logs, keys and records are for the account of the service alone, whatever the shell says.
process.umask(0o077)

await runService('soc', async () => startSoc(readConfig()))
