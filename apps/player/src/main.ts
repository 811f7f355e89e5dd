import { runService } from '@manara/kit/service'
import { readConfig } from './config.ts'
import { startPlayer } from './start.ts'

await runService('player', async () => startPlayer(readConfig()))
