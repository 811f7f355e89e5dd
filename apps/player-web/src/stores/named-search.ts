import { plainSpelling } from './surah-search.ts'

/** Those whose name holds what was typed, however it is spelt; all of them for an empty search. */
export function findNamed<One>(
  list: readonly One[],
  text: string,
  nameOf: (one: One) => string,
): readonly One[] {
  const wanted = plainSpelling(text)
  if (wanted === '') return list
  return list.filter((one) => plainSpelling(nameOf(one)).includes(wanted))
}
