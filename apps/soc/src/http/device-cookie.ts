import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { SessionCookie } from './session-cookie.ts'

const NAME = 'soc_device'
const YEAR_S = 365 * 24 * 3_600

/**
 * A browser that has signed in is known again by this cookie, so that wrong passwords sent by others
 * from the same address do not hold it back. It proves nothing else. Programs are given none.
 */
export function deviceCookie({ options }: SessionCookie) {
  const of = (request: FastifyRequest): string | undefined => {
    const value = request.cookies[NAME]
    return value && value.length <= 100 ? value : undefined
  }
  return {
    /** What the browser sent, or what it is given now. */
    ofOrNew(request: FastifyRequest, reply: FastifyReply): string | undefined {
      if (!isBrowser(request)) return of(request)
      const value = of(request) ?? randomBytes(32).toString('base64url')
      reply.setCookie(NAME, value, { ...options, path: '/api/v1/auth', maxAge: YEAR_S })
      return value
    },
  }
}

/** Without https they say where they come from in Origin alone. */
const isBrowser = ({ headers }: FastifyRequest) =>
  headers['sec-fetch-site'] !== undefined || headers.origin !== undefined
