import type { ParserPreview } from '@manara/soc-contract/parsers'
import { type Signal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { api, say } from '../../../here.ts'
import { Refused } from '../../../stores/api.ts'
import { explain } from '../../../stores/attempt.ts'
import { type Draft, definitionOf, isBegun, type SampleDraft, samplesOf } from './draft.ts'

export type Previewed = {
  isAsked: boolean
  /** What was found last; it stays while the pattern is wrong for a moment. */
  found: ParserPreview | null
  problem: Refused | null
  failure: string
}

const NOTHING: Previewed = { isAsked: false, found: null, problem: null, failure: '' }
/** Asked when typing rests. */
const REST_MS = 500

type Typed = {
  source: Signal<string>
  draft: Signal<Draft>
  samples: Signal<SampleDraft[]>
}

/** What the parser makes of stored events, asked anew with every change. */
export function usePreview({ source, draft, samples }: Typed, isAllowed: boolean) {
  const shown = useSignal(NOTHING)
  const asked = {
    source: source.value.trim(),
    definition: definitionOf(draft.value),
    samples: samplesOf(samples.value),
  }
  const key = JSON.stringify(asked)
  useEffect(() => {
    if (!isAllowed || asked.source === '' || !isBegun(draft.value)) {
      shown.value = NOTHING
      return
    }
    const left = new AbortController()
    const timer = setTimeout(async () => {
      shown.value = { ...shown.value, isAsked: true }
      const next = await ask(asked, shown.value.found, left.signal)
      if (!left.signal.aborted) shown.value = next
    }, REST_MS)
    return () => {
      left.abort()
      clearTimeout(timer)
    }
  }, [key, isAllowed])
  return shown
}

async function ask(
  draft: object,
  before: ParserPreview | null,
  left: AbortSignal,
): Promise<Previewed> {
  try {
    const found = await api.post<ParserPreview>('/siem/parsers/preview', draft, left)
    return { ...NOTHING, found }
  } catch (error) {
    const isWrong = error instanceof Refused && error.status === 400
    return {
      ...{ isAsked: false, found: before, problem: isWrong ? error : null },
      failure: isWrong ? '' : explain(error, say.value.t.errors),
    }
  }
}
