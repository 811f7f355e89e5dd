import * as z from 'zod'

const isOwnMachine = (host: string) => /^(localhost|127\.[\d.]+|\[::1\])$/.test(host)

/** Over HTTPS; plain only within one machine. */
function isSocAddress(text: string): boolean {
  const url = URL.parse(text)
  if (url?.username !== '' || url.password !== '') return false
  return url.protocol === 'https:' || (url.protocol === 'http:' && isOwnMachine(url.hostname))
}

export const SocEnrolBody = z.strictObject({
  soc: z
    .string()
    .max(500)
    .refine(isSocAddress, 'must be an https address without credentials')
    .describe('Where the platform answers, such as https://soc.example'),
  code: z.string().min(1).max(200).describe('The one-time code that the platform showed'),
  ca: z
    .string()
    .max(10_000)
    .optional()
    .describe('PEM of who signed its certificate, where that is nobody known'),
  ca_fingerprint: z
    .string()
    .regex(/^[0-9a-f]{64}$/i, 'must be 64 hexadecimal digits')
    .optional()
    .describe('Of the authority for devices, as the platform showed it with the code'),
})
export type SocEnrolBody = z.infer<typeof SocEnrolBody>

export const SocStatus = z.object({
  state: z.enum(['off', 'enrolled']),
  soc: z.string(),
  device_id: z.string(),
  connected: z.boolean().describe('To its broker, now'),
  certificate_until: z.string(),
  last_attested_at: z.string().describe('Empty when it has not been asked yet'),
  firmware_sha256: z.string().describe('What was last measured and told'),
  events_waiting: z.int().describe('Of the audit log, not yet there'),
  events_dropped: z.int().describe('The oldest, while the platform was away for too long'),
  problem: z.string().describe('Empty when there is none'),
})
export type SocStatus = z.infer<typeof SocStatus>

export const SocResult = SocStatus.extend({ success: z.literal(true) })
