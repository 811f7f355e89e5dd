import { RuleCoverageInput } from '@manara/soc-contract/tools'
import { defineTool } from '../../../core/tools/tool.ts'
import type { ToolFunctions } from '../functions.ts'

export const ruleCoverage = (functions: ToolFunctions) =>
  defineTool({
    name: 'rule_coverage',
    title: 'Which techniques the rules see',
    description: 'ATT&CK tactics with their coverage, and techniques with their rules and alerts.',
    input: RuleCoverageInput,
    effect: 'reads',
    permissions: ['detections:read'],
    async run({ technique }, { principal }) {
      const { tactics, techniques } = await functions.coverage(principal)
      const isAsked = (id: string) =>
        technique === undefined || id === technique || id.startsWith(`${technique}.`)
      return { tactics, techniques: techniques.filter(({ id }) => isAsked(id)) }
    },
    shows: ({ techniques }) => techniques.flatMap(({ rule_ids }) => rule_ids),
  })
