import { enableCompileCache } from 'node:module'

// A small board starts twice as fast, and without the TypeScript stripper in memory, when what
// was compiled at the last start is kept. So nothing else may be imported before.
enableCompileCache()
const [{ runService }, { startPlayer }, { readConfig }] = await Promise.all([
  import('@manara/kit/service'),
  import('./start.ts'),
  import('./config.ts'),
])

await runService('player', async () => startPlayer(readConfig()))
