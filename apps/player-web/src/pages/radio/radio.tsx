import type { Station } from '@manara/player-contract/stations'
import { Empty } from '@manara/ui/parts/empty'
import { Icon } from '@manara/ui/parts/icon'
import { useSignal } from '@preact/signals'
import { box, player, say } from '../../here.ts'
import { hostOf } from '../../parts/host-of.ts'
import { PageGhost } from '../../parts/page-ghost.tsx'
import { StarButton } from '../../parts/star-button.tsx'
import { useSearch } from '../../parts/use-search.tsx'
import { ImportSheet } from './import-sheet.tsx'
import { StationSheet } from './station-sheet.tsx'
import { words } from './words.ts'

type Open = { sheet: 'add' } | { sheet: 'edit'; station: Station } | { sheet: 'import' } | null

export function Page() {
  const w = words()
  const open = useSignal<Open>(null)
  const stations = box.stations.value
  const { found, field } = useSearch(stations ?? [], ({ name, url }) => `${name} ${hostOf(url)}`)
  const close = () => {
    open.value = null
  }
  const add = () => {
    open.value = { sheet: 'add' }
  }
  if (!stations) return <PageGhost />
  return (
    <div class="page">
      <div class="page-head">
        <h1>{w.radio.title}</h1>
        <button type="button" class="button" data-look="main" onClick={add}>
          <Icon name="plus" />
          {w.radio.add}
        </button>
      </div>
      {stations.length === 0 ? (
        <Empty icon="radio" title={w.radio.empty} text={w.radio.emptyWhy} />
      ) : (
        <>
          {field}
          <ul class="rows">
            {found.map((station) => (
              <StationRow
                key={station.id}
                station={station}
                onEdit={() => {
                  open.value = { sheet: 'edit', station }
                }}
              />
            ))}
          </ul>
        </>
      )}
      <button
        type="button"
        class="button"
        data-look="line"
        onClick={() => {
          open.value = { sheet: 'import' }
        }}
      >
        <Icon name="download" />
        {w.radio.import}
      </button>
      {open.value?.sheet === 'add' && <StationSheet onClose={close} />}
      {open.value?.sheet === 'edit' && (
        <StationSheet station={open.value.station} onClose={close} />
      )}
      {open.value?.sheet === 'import' && <ImportSheet onClose={close} />}
    </div>
  )
}

function StationRow({ station, onEdit }: { station: Station; onEdit(): void }) {
  const { fill } = say.value
  const w = words()
  const { name, url } = station
  const now = box.playback.value
  const isNow = now?.mode === 'stream' && now.track === url
  return (
    <li class="row-with-buttons">
      <button
        type="button"
        class={isNow ? 'row row-now' : 'row'}
        aria-current={isNow ? 'true' : undefined}
        onClick={() => void player.playStream(url)}
      >
        <Icon name={isNow ? 'volume' : 'play'} filled={!isNow} />
        <span class="row-text">
          <b>
            <bdi>{name}</bdi>
          </b>
          <small class="address" dir="ltr">
            {isNow && now.stream_title ? <bdi>{now.stream_title}</bdi> : hostOf(url)}
          </small>
        </span>
      </button>
      <StarButton wanted={{ type: 'stream', url, name }} name={name} />
      <button
        type="button"
        class="button-round"
        aria-label={fill(w.radio.change, { s: name })}
        onClick={onEdit}
      >
        <Icon name="edit" />
      </button>
    </li>
  )
}
