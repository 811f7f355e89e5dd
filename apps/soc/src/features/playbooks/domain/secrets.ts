import { invalid } from '@manara/kit/errors'
import type { PlaybookStep } from '@manara/soc-contract/playbooks'
import { inspectTemplates } from './template.ts'

type Json = Record<string, unknown>
type Call = { action: string; params: Json }

/** Where a secret is named: `at` is the field of the parameters. */
type SecretUse = { at: string[]; name: string }

/** Where a secret may be sent; none means anywhere. */
export type SecretBound = { name: string; hosts: string[] }

function* secretsIn(params: Json): Iterable<SecretUse> {
  for (const found of inspectTemplates(params)) {
    if ('secret' in found && found.secret !== null) yield { at: found.at, name: found.secret }
  }
}

export const namesOfSecrets = (params: Json): string[] => [
  ...new Set([...secretsIn(params)].map(({ name }) => name)),
]

/** What a playbook calls, doing and undoing, with the field that says so. */
function* callsOf(steps: PlaybookStep[]): Iterable<{ field: string; call: Call }> {
  for (const [index, step] of steps.entries()) {
    yield { field: `steps.${index}`, call: step }
    if (step.undo !== null && step.undo !== 'none') {
      yield { field: `steps.${index}.undo`, call: step.undo }
    }
  }
}

export const secretsOfPlaybook = (steps: PlaybookStep[]): string[] => [
  ...new Set([...callsOf(steps)].flatMap(({ call }) => namesOfSecrets(call.params))),
]

/**
 * The host that a call with secrets goes to stands in its url as it is: an alert's text cannot send
 * a secret elsewhere, and who approves sees where it goes.
 */
const PLAIN_HOST = /^https?:\/\/[^\s/?#{}]+(?=[/?#]|$)/i

export function checkSecretCall(params: Json, field: string): void {
  const [first] = secretsIn(params)
  if (!first || PLAIN_HOST.test(String(params.url))) return
  throw invalid(
    `${field}.params.url`,
    `must begin with the host as it is, such as https://api.example.com/, because the call carries the secret ${first.name}`,
  )
}

/** 400 names the field of the first secret that is not stored, or may not go where it is sent. */
export function checkSecrets(steps: PlaybookStep[], stored: SecretBound[]): void {
  const byName = new Map(stored.map((secret) => [secret.name, secret]))
  for (const { field, call } of callsOf(steps)) {
    for (const { at, name } of secretsIn(call.params)) {
      const secret = byName.get(name)
      if (!secret) {
        throw invalid([field, 'params', ...at].join('.'), `no secret is called ${name}`)
      }
      const why = faultOfHost(secret, String(call.params.url))
      if (why) throw invalid(`${field}.params.url`, why)
    }
  }
}

/** Why the secret may not be sent to this address. */
export function faultOfHost({ name, hosts }: SecretBound, url: string): string | null {
  const { host = '', hostname = '' } = URL.parse(hostPart(url)) ?? {}
  if (hosts.length === 0 || hosts.includes(host) || hosts.includes(hostname)) return null
  return `the secret ${name} may only be sent to ${hosts.join(', ')}`
}

/** Without the rest, which may hold templates. */
const hostPart = (url: string) => PLAIN_HOST.exec(url)?.[0] ?? url
