import { fileURLToPath } from 'node:url'
import type { Http } from '@manara/kit/http'
import { contentPolicy, serveWebApp } from '@manara/kit/web-app'
import type { FastifyRequest } from 'fastify'

const FILES = fileURLToPath(new URL('../../../player-web/dist/', import.meta.url))

/** The dashboard's pages and files. */
export function serveDashboard(http: Http, files = FILES): Promise<void> {
  return serveWebApp(http, {
    files,
    notBuilt:
      'The dashboard is not part of this installation. Build it with: node scripts/web.ts\nThe API is described at /api/docs.\n',
    others: ['api', 'ws'],
    accepts: /text\/html|\*\/\*/,
    headers: pageHeaders,
  })
}

function pageHeaders({ host }: FastifyRequest): [name: string, value: string][] {
  // Safari before 16 does not count a socket to the same host as 'self'.
  const connect = /^[\w.:[\]-]+$/.test(host) ? ` ws://${host} wss://${host}` : ''
  const also = ["manifest-src 'self'", "worker-src 'self'"]
  return [
    ['content-security-policy', contentPolicy({ connect, also })],
    ['referrer-policy', 'no-referrer'],
    ['permissions-policy', 'geolocation=(self), camera=(), microphone=()'],
    ['cross-origin-opener-policy', 'same-origin'],
  ]
}
