import { useSignal } from '@preact/signals'
import { useLayoutEffect } from 'preact/hooks'
import { useQuery } from './use-query.ts'

/** What a list is searched for; it is in the address as `q`. */
export function FindField({ label }: { label: string }) {
  const query = useQuery()
  const asked = query.get('q')
  const typed = useSignal(asked)
  // Also when it is asked elsewhere: by Back, or by a button that shows all. At once, or it would take
  // away what was typed since.
  useLayoutEffect(() => {
    typed.value = asked
  }, [asked])
  return (
    <form
      class="query"
      onSubmit={(event) => {
        event.preventDefault()
        query.set({ q: typed.value })
      }}
    >
      <input
        name="q"
        type="search"
        aria-label={label}
        placeholder={label}
        value={typed.value}
        onInput={({ currentTarget }) => {
          typed.value = currentTarget.value
        }}
      />
    </form>
  )
}
