import { AppError } from '@manara/kit/errors'
import type { Http } from '@manara/kit/http'
import { rawBodyScope } from '@manara/kit/raw-body'
import { FirmwareImportQuery, FirmwareImportResult } from '@manara/soc-contract/firmware'
import type { Changes } from '../../core/change/operator-change.ts'
import type { InTurn } from '../../http/in-turn.ts'
import { requires } from '../../http/permissions.ts'
import { importFirmware, readInThread } from './import-firmware.ts'
import { firstIssue } from './parse/parsed.ts'

const MOST_BYTES = 32 * 1024 * 1024

/** Takes bytes: a file is read in a thread of its own. */
export function importRoute(
  http: Http,
  { operatorChange, filesInTurn }: Pick<Changes, 'operatorChange'> & { filesInTurn: InTurn },
) {
  rawBodyScope(http, { mostBytes: MOST_BYTES }, (scope) => {
    scope.post(
      '/firmware/import',
      {
        ...requires('cps:manage'),
        validatorCompiler: () => (value) => ({ value }),
        schema: {
          tags: ['firmware'],
          summary: 'Import a list or a bill of materials',
          description:
            'CSV (`text/csv`) with vendor, product, version and sha256; or CycloneDX or SPDX 2 as JSON, whose components are then searchable. At most 32 MB. What is wrong is skipped and named by its line or path; a file with nothing right in it is refused.',
          querystring: FirmwareImportQuery,
          response: { 200: FirmwareImportResult },
        },
      },
      async (request, reply) => {
        const bytes = request.body
        const query = FirmwareImportQuery.safeParse(request.query)
        if (!query.success) throw new AppError(400, firstIssue(query.error))
        if (!Buffer.isBuffer(bytes) || bytes.length === 0) {
          throw new AppError(400, 'body: send CycloneDX or SPDX as JSON, or text/csv')
        }
        return operatorChange(request, reply, 200, importFirmware, () =>
          filesInTurn(reply, (signal) =>
            readInThread(
              {
                bytes,
                isCsv: /^text\/(csv|plain)/i.test(request.headers['content-type'] ?? ''),
                about: query.data,
              },
              signal,
            ),
          ),
        )
      },
    )
  })
}
