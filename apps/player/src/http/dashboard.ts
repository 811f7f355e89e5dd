import { existsSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { Http } from '@manara/kit/http'
import type { FastifyReply, FastifyRequest } from 'fastify'

const FILES = fileURLToPath(new URL('../../../player-web/dist/', import.meta.url))

const YEAR_S = 365 * 24 * 3600
/** `main-IPQ3UUSW.js`: named by its content, so that it never changes. */
const NAMED_BY_CONTENT = /-[0-9A-Z]{8}\.(js|css|woff2)$/

/** `GET /*`: the dashboard's files as they were built, and its page for every path that is a page. */
export async function serveDashboard(http: Http, files = FILES) {
  const hidden = { schema: { hide: true } as object }
  const isBuilt = existsSync(path.join(files, 'index.html'))
  if (isBuilt) {
    await http.register(fastifyStatic, {
      root: files,
      wildcard: false,
      index: false,
      preCompressed: true,
      cacheControl: false,
      dotfiles: 'ignore',
      setHeaders(reply, file) {
        // What is found beside it in a smaller form has the same name before the ending.
        const name = file.replace(/\.(br|gz)$/, '')
        reply.header(
          'cache-control',
          NAMED_BY_CONTENT.test(name) ? `public, max-age=${YEAR_S}, immutable` : 'no-cache',
        )
      },
    })
  }
  const page = (request: FastifyRequest, reply: FastifyReply) => {
    if (!isBuilt) return reply.type('text/plain; charset=utf-8').send(NOT_BUILT)
    for (const [name, value] of pageHeaders(request.host)) reply.header(name, value)
    return reply.sendFile('index.html')
  }
  http.get('/', hidden, page)
  http.get('/*', hidden, (request, reply) =>
    isPage(request) ? page(request, reply) : reply.callNotFound(),
  )
}

const NOT_BUILT =
  'The dashboard is not part of this installation. Build it with: node scripts/web.ts\nThe API is described at /api/docs.\n'

/** A missing script is not found; only what a person may have typed or followed leads to the page. */
function isPage({ url, headers }: FastifyRequest): boolean {
  const pathname = url.split('?')[0] ?? ''
  if (/^\/(api|ws)(\/|$)/.test(pathname)) return false
  if (pathname.slice(pathname.lastIndexOf('/')).includes('.')) return false
  return /text\/html|\*\/\*/.test(headers.accept ?? '*/*')
}

/** Nothing but our own files runs, and nothing but this box is spoken to. */
function pageHeaders(host: string): [name: string, value: string][] {
  // Safari before 16 does not count a socket to the same host as 'self'.
  const sockets = /^[\w.:[\]-]+$/.test(host) ? ` ws://${host} wss://${host}` : ''
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    `connect-src 'self'${sockets}`,
    "manifest-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types manara',
  ]
  return [
    ['content-security-policy', policy.join('; ')],
    ['referrer-policy', 'no-referrer'],
    ['permissions-policy', 'geolocation=(self), camera=(), microphone=()'],
    ['cross-origin-opener-policy', 'same-origin'],
  ]
}
