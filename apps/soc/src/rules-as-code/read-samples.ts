import { text } from '@manara/soc-contract/text'
import { parseAllDocuments } from 'yaml'
import { z } from 'zod'
import type { RuleFile } from '../features/detections/import/drafts.ts'

const Raw = z.union([text(1024 * 1024), z.record(z.string(), z.unknown())])
const Event = z.union([z.strictObject({ repeat: z.int().min(1).max(10_000), event: Raw }), Raw])
/** One event, or a list of those that happen together. */
const Try = z.union([z.array(Event).min(1), Event.transform((event) => [event])])
const Samples = z
  .strictObject({
    /** Of the rule, where its file has several. */
    id: z.string().optional(),
    match: z.array(Try).default([]),
    no_match: z.array(Try).default([]),
  })
  .refine(({ match, no_match }) => match.length + no_match.length > 0, {
    message: 'has neither match nor no_match',
  })
export type Samples = z.infer<typeof Samples>

/** Every document of the file, or why one of them is none. */
export function readSamples({ name, content }: RuleFile): Samples[] | string {
  const documents = parseAllDocuments(content)
  const read: Samples[] = []
  for (const document of Array.isArray(documents) ? documents : []) {
    const [broken] = document.errors
    if (broken) return `${name}: not YAML: ${broken.message.split('\n')[0]}`
    const { success, data, error } = Samples.safeParse(document.toJS({ maxAliasCount: 10 }))
    if (!success) {
      const [issue] = error.issues
      return `${name}: ${issue?.path.join('.') || 'samples'}: ${issue?.message}`
    }
    read.push(data)
  }
  return read.length > 0 ? read : `${name}: is empty: write match and no_match`
}
