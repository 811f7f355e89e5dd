import { useQuery } from './use-query.ts'

/** What a list is searched for; it is in the address as `q`. */
export function FindField({ label }: { label: string }) {
  const query = useQuery()
  return (
    <form
      class="query"
      onSubmit={(event) => {
        event.preventDefault()
        query.set({ q: new FormData(event.currentTarget).get('q') as string })
      }}
    >
      <input
        name="q"
        type="search"
        aria-label={label}
        placeholder={label}
        defaultValue={query.get('q')}
      />
    </form>
  )
}
