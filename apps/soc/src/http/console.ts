import { existsSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { Http } from '@manara/kit/http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { open } from './permissions.ts'

const WEB = fileURLToPath(new URL('../../../soc-web/', import.meta.url))

const YEAR_S = 365 * 24 * 3600
/** `main-IPQ3UUSW.js`: named by its content, so that it never changes. */
const NAMED_BY_CONTENT = /-[0-9A-Z]{8}\.(js|css|woff2)$/

/** The console's files are public, its data is not. */
export async function serveConsole(http: Http, web = WEB): Promise<void> {
  const dist = path.join(web, 'dist')
  const isBuilt = existsSync(path.join(dist, 'index.html'))
  await http.register(async (pages) => {
    pages.addHook('onRoute', (route) => {
      route.config = { ...route.config, ...open().config }
    })
    await pages.register(fastifyStatic, {
      root: path.join(web, 'sign-in'),
      prefix: '/sign-in/',
      // Only files that are there now have a route, so nothing else is public by accident.
      wildcard: false,
      cacheControl: false,
      schemaHide: true,
      setHeaders: (reply) => {
        for (const [name, value] of pageHeaders()) reply.header(name, value)
      },
    })
    if (isBuilt) {
      await pages.register(fastifyStatic, {
        root: dist,
        decorateReply: false,
        wildcard: false,
        index: false,
        preCompressed: true,
        cacheControl: false,
        dotfiles: 'ignore',
        schemaHide: true,
        setHeaders(reply, file) {
          // What is found beside it in a smaller form has the same name before the ending.
          const isLasting = NAMED_BY_CONTENT.test(file.replace(/\.(br|gz)$/, ''))
          reply.header(
            'cache-control',
            isLasting ? `public, max-age=${YEAR_S}, immutable` : 'no-cache',
          )
        },
      })
    }
    const hidden = { schema: { hide: true } as object }
    const page = (_: FastifyRequest, reply: FastifyReply) => {
      if (!isBuilt) return reply.type('text/plain; charset=utf-8').send(NOT_BUILT)
      for (const [name, value] of pageHeaders()) reply.header(name, value)
      return reply.sendFile('index.html', dist)
    }
    pages.get('/sign-in', hidden, (_, reply) => reply.redirect('/sign-in/'))
    pages.get('/', hidden, page)
    pages.get('/*', hidden, (request, reply) =>
      isPage(request) ? page(request, reply) : reply.callNotFound(),
    )
  })
}

const NOT_BUILT =
  'The console is not part of this installation. Build it with: node scripts/web.ts soc-web\nThe API is described at /api/v1/docs.\n'

/** A missing script is not found; only what a person may have typed or followed leads to the page. */
function isPage({ url, headers }: FastifyRequest): boolean {
  const pathname = url.split('?')[0] ?? ''
  if (/^\/(api|health|metrics|\.well-known|services|_bulk|v1)(\/|$)/.test(pathname)) return false
  if (pathname.slice(pathname.lastIndexOf('/')).includes('.')) return false
  // Shippers ask for anything; only a browser says that it wants a page.
  return /text\/html/.test(headers.accept ?? '')
}

/** Nothing but our own files runs, and nothing but this service is spoken to. */
function pageHeaders(): [name: string, value: string][] {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types manara',
  ]
  return [
    ['cache-control', 'no-cache'],
    ['content-security-policy', policy.join('; ')],
    ['referrer-policy', 'same-origin'],
    ['permissions-policy', 'geolocation=(), camera=(), microphone=()'],
    ['cross-origin-opener-policy', 'same-origin'],
  ]
}
