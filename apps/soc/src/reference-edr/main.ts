import { runService } from '@manara/kit/service'
import { readConfig } from './config.ts'
import { startReferenceEdr } from './server.ts'

await runService('edr', async () => startReferenceEdr(readConfig()))
