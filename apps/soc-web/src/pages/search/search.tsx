import { useQuery } from '../../parts/use-query.ts'
import { withQuery } from '../../stores/api.ts'
import { EventHistogram } from './event-histogram.tsx'
import { FieldList } from './field-list.tsx'
import { Found } from './found.tsx'
import { QueryField } from './query-field.tsx'
import { RangePick } from './range-pick.tsx'
import { SearchActs } from './search-acts.tsx'
import { Told } from './told.tsx'
import { useSearch } from './use-search.ts'
import { toggledColumn } from './view.ts'
import { useWords } from './words.ts'
import './search.css'

export function Page() {
  const { w } = useWords()
  const query = useQuery()
  const search = useSearch()
  const { view, range, filter, drawn, inDrawn, logs, counts, fields, problem } = search
  return (
    <div class="search">
      <header class="top search-top">
        <h1 class="hidden">{w.title}</h1>
        <QueryField value={view.q} {...{ fields, range, problem }} onRun={search.run} />
        <RangePick view={view} />
      </header>
      {counts && <EventHistogram {...{ counts, drawn }} onZoom={search.zoom} />}
      <div class="told">
        <Told read={logs.data} countPath={withQuery('/siem/count', inDrawn)} shows={search.shows} />
        <SearchActs search={search} />
      </div>
      <div class="halves">
        <FieldList
          {...{ fields, filter }}
          columns={view.columns}
          onCondition={search.addCondition}
          onColumn={(name) => query.set({ column: toggledColumn(view.columns, name) })}
        />
        <section class="found" aria-label={w.events}>
          <Found search={search} />
        </section>
      </div>
    </div>
  )
}
