import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { exportJWK, generateKeyPair } from 'jose'
import Provider, { type Configuration, type JWK } from 'oidc-provider'

export type Person = {
  sub: string
  preferred_username?: string
  name?: string
  email?: string
  email_verified?: boolean
  groups?: string[]
}

export const CLIENT = { id: 'manara-soc', secret: 'a secret of the client' }

/** A real OpenID provider on this machine. Who is `signedIn` there is let through without being asked. */
export async function startOidcServer(t: Pick<TestContext, 'after'>, redirectUri: string) {
  const people = new Map<string, Person>()
  const asked: URL[] = []
  const state = { signedIn: '', amr: ['pwd'] }
  // A connection that nobody uses for a while is not closed under who is about to use it again.
  const server = createServer({ keepAliveTimeout: 0 })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  const configuration: Configuration = {
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        redirect_uris: [redirectUri],
        post_logout_redirect_uris: [new URL('/', redirectUri).href],
        response_types: ['code'],
        grant_types: ['authorization_code'],
      },
    ],
    jwks: { keys: [{ ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig' } as JWK] },
    scopes: ['openid', 'profile', 'email'],
    claims: {
      openid: ['sub', 'amr'],
      profile: ['name', 'preferred_username', 'groups'],
      email: ['email', 'email_verified'],
    },
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    findAccount: (_context, sub) => {
      const person = people.get(sub)
      return person && { accountId: sub, claims: async () => ({ ...person }) }
    },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    cookies: { keys: ['of a test'] },
    ttl: { Session: 600, Grant: 600, Interaction: 600 },
  }
  const provider = new Provider(issuer, configuration)

  /** What a person would do on the provider's page. */
  async function interact(request: IncomingMessage, response: ServerResponse) {
    const { params } = await provider.interactionDetails(request, response)
    const accountId = state.signedIn
    const grant = new provider.Grant({ accountId, clientId: String(params.client_id) })
    grant.addOIDCScope(String(params.scope))
    await provider.interactionFinished(request, response, {
      login: { accountId, amr: state.amr, remember: false },
      consent: { grantId: await grant.save() },
    })
  }

  const handle = provider.callback()
  server.on('request', (request, response) => {
    const url = new URL(request.url ?? '/', issuer)
    if (url.pathname === '/auth') asked.push(url)
    if (url.pathname.startsWith('/interaction/')) {
      interact(request, response).catch((error) => {
        response.statusCode = 500
        response.end(String(error))
      })
      return
    }
    handle(request, response)
  })
  const stop = () =>
    new Promise<void>((resolve) => {
      server.closeAllConnections()
      server.close(() => resolve())
    })
  t.after(stop)

  return {
    issuer,
    stop,
    state,
    /** The questions that browsers were sent with. */
    asked,
    add: (person: Person) => void people.set(person.sub, person),
    /** Follows the browser from our redirect to the callback, with the provider's own cookies. */
    async visit(location: string): Promise<URL> {
      const jar = new Map<string, string>()
      let next = new URL(location)
      for (let hops = 0; hops < 10; hops += 1) {
        if (next.href.startsWith(redirectUri)) return next
        const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
        const reply = await fetch(next, { redirect: 'manual', headers: { cookie } })
        for (const line of reply.headers.getSetCookie()) {
          const [pair = ''] = line.split(';')
          const at = pair.indexOf('=')
          jar.set(pair.slice(0, at), pair.slice(at + 1))
        }
        const to = reply.headers.get('location')
        if (!to) throw new Error(`${reply.status} at ${next}: ${await reply.text()}`)
        next = new URL(to, next)
      }
      throw new Error('the provider does not come back')
    },
  }
}
