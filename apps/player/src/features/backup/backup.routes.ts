import type { Http } from '@manara/kit/http'
import { Backup, BroughtBack, MOST_BACKUP_BYTES } from '@manara/player-contract/backup'
import { type BringBackDeps, bringBack } from './bring-back.ts'
import { makeBackup, type Origin } from './make-backup.ts'

const tags = ['system']

export function backupRoutes(http: Http, deps: Origin & BringBackDeps) {
  http.get(
    '/backup',
    {
      schema: {
        tags,
        summary: 'All that its owner has put into the box, to be kept elsewhere',
        response: { 200: Backup },
      },
    },
    async (_, reply) => {
      const backup = await makeBackup(deps)
      const day = backup.made_at?.slice(0, 10) ?? 'undated'
      reply.header('content-disposition', `attachment; filename="manara-${day}.json"`)
      return backup
    },
  )

  http.post(
    '/backup',
    {
      bodyLimit: MOST_BACKUP_BYTES,
      schema: {
        tags,
        summary: 'The box as it was when the backup was made; it restarts',
        body: Backup,
        response: { 200: BroughtBack },
      },
    },
    ({ body }) => bringBack(deps, body),
  )
}
