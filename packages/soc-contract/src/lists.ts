import { z } from 'zod'
import { filledText } from './text.ts'

/** Query strings are text: digits are accepted as a number, anything else names the field. */
export const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .refine((text) => /^\d{1,15}$/.test(text) && Number(text) >= min && Number(text) <= max, {
      message: `must be a whole number from ${min} to ${max}`,
    })
    .transform(Number)
    .meta({ type: 'integer', minimum: min, maximum: max })

export const moment = z.iso
  .datetime({ offset: true, error: ({ input }) => whyNoTime(input) })
  .transform((text) => new Date(text))
  .refine(hasPlainYear, 'must be in the years 1 to 9999')

/** In an address a plus is a blank: `date -Iseconds` is right, and comes without it. */
const whyNoTime = (given: unknown) =>
  typeof given === 'string' && / \d\d:\d\d$/.test(given)
    ? 'has lost the + of its offset: write it as %2B, or the time in UTC with a Z'
    : 'must be an ISO 8601 time with an offset'

/** Others are written in ways that PostgreSQL does not read, or with a sign. */
function hasPlainYear(time: Date): boolean {
  const year = time.getUTCFullYear()
  return year >= 1 && year <= 9999
}

/** One value, or several with commas between. */
export const someOf = <Value extends string>({ options }: { options: Value[] }) => {
  const isKnown = (text: string): text is Value => options.some((option) => option === text)
  const names = options.map((option) => JSON.stringify(option)).join('|')
  const one = `(${options.join('|')})`
  return z
    .string()
    .refine((text) => text.split(',').every(isKnown), {
      message: `Invalid option: expected one of ${names}, or several with commas between`,
    })
    .transform((text) => text.split(',').filter(isKnown))
    .meta({
      type: 'string',
      pattern: `^${one}(,${one})*$`,
      description: `One of ${options.join(', ')}, or several with commas between`,
    })
}

/**
 * What every list understands. A feature extends it with its filters and narrows `sort` to the
 * fields it can sort by; `cursor` is what an earlier page gave as `next_cursor`.
 */
export const ListQuery = z.strictObject({
  skip: wholeNumber(0, 999_999_999).default(0),
  limit: wholeNumber(1, 200).default(50),
  cursor: filledText(500).optional(),
  sort: z.string().optional(),
  order: z.enum(['asc', 'desc']).default('desc'),
  q: filledText(500).optional(),
  from: moment.optional(),
  to: moment.optional(),
  updated_since: moment.optional(),
})
export type ListQuery = z.infer<typeof ListQuery>

export const listOf = <Item extends z.ZodType>(item: Item) =>
  z.object({
    items: z.array(item),
    total: z.int(),
    skip: z.int(),
    limit: z.int(),
    has_more: z.boolean(),
    next_cursor: z.string().nullable(),
  })

export type ListOf<Item> = {
  items: Item[]
  total: number
  skip: number
  limit: number
  has_more: boolean
  next_cursor: string | null
}
