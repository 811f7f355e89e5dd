import type { Language } from '@manara/ui/words'
import { Refused, Unreachable } from './api.ts'

type Errors = { unreachable: string; tooMany: string; gone: string; box: string; refused: string }
type Fill = (text: string, values: Record<string, string>) => string
type Say = {
  t: { errors: Errors }
  language: Language
  fill: Fill
}
/** Undefined for what it does not know. */
export type Known = (text: string, language: Language, fill: Fill) => string | undefined

/**
 * What went wrong, in the words of the person as far as we have them, else in those of the box.
 * `known` comes after the first view, which has no need of it.
 */
export function createReasons(say: () => Say, known: () => Known | undefined) {
  const knownAs = (text: string) => known()?.(text, say().language, say().fill)

  return {
    /** What the box said, to stand behind a sentence of ours. */
    meaning: (text: string): string => knownAs(text) ?? isolate(text),
    /** Why something that was asked for was not done. */
    of(error: unknown): string {
      const { t, fill } = say()
      const { errors } = t
      if (error instanceof Unreachable) return errors.unreachable
      if (!(error instanceof Refused)) return String(error)
      if (error.status === 429) return errors.tooMany
      const text = knownAs(error.message)
      if (text) return text
      if (error.status === 404) return errors.gone
      if (error.status >= 500) return errors.box
      return fill(errors.refused, { why: isolate(error.message) })
    },
  }
}

/** Words of another script keep their order in the midst of a sentence. */
export const isolate = (text: string) => `\u2068${text}\u2069`
