import { randomUUID } from 'node:crypto'
import { malformedRequests } from '@manara/kit/testing/malformed-requests'
import fc from 'fast-check'
import { inParallel, type Sender, shuffled } from './sender.ts'

type Paths = Record<string, Record<string, never>>
type Document = { paths: Paths; components: { schemas: Record<string, never> } }
type Route = { method: string; path: string; name: string }

/** Answers without an end. */
const STREAMS = /\/(events\/stream|siem\/tail|chat\/stream)$/
/** Would end the session that everything else is sent with: they get one of their own. */
const OF_ONE_SESSION = /\/(auth\/logout|users\/me\/password)$/

/** Malformed requests to every route of the OpenAPI document, each at least once. */
export async function fuzzRoutes(
  sender: Sender,
  ends: number,
  signIn: () => Promise<Record<string, string>>,
): Promise<void> {
  const reply = await sender.send('GET', '/api/v1/openapi.json')
  const { paths, components } = (await reply.json()) as Document
  const routes = routesOf(paths)
  for (const { name } of routes) sender.reach('route', name, 0)

  async function tryOne({ method, path, name }: Route, known: Record<string, string>) {
    const only = { [path]: { [method]: paths[path]?.[method] as never } }
    const [request] = fc.sample(malformedRequests(only, idsFor(path, known), components.schemas), 1)
    if (!request) return
    const { payload, type } = request
    const init = {
      headers: {
        ...(type ? { 'content-type': type } : {}),
        ...(OF_ONE_SESSION.test(path) ? await signIn() : {}),
      },
      ...(payload === undefined ? {} : { body: payload }),
    }
    if (STREAMS.test(path)) await sender.askAndLeave(request.method, request.url, init)
    else await sender.ask(request.method, request.url, init)
    sender.reach('route', name)
  }

  do {
    const known = await makeRecords(sender)
    // Those that delete come last: behind a 404 nothing is tried.
    const [deleting, others] = [
      routes.filter(({ method }) => method === 'delete'),
      routes.filter(({ method }) => method !== 'delete'),
    ]
    for (const some of [others, deleting]) {
      await inParallel(shuffled(some), Number.POSITIVE_INFINITY, (route) => tryOne(route, known))
    }
  } while (Date.now() < ends)
}

const routesOf = (paths: Paths): Route[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => ({
      ...{ method, path },
      name: `${method.toUpperCase()} ${path}`,
    })),
  )

/** The record that the path asks for where there is one, else any. */
function idsFor(path: string, known: Record<string, string>): string[] {
  const [, kind = ''] = /([\w-]+)\/\{/.exec(path) ?? []
  const id = known[kind]
  return id === undefined ? Object.values(known) : [id]
}

/** Ids that exist, of every kind that is made by one call. */
async function makeRecords({ send }: Sender): Promise<Record<string, string>> {
  const make = async (url: string, body: object) => {
    const reply = await send('POST', `/api/v1${url}`, {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const { id } = (await reply.json()) as { id?: string }
    if (id === undefined) throw new Error(`nothing to try on: POST ${url} ${reply.status}`)
    return id
  }
  const steps = [{ id: 'rest', action: 'wait', params: { seconds: 1 } }]
  return {
    users: 'admin',
    agents: 'agent-001',
    fields: '_parser',
    prompts: 'triage-alert',
    alerts: await make('/alerts', { title: 'a', source: 's', severity: 'low', iocs: [] }),
    cases: await make('/cases', { title: 'c', severity: 'low' }),
    sites: await make('/sites', { name: `site ${randomUUID()}` }),
    hunts: await make('/siem/hunts', { title: 'h', query: 'a' }),
    iocs: await make('/iocs', { type: 'ip', value: '203.0.113.9' }),
    playbooks: await make('/soar/playbooks', { name: 'p', steps }),
  }
}
