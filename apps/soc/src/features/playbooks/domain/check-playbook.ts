import { invalid } from '@manara/kit/errors'
import type { PlaybookDefinition, PlaybookStep } from '@manara/soc-contract/playbooks'
import { faultOfParameter } from './parameters.ts'
import { checkSecretCall } from './secrets.ts'
import {
  type Inspected,
  inspectExpression,
  inspectTemplates,
  type TemplateFault,
} from './template.ts'

type Json = Record<string, unknown>

/** What is known of actions: their names, and what their parameters must be. */
export type KnownActions = {
  names: string[]
  faultOfParams(action: string, params: Json): { at: string[]; why: string } | null
  /** The parameters of an action that may hold secrets. */
  secretParams(action: string): readonly string[]
}

type Checked = Pick<PlaybookDefinition, 'parameters' | 'trigger' | 'steps'>

/** Everything that can be told before it runs; 400 names the field, as in `steps.2.params.url`. */
export function checkPlaybook(playbook: Checked, known: KnownActions): void {
  for (const [name, parameter] of Object.entries(playbook.parameters)) {
    const fault = faultOfParameter(parameter)
    if (fault) throw invalid(`parameters.${name}.${fault.at}`, fault.why)
    const { required, default: fallback } = parameter
    if (playbook.trigger.on !== 'manual' && required && fallback === null) {
      throw invalid(`parameters.${name}.default`, 'is required: a trigger brings no parameters')
    }
  }
  checkTrigger(playbook.trigger)
  const before = new Set<string>()
  for (const [index, step] of playbook.steps.entries()) {
    const field = `steps.${index}`
    if (before.has(step.id)) throw invalid(`${field}.id`, `${step.id} is the id of another step`)
    const readable = { params: new Set(Object.keys(playbook.parameters)), steps: before }
    checkStep(step, field, readable, known)
    before.add(step.id)
  }
}

function checkTrigger({ on, when }: Checked['trigger']) {
  if (when === null) return
  if (on === 'manual') throw invalid('trigger.when', 'is only for a trigger on alert.created')
  throwFirst('trigger.when', faultsIn([inspectExpression(when, [])], { alert: null }))
}

type Readable = { params: Set<string>; steps: Set<string> }

function checkStep(step: PlaybookStep, field: string, readable: Readable, known: KnownActions) {
  if (step.when !== null) {
    throwFirst(`${field}.when`, faultsIn([inspectExpression(step.when, [])], rootsOf(readable)))
  }
  checkCall(step, field, readable, known)
  if (step.undo !== null && step.undo !== 'none') {
    const withItself = { ...readable, steps: new Set([...readable.steps, step.id]) }
    checkCall(step.undo, `${field}.undo`, withItself, known)
  }
}

function checkCall(
  { action, params }: { action: string; params: Json },
  field: string,
  readable: Readable,
  known: KnownActions,
) {
  if (!known.names.includes(action)) {
    throw invalid(`${field}.action`, `must be one of ${known.names.join(', ')}`)
  }
  const mayHoldSecrets = known.secretParams(action)
  throwFirst(
    `${field}.params`,
    faultsIn(inspectTemplates(params), rootsOf(readable), mayHoldSecrets),
  )
  checkSecretCall(params, field)
  const fault = known.faultOfParams(action, params)
  if (fault) throw invalid([field, 'params', ...fault.at].join('.'), fault.why)
}

function throwFirst(field: string, faults: Iterable<{ at: string[]; why: string }>) {
  for (const { at, why } of faults) throw invalid([field, ...at].join('.'), why)
}

/** What a path may begin with; a set holds the names that may follow. */
type Roots = Record<string, Set<string> | null>

const rootsOf = ({ params, steps }: Readable): Roots => ({
  alert: null,
  case: null,
  execution: null,
  params,
  steps,
})

function* faultsIn(
  inspected: Iterable<Inspected | TemplateFault>,
  roots: Roots,
  mayHoldSecrets: readonly string[] = [],
): Iterable<TemplateFault> {
  for (const found of inspected) {
    if ('why' in found) yield found
    else {
      for (const path of found.paths) {
        const why =
          path[0] === 'secrets' ? faultOfSecret(found, mayHoldSecrets) : faultOfPath(path, roots)
        if (why) yield { at: found.at, why }
      }
    }
  }
}

/** Compared with something, a secret would be told letter by letter. */
function faultOfSecret({ at, secret }: Inspected, mayHold: readonly string[]): string | null {
  const isAllowed = at.length > 0 && mayHold.includes(at[0] as string)
  if (!isAllowed)
    return 'a secret may stand in the url, the headers or the body of http_webhook only'
  return secret === null ? 'a secret stands alone, as in {{ secrets.name }}' : null
}

function faultOfPath([root = '', name = '']: string[], roots: Roots): string | null {
  if (!Object.hasOwn(roots, root)) return `${root} is not one of ${Object.keys(roots).join(', ')}`
  const names = roots[root]
  if (!names || names.has(name)) return null
  return root === 'steps' ? `no earlier step is called ${name}` : `${root}.${name} is not declared`
}
