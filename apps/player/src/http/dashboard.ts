import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { Http } from '@manara/kit/http'

const FILES = fileURLToPath(new URL('../../../player-web/', import.meta.url))

/** `GET /*`: the dashboard's files, and its index for every other path outside `/api`. */
export async function serveDashboard(http: Http) {
  await http.register(fastifyStatic, { root: FILES, wildcard: false, index: false })
  http.get('/', { schema: { hide: true } as object }, (_request, reply) =>
    reply.sendFile('index.html'),
  )
  http.get('/*', { schema: { hide: true } as object }, (request, reply) =>
    /^\/api(?=[/?]|$)/.test(request.url) ? reply.callNotFound() : reply.sendFile('index.html'),
  )
}
