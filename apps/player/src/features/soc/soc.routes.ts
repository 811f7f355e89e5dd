import type { Http } from '@manara/kit/http'
import { SocEnrolBody, SocResult, SocStatus } from '@manara/player-contract/soc'
import type { SocLink } from './soc-link.ts'

const tags = ['settings']

export function socRoutes(http: Http, link: Pick<SocLink, 'status' | 'enrol' | 'leave'>) {
  http.get(
    '/settings/soc',
    {
      schema: {
        tags,
        summary: 'Whether the box is a device of a security platform; needs the token',
        response: { 200: SocStatus },
      },
    },
    async () => link.status(),
  )

  http.post(
    '/settings/soc',
    {
      schema: {
        tags,
        summary: 'Enrol at a security platform with a one-time code',
        description:
          'The box makes a key, gets a certificate for it, attests what it runs when asked, and sends its audit log. Off until this is called; a factory reset ends it.',
        body: SocEnrolBody,
        response: { 200: SocResult },
      },
    },
    async ({ body }) => ({ success: true as const, ...(await link.enrol(body)) }),
  )

  http.delete(
    '/settings/soc',
    {
      schema: {
        tags,
        summary: 'Be a device of that platform no longer',
        response: { 200: SocResult },
      },
    },
    async () => ({ success: true as const, ...(await link.leave()) }),
  )
}
