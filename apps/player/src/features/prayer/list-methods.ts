import type { MethodList } from '@manara/player-contract/prayer-tables'
import { CONVENTION_NAMES } from '@manara/prayer-times/conventions'
import { METHOD_NUMBERS, methodOf } from '@manara/prayer-times/methods'
import type { z } from 'zod'

/** The contract's five by their numbers, then the others by their names. */
export function listMethods(): z.input<typeof MethodList> {
  const numbered = METHOD_NUMBERS.map((method) => ({
    ...methodOf({ method, asr_hanafi: false }),
    method,
    convention: null,
  }))
  const named = CONVENTION_NAMES.map((convention) => ({
    ...methodOf({ method: 0, convention, asr_hanafi: false }),
    method: null,
    convention,
  }))
  return { methods: [...numbered, ...named] }
}
