import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { Http } from '@manara/kit/http'
import { open } from './permissions.ts'

const FILES = fileURLToPath(new URL('../../../soc-web', import.meta.url))

/** The console's files are public, its data is not. */
export async function serveConsole(http: Http): Promise<void> {
  await http.register(async (pages) => {
    pages.addHook('onRoute', (route) => {
      route.config = { ...route.config, ...open().config }
    })
    await pages.register(fastifyStatic, {
      root: FILES,
      // Only files that are there now have a route, so nothing else is public by accident.
      wildcard: false,
      globIgnore: ['**/*.json', '**/*.ts', '**/*.md'],
      schemaHide: true,
      setHeaders(reply) {
        reply.header('content-security-policy', "default-src 'self'; frame-ancestors 'none'")
        reply.header('referrer-policy', 'same-origin')
      },
    })
  })
}
