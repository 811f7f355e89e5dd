import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { writeDurably } from '@manara/kit/write-durably'
import * as z from 'zod'

/** What the box keeps of its enrolment: off the store, which a version that gives way takes back. */
const Enrolment = z.object({
  soc: z.string(),
  soc_ca: z.string().optional(),
  device_id: z.string(),
  key: z.string(),
  certificate: z.string(),
  ca: z.string(),
  fingerprint: z.string(),
  not_after: z.string(),
  renew_after: z.string(),
  mqtt: z.object({
    url: z.string().nullable(),
    port: z.int(),
    client_id: z.string(),
    request_topic: z.string(),
    evidence_topic: z.string(),
  }),
})
export type Enrolment = z.infer<typeof Enrolment>

/** The reply to an enrolment, of which the rest is ours. */
export const Enrolled = Enrolment.omit({ soc: true, soc_ca: true, key: true })

const Pending = z.object({ code: z.string(), key: z.string() })

export type SocFiles = ReturnType<typeof openSocFiles>

export function openSocFiles(dataDir: string) {
  const folder = path.join(dataDir, 'soc')
  const at = (name: string) => path.join(folder, name)

  function read<Shape extends z.ZodType>(name: string, shape: Shape): z.infer<Shape> | undefined {
    try {
      return shape.parse(JSON.parse(readFileSync(at(name), 'utf8')))
    } catch {
      return undefined
    }
  }
  function write(name: string, value: unknown) {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    writeDurably(at(name), `${JSON.stringify(value)}\n`, 0o600)
  }

  return {
    enrolment: () => read('enrolment.json', Enrolment),
    keep(enrolment: Enrolment) {
      write('enrolment.json', enrolment)
      rmSync(at('pending.json'), { force: true })
    },
    /** The key that was last sent with this code: an answer that got lost is given for it again. */
    pendingKey(code: string): string | undefined {
      const pending = read('pending.json', Pending)
      return pending?.code === code ? pending.key : undefined
    },
    keepPending: (code: string, key: string) => write('pending.json', { code, key }),
    /** One more start than ever before, on disk when this returns. */
    countBoot(): number {
      const count = (read('boots.json', z.int()) ?? 0) + 1
      write('boots.json', count)
      return count
    },
    forget: () => rmSync(folder, { recursive: true, force: true }),
  }
}
