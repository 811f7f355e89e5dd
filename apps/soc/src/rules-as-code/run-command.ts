import { statSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { type Checked, checkRules } from './check-rules.ts'
import { digestOf, type Plan, planOf, versionsOf } from './plan.ts'
import { planLines } from './print-plan.ts'
import { type RuleDirectory, readRuleDirectory } from './read-directory.ts'
import { createSocClient, type SocClient } from './soc-client.ts'

export type CommandDeps = {
  /** Of the soc. */
  url: string
  key: string | undefined
  now(): number
  say(line: string): void
}

const USAGE = [
  'npm run rules -- check DIR [--require-samples]',
  'npm run rules -- diff DIR',
  'npm run rules -- push DIR [--plan DIGEST] [--switch-off-missing]',
]

const FINE = 0
const FAILED = 1
const HAS_CHANGES = 2

/** Resolves to the exit code: 0 when all is well, 1 when not, 2 when `diff` found something to push. */
export async function runRulesCommand(args: string[], deps: CommandDeps): Promise<number> {
  try {
    const { positionals, values } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        'require-samples': { type: 'boolean', default: false },
        'switch-off-missing': { type: 'boolean', default: false },
        plan: { type: 'string' },
      },
    })
    const [command = '', path = '', ...more] = positionals
    if (!['check', 'diff', 'push'].includes(command) || !path || more.length > 0) {
      throw new Error(['usage:', ...USAGE].join('\n  '))
    }
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) {
      throw new Error(`${path} is no directory: name the one that holds the rules`)
    }
    const directory = readRuleDirectory(path)
    const checked = checkRules(directory, deps.now())
    const isGood = tellChecked(checked, directory, values['require-samples'], deps.say)
    if (!isGood) return FAILED
    if (command === 'check') return FINE

    const soc = socOf(deps)
    const plan = planOf(checked.drafts, await soc.rules(), await soc.owner())
    for (const line of planLines(plan)) deps.say(line)
    if (command === 'diff') return plan.items.length > 0 ? HAS_CHANGES : FINE
    await push(soc, directory, plan, { ...values, say: deps.say })
    return FINE
  } catch (error) {
    deps.say(error instanceof Error ? error.message : String(error))
    return FAILED
  }
}

function socOf({ url, key }: CommandDeps): SocClient {
  if (!key) throw new Error('SOC_API_KEY is not set: make a key with detections:read and :write')
  return createSocClient({ url, key })
}

function tellChecked(
  { drafts, problems, untested, samples }: Checked,
  { rules }: RuleDirectory,
  isRequired: boolean,
  say: (line: string) => void,
): boolean {
  for (const problem of problems) say(problem)
  if (isRequired) for (const file of untested) say(`${file}: has no samples`)
  else if (untested.length > 0) {
    say(`files without samples: ${untested.length} (--require-samples names them)`)
  }
  if (rules.length === 0) say('there is no rule file here: .yml, .yaml or .json')
  const wrong = problems.length + (isRequired ? untested.length : 0)
  say(`${drafts.length} rules in ${rules.length} files, ${samples} samples, ${wrong} wrong`)
  return wrong === 0 && rules.length > 0
}

type PushOptions = {
  plan?: string | undefined
  'switch-off-missing': boolean
  say(line: string): void
}

async function push(soc: SocClient, { rules }: RuleDirectory, plan: Plan, options: PushOptions) {
  const { say, plan: wanted, 'switch-off-missing': isSwitching } = options
  if (wanted !== undefined && wanted !== digestOf(plan)) {
    throw new Error(
      `the plan is not ${wanted} any more: nothing was pushed, look at the diff again`,
    )
  }
  if (plan.items.length > 0) {
    const { imported, updated, preview } = await soc.importPlanned(rules, versionsOf(plan))
    say(`${preview ? 'dry_run: would be ' : ''}pushed: ${imported} created, ${updated} changed`)
  } else {
    say('nothing to push')
  }
  if (!isSwitching) return
  for (const rule of plan.missing.filter(({ enabled }) => enabled)) {
    await soc.switchOff(rule)
    say(`switched off: ${rule.external_id}  ${rule.name}`)
  }
}
