import { useSignal } from '@preact/signals'
import { route, session } from '../../here.ts'
import { Act } from '../../parts/act.tsx'
import { useCommands } from '../../parts/use-commands.ts'
import { useQuery } from '../../parts/use-query.ts'
import { BASE, withQuery } from '../../stores/api.ts'
import { SaveHunt } from './save-hunt.tsx'
import type { Search } from './use-search.ts'
import { useWords } from './words.ts'

/** What can be done with what was found, by button and by key. */
export function SearchActs({ search }: { search: Search }) {
  const { w } = useWords()
  const query = useQuery()
  const { view, shows, inDrawn, zoom } = search
  const isSaving = useSignal(false)
  const mayAsk = session.may('siem:search')
  const mayWriteRules = session.may('detections:write')
  const show = (as: string) => query.set({ as: as === 'events' ? null : as })
  const toggleTail = () => show(shows === 'tail' ? 'events' : 'tail')
  const makeRule = () => route.go(withQuery('/rules/new', { query: view.q }))
  useCommands([
    { id: 'zoom', title: w.zoom, keys: 'z', group: 'page', run: zoom },
    ...(mayAsk
      ? [
          { id: 'tail', title: w.tail, keys: 'L', group: 'page', run: toggleTail },
          { id: 'group', title: w.count, keys: 'c', group: 'page', run: () => show('groups') },
        ]
      : []),
    ...(mayWriteRules ? [{ id: 'rule', title: w.rule, group: 'page', run: makeRule }] : []),
  ])
  return (
    <>
      <nav class="does">
        <Act look="plain" onClick={() => show('events')}>
          {w.events}
        </Act>
        {mayAsk && (
          <>
            <Act look="plain" keys="c" onClick={() => show('groups')}>
              {w.count}
            </Act>
            <Act look="plain" keys="L" onClick={toggleTail}>
              {shows === 'tail' ? w.stopTail : w.tail}
            </Act>
            <Act
              look="plain"
              onClick={() => {
                isSaving.value = true
              }}
            >
              {w.save}
            </Act>
          </>
        )}
        {mayWriteRules && (
          <Act look="plain" onClick={makeRule}>
            {w.rule}
          </Act>
        )}
        <a
          class="act"
          data-look="plain"
          href={BASE + withQuery('/siem/export', inDrawn)}
          download="events.ndjson"
        >
          {w.export}
        </a>
      </nav>
      {isSaving.value && (
        <SaveHunt
          query={view.q}
          onClose={() => {
            isSaving.value = false
          }}
        />
      )}
    </>
  )
}
