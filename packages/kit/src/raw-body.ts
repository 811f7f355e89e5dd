import type { Http } from './http.ts'

/** Bytes in memory up to a limit, or a stream that nothing has read. */
type RawBody = { mostBytes: number } | 'stream'

/** Routes that take a body of any content type as it comes, beside those that take JSON. */
export function rawBodyScope(http: Http, body: RawBody, routes: (scope: Http) => void) {
  void http.register(async (scope: Http) => {
    scope.removeAllContentTypeParsers()
    if (body === 'stream') {
      scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
      // Node throws away only a body that nobody has begun to read; behind the rest of another the
      // next request on the connection would wait for ever.
      scope.addHook('onResponse', async ({ raw }) => {
        raw.resume()
      })
    } else {
      scope.addContentTypeParser(
        '*',
        { parseAs: 'buffer', bodyLimit: body.mostBytes },
        (_request, bytes, done) => done(null, bytes),
      )
    }
    routes(scope)
  })
}
