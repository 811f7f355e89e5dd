import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Http } from './http.ts'

type Headers = [name: string, value: string][]

export type WebApp = {
  /** The folder it was built into. */
  files: string
  /** What a person reads where it was never built. */
  notBuilt: string
  /** The beginnings of paths that are no pages. */
  others: string[]
  /** Whether somebody who accepts this wants a page. */
  accepts: RegExp
  headers(request: FastifyRequest): Headers
}

const YEAR_S = 365 * 24 * 3600
/** `main-IPQ3UUSW.js`: named by its content, so that it never changes. */
const NAMED_BY_CONTENT = /-[0-9A-Z]{8}\.(js|css|woff2)$/
const HIDDEN = { schema: { hide: true } as object }

/** `GET /*`: the files of a web app as they were built, and its page for every path that is a page. */
export async function serveWebApp(http: Http, { files, notBuilt, headers, ...of }: WebApp) {
  const isBuilt = existsSync(path.join(files, 'index.html'))
  if (isBuilt) {
    await http.register(fastifyStatic, {
      root: files,
      decorateReply: !http.hasReplyDecorator('sendFile'),
      // Only files that are there now have a route, so nothing else is public by accident.
      wildcard: false,
      // Pages go out with their policy only.
      globIgnore: ['*.html*'],
      index: false,
      preCompressed: true,
      cacheControl: false,
      dotfiles: 'ignore',
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
  /** `page-NAME.html` asks early for what is shown at `/NAME`. */
  const pages = isBuilt ? readdirSync(files) : []
  const ownPage = ({ url }: FastifyRequest) =>
    pages.find((name) => name === `page-${url.split(/[/?]/)[1]}.html`)
  const page = (request: FastifyRequest, reply: FastifyReply) => {
    if (!isBuilt) return reply.type('text/plain; charset=utf-8').send(notBuilt)
    for (const [name, value] of headers(request)) reply.header(name, value)
    return reply.sendFile(ownPage(request) ?? 'index.html', files)
  }
  http.get('/', HIDDEN, page)
  http.get('/*', HIDDEN, (request, reply) =>
    isPage(request, of, ownPage(request) !== undefined)
      ? page(request, reply)
      : reply.callNotFound(),
  )
}

/** A missing script is not found; only what a person may have typed or followed leads to the page. */
function isPage(
  { url, headers }: FastifyRequest,
  { others, accepts }: Pick<WebApp, 'others' | 'accepts'>,
  isWithinPage: boolean,
): boolean {
  const pathname = url.split('?')[0] ?? ''
  if (others.includes(pathname.split('/')[1] ?? '')) return false
  // Within a page it is part of a name: /library/Husary.128kbps
  if (!isWithinPage && pathname.slice(pathname.lastIndexOf('/')).includes('.')) return false
  return accepts.test(headers.accept ?? '*/*')
}

/** Nothing but our own files runs, and nothing but this service is spoken to. */
export function contentPolicy({ connect = '', also = [] as string[] } = {}): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    `connect-src 'self'${connect}`,
    ...also,
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types manara',
  ].join('; ')
}
