import { useSignal } from '@preact/signals'
import { say } from '../here.ts'
import { findNamed } from '../stores/named-search.ts'
import { SearchField } from './search-field.tsx'

/** As many as are looked through on a phone without losing one's place. */
export const FEW = 12

/** A field for a list that is long, and who of it is called as somebody types. */
export function useSearch<One>(list: readonly One[], nameOf: (one: One) => string) {
  const { t } = say.value
  const wanted = useSignal('')
  if (list.length <= FEW) return { found: list, field: null }
  const found = findNamed(list, wanted.value, nameOf)
  const field = (
    <>
      <SearchField label={t.search} value={wanted} />
      {found.length === 0 && (
        <p class="hint" role="status">
          {t.noneCalled}
        </p>
      )}
    </>
  )
  return { found, field }
}
