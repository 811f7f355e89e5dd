import path from 'node:path'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { Http } from '@manara/kit/http'
import { contentPolicy, serveWebApp } from '@manara/kit/web-app'
import { open } from './permissions.ts'

const WEB = fileURLToPath(new URL('../../../soc-web/', import.meta.url))

const PAGE_HEADERS: [name: string, value: string][] = [
  ['cache-control', 'no-cache'],
  ['content-security-policy', contentPolicy()],
  ['referrer-policy', 'same-origin'],
  ['permissions-policy', 'geolocation=(), camera=(), microphone=()'],
  ['cross-origin-opener-policy', 'same-origin'],
]

/** The console's files are public, its data is not. */
export async function serveConsole(http: Http, web = WEB): Promise<void> {
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
      setHeaders: (reply) => {
        for (const [name, value] of PAGE_HEADERS) reply.header(name, value)
      },
    })
    pages.get('/sign-in', { schema: { hide: true } as object }, (_, reply) =>
      reply.redirect('/sign-in/'),
    )
    await serveWebApp(pages, {
      files: path.join(web, 'dist'),
      notBuilt:
        'The console is not part of this installation. Build it with: node scripts/web.ts soc-web\nThe API is described at /api/v1/docs.\n',
      others: ['api', 'health', 'metrics', '.well-known', 'services', '_bulk', 'v1'],
      // Shippers ask for anything; only a browser says that it wants a page.
      accepts: /text\/html/,
      headers: () => PAGE_HEADERS,
    })
  })
}
