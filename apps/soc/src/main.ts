import { runService } from '@manara/kit/service'
import { startSoc } from './compose.ts'
import { readConfig } from './config.ts'

await runService('soc', async () => startSoc(readConfig()))
