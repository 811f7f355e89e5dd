import { z } from 'zod'
import { ModeBody } from './mode.ts'
import { StreamUrl } from './playback.ts'
import { ReciterName, shownName } from './shown-name.ts'
import { TARGET_ACTIONS } from './target-actions.ts'

const TARGET_TYPES = [
  'surah',
  'stream',
  'path',
  'favorite',
  'adhan',
  'action',
  'juz',
  'hizb',
  'learner',
] as const
type TargetType = (typeof TARGET_TYPES)[number]

type Field = 'reciter' | 'surah' | 'juz' | 'hizb' | 'url' | 'name' | 'path' | 'id' | 'action'

const FIELDS: Record<TargetType, { required: Field[]; optional: Field[] }> = {
  surah: { required: ['reciter', 'surah'], optional: [] },
  stream: { required: ['url'], optional: ['name'] },
  path: { required: ['path'], optional: [] },
  favorite: { required: ['id'], optional: [] },
  adhan: { required: [], optional: [] },
  action: { required: ['action'], optional: [] },
  juz: { required: ['reciter', 'juz'], optional: [] },
  hizb: { required: ['reciter', 'hizb'], optional: [] },
  learner: { required: ['id'], optional: [] },
}

/** What a schedule or a card sets off. */
// One object with a refinement, not a union: a union's failure cannot say which field is wrong.
export const Target = z
  .strictObject({
    type: z.enum(TARGET_TYPES),
    reciter: ReciterName.optional().describe('With type surah, juz and hizb'),
    surah: z.int().min(1).max(114).optional().describe('With type surah'),
    juz: z
      .int()
      .min(1)
      .max(30)
      .optional()
      .describe('With type juz: the surahs it touches play whole, one after the other'),
    hizb: z.int().min(1).max(60).optional().describe('With type hizb, likewise'),
    url: StreamUrl.optional().describe('With type stream'),
    name: shownName(200).optional().describe('With type stream, if you like'),
    path: z.string().min(1).max(4096).optional().describe('With type path: a file on the card'),
    id: z
      .int()
      .min(1)
      .optional()
      .describe('With type favorite, or learner: today’s lesson is played'),
    action: z
      .enum(TARGET_ACTIONS)
      .optional()
      .describe('With type action; grade_… grade the learner whose lesson was begun last'),
    mode: ModeBody.optional().describe(
      'Advance mode to set first, with every type but learner, whose plan says it',
    ),
  })
  .superRefine((target, context) => {
    const refuse = (field: string, message: string) =>
      context.addIssue({ code: 'custom', path: [field], message })
    const { required, optional } = FIELDS[target.type]
    if (target.type === 'learner' && target.mode) refuse('mode', 'is in the learner’s plan')
    for (const field of required) {
      if (target[field] === undefined) refuse(field, `is required with type ${target.type}`)
    }
    for (const [type, other] of Object.entries(FIELDS)) {
      for (const field of [...other.required, ...other.optional]) {
        if (target[field] === undefined || required.includes(field) || optional.includes(field)) {
          continue
        }
        refuse(field, `goes with type ${type}`)
      }
    }
  })
export type Target = z.infer<typeof Target>
