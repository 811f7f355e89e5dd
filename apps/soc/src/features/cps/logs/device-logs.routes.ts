import { AppError, notFound } from '@manara/kit/errors'
import type { Http } from '@manara/kit/http'
import { rawBodyScope } from '@manara/kit/raw-body'
import { DeviceParams } from '@manara/soc-contract/cps'
import { DeviceLogs, DeviceLogsTaken } from '@manara/soc-contract/device-logs'
import type { Kysely } from 'kysely'
import { isRecordId } from '../../../db/record-id.ts'
import type { Tables } from '../../../db/tables.ts'
import { provesItself } from '../../../http/permissions.ts'
import { signerOf } from './signer.ts'

export type DeviceLogDeps = {
  db: Kysely<Tables>
  now(): number
  /**
   * One JSON a line; resolves when they are on disk. Their host, source and these `facts` are as said
   * here, whatever is in a line.
   */
  takeLogs(
    sender: { id: string; name: string },
    lines: Buffer,
    vouched: { known: { host: string; source: string }; facts: Record<string, string> },
  ): Promise<DeviceLogsTaken>
}

const MOST_BYTES = 1024 * 1024

/** The audit log of a device, signed with the key of its certificate. */
export function deviceLogRoutes(http: Http, deps: DeviceLogDeps) {
  rawBodyScope(http, { mostBytes: MOST_BYTES }, (scope) => {
    scope.post(
      '/cps/devices/:id/logs',
      {
        ...provesItself(),
        validatorCompiler: () => (value) => ({ value }),
        schema: {
          tags: ['cps'],
          summary: 'Events of a device about itself',
          description:
            'Signed as RFC 9421 says over `@method`, `@path` and `content-digest`, with the key of the certificate whose fingerprint is the `keyid`. They are log events of the source `device` on the host of that name.',
          params: DeviceParams,
          body: DeviceLogs,
          response: { 200: DeviceLogsTaken },
        },
      },
      async (request): Promise<DeviceLogsTaken> => {
        const { id } = request.params as { id: string }
        if (!isRecordId(id)) throw notFound('device', id)
        const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
        const path = request.url.split('?')[0] ?? ''
        const message = { method: 'POST', path, body }
        const device = await signerOf(deps, id, message, request.headers)
        const { events } = parse(body)
        const lines = events.map(({ id: eventId, details, ...event }) =>
          JSON.stringify({ ...details, ...event, id: `${device.id}:${eventId}` }),
        )
        const sender = { id: `device ${device.id}`, name: device.name }
        return deps.takeLogs(sender, Buffer.from(lines.join('\n')), {
          known: { host: device.name, source: 'device' },
          facts: { device_id: device.id, ...(device.site_id ? { site_id: device.site_id } : {}) },
        })
      },
    )
  })
}

function parse(body: Buffer): DeviceLogs {
  let json: unknown
  try {
    json = JSON.parse(body.toString('utf8'))
  } catch {
    throw new AppError(400, 'body: is not valid JSON')
  }
  const read = DeviceLogs.safeParse(json)
  if (read.success) return read.data
  const [issue] = read.error.issues
  throw new AppError(400, `${issue?.path.join('.') || 'body'}: ${issue?.message}`)
}
