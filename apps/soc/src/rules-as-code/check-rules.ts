import { draftRules } from '../features/detections/import/draft-rules.ts'
import type { Draft } from '../features/detections/import/drafts.ts'
import type { RuleDirectory } from './read-directory.ts'
import { readSamples, type Samples } from './read-samples.ts'
import { eventsOf, hitsOf, type Sample } from './run-samples.ts'

export type Checked = {
  drafts: NamedDraft[]
  /** Each begins with the file; none when all is well. */
  problems: string[]
  /** Files of rules that nobody wrote samples for. */
  untested: string[]
  samples: number
}
export type NamedDraft = Draft & { external_id: string }

/** Without any service: what would be refused there, and rules that do not do what their samples say. */
export function checkRules({ rules, samples, strays }: RuleDirectory, now: number): Checked {
  const { drafts, skipped } = draftRules(rules, true, now)
  const problems = [
    ...skipped.map(({ file, reason }) => `${file}: ${reason}`),
    ...strays.map((file) => `${file}: there is no rule file beside it`),
  ]
  const named = drafts.filter((draft): draft is NamedDraft => draft.external_id !== null)
  for (const { file, external_id } of drafts) {
    if (external_id === null)
      problems.push(`${file}: id is missing: a push could not find it again`)
  }
  let count = 0
  for (const [file, content] of samples) {
    const read = readSamples(content)
    if (typeof read === 'string') {
      problems.push(read)
      continue
    }
    const ofFile = named.filter((draft) => fileOf(draft) === file)
    // What is wrong with the rule itself has been said.
    if (ofFile.length === 0) continue
    for (const one of read) {
      count += one.match.length + one.no_match.length
      problems.push(...tryOut(ofFile, one, now).map((problem) => `${content.name}: ${problem}`))
    }
  }
  // Filters and mappings are tried out with the rules they are for.
  const untested = [...new Set(drafts.map(fileOf))].filter((name) => !samples.has(name))
  return { drafts: named, problems, untested, samples: count }
}

function tryOut(drafts: NamedDraft[], { id, match, no_match }: Samples, now: number): string[] {
  const [draft, another] = id ? drafts.filter(({ external_id }) => external_id === id) : drafts
  if (!draft) return [`id: the rule file has no rule ${id}`]
  if (another) return ['id: is missing: the rule file has several rules']
  const isHit = (sample: Sample) => hitsOf(draft.rule, eventsOf(sample, now), now).length > 0
  const shown = (sample: Sample) => JSON.stringify(sample).slice(0, 200)
  return [
    ...match.flatMap((sample, place) =>
      isHit(sample) ? [] : [`match ${place + 1} does not match: ${shown(sample)}`],
    ),
    ...no_match.flatMap((sample, place) =>
      isHit(sample) ? [`no_match ${place + 1} matches: ${shown(sample)}`] : [],
    ),
  ]
}

/** Rules of a file with several are told apart by a number behind its name. */
const fileOf = ({ file }: Draft) => file.replace(/ \(document \d+\)$/, '')
