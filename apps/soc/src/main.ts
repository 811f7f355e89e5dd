import { runService } from '@manara/kit/service'
import { readConfig } from './config.ts'
import { startSoc } from './start.ts'

await runService('soc', async () => startSoc(readConfig()))
