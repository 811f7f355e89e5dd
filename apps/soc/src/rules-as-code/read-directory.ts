import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { stringify } from 'yaml'
import type { RuleFile } from '../features/detections/import/drafts.ts'

export type RuleDirectory = {
  rules: RuleFile[]
  /** By the name of the rule file they stand beside. */
  samples: Map<string, RuleFile>
  /** Files of samples without a rule file beside them. */
  strays: string[]
}

const RULE = /\.(ya?ml|json)$/
const SAMPLES = /\.test\.(ya?ml|json)$/
const IS_LEFT_OUT = /(^|\/)(\.|node_modules\/)/

/** `shell.yml` is a file of rules, `shell.test.yml` beside it has the samples for them. */
export function readRuleDirectory(directory: string): RuleDirectory {
  const names = readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll(path.sep, '/'))
    .filter((name) => RULE.test(name) && !IS_LEFT_OUT.test(name))
    .sort()
  const read = (name: string): RuleFile => ({
    name,
    content: readFileSync(path.join(directory, name), 'utf8'),
  })
  const rules = names.filter((name) => !SAMPLES.test(name)).map((name) => inYaml(read(name)))
  const beside = new Map(rules.map(({ name }) => [name.replace(RULE, ''), name]))
  const samples = new Map<string, RuleFile>()
  const strays: string[] = []
  for (const name of names.filter((one) => SAMPLES.test(one))) {
    const rule = beside.get(name.replace(SAMPLES, ''))
    if (rule) samples.set(rule, read(name))
    else strays.push(name)
  }
  return { rules, samples, strays }
}

/** JSON is sent as YAML, where one look tells our rules from Sigma's; what is neither stays as it is. */
function inYaml({ name, content }: RuleFile): RuleFile {
  if (!name.endsWith('.json')) return { name, content }
  try {
    const rules: unknown[] = [JSON.parse(content)].flat()
    return { name, content: rules.map((rule) => stringify(rule)).join('---\n') }
  } catch {
    return { name, content }
  }
}
