import { AppError } from '@manara/kit/errors'
import type { Kysely } from 'kysely'
import type { Tables } from '../../../../db/tables.ts'
import { type Action, type JsonObject, secretParamsOf } from '../../actions/action.ts'
import { parseParams } from '../../actions/action-params.ts'
import type { Scope } from '../../domain/evaluate.ts'
import { createRedaction } from '../../domain/redact.ts'
import { faultOfHost, namesOfSecrets } from '../../domain/secrets.ts'
import { render } from '../../domain/template.ts'
import type { Engine } from '../own-execution.ts'

/** What an action is called with, and how to keep the secrets in it out of everything that is kept. */
export type FilledCall = { params: never; redact<T>(value: T): T }

type Asked = {
  action: Action
  /** As it is recorded: with the names of secrets. */
  input: JsonObject
  template: JsonObject
  scope: Scope
}

/**
 * Secrets are put in here, for the call that follows at once, and are stored nowhere. They come from
 * the template alone: text of an alert that looks like one stays text.
 */
export async function fillCall(
  { functions }: Pick<Engine, 'functions'>,
  tx: Kysely<Tables>,
  { action, input, template, scope }: Asked,
): Promise<FilledCall> {
  const named = namesOfSecrets(pick(template, secretParamsOf(action)))
  if (named.length === 0) return { params: parseParams(action, input), redact: (value) => value }
  const secrets = await functions.openSecrets(tx, named)
  const values = Object.fromEntries(secrets.map(({ name, value }) => [name, value]))
  const filled = render(template, { ...scope, secrets: values }) as JsonObject
  const why = secrets.map((secret) => faultOfHost(secret, String(filled.url))).find(Boolean)
  if (why) throw new AppError(400, `params.url: ${why}`)
  return { params: parseParams(action, filled), redact: createRedaction(secrets) }
}

/** Nothing is sent, so no secret is needed: its name stands for it. */
export const rehearsedCall = (action: Action, input: JsonObject): FilledCall => ({
  params: parseParams(action, input),
  redact: (value) => value,
})

const pick = (params: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(params).filter(([name]) => names.includes(name)))
