import type { LogRetention } from '@manara/soc-contract/siem-retention'
import { useSignal } from '@preact/signals'
import { route } from '../../here.ts'
import { Act } from '../../parts/act.tsx'
import { CopyText } from '../../parts/copy-text.tsx'
import { ReadState } from '../../parts/state.tsx'
import { Table } from '../../parts/table.tsx'
import { TextField } from '../../parts/text-field.tsx'
import { useRead } from '../../parts/use-read.ts'
import { Moment } from '../../parts/when.tsx'
import { withQuery } from '../../stores/api.ts'
import { readSize, shortSize } from './size.ts'
import { useWords } from './words.ts'

const PAGE = '/admin/retention'

/** What is stored and for how long; other limits are tried here and set where the service is started. */
export function Retention() {
  const asked = route.search.value
  const read = useRead<LogRetention>(`/siem/retention${asked}`)
  return (
    <div class="admin-parts">
      <ReadState read={read} rows={8}>
        {(found) => (
          <>
            <Stored found={found} />
            <Try found={found} key={asked} isPreview={asked !== ''} />
            <BySource found={found} />
          </>
        )}
      </ReadState>
    </div>
  )
}

function Stored({ found }: { found: LogRetention }) {
  const { w, count, fill, number } = useWords()
  const { events, bytes, oldest_at, disk_free, set, engine } = found
  const perEvent = events > 0 ? Math.round(bytes / events) : 0
  return (
    <section>
      <h2>{w.retention.stored}</h2>
      <dl class="facts">
        <dt>{w.retention.events}</dt>
        <dd>
          <b>{number(events)}</b> <span class="soft">{fill(w.retention.engine, { engine })}</span>
        </dd>
        <dt>{w.retention.size}</dt>
        <dd>
          <b>{shortSize(bytes)}</b>{' '}
          {perEvent > 0 && <span class="soft">{count(w.retention.perEvent, perEvent)}</span>}
        </dd>
        <dt>{w.retention.oldest}</dt>
        <dd>{oldest_at ? <Moment at={oldest_at} /> : '–'}</dd>
        {disk_free !== null && (
          <>
            <dt>{w.retention.free}</dt>
            <dd>{shortSize(disk_free)}</dd>
          </>
        )}
        <dt>{w.retention.kept}</dt>
        <dd>
          {set.days === null ? w.retention.forEver : count(w.retention.days, set.days)}
          {set.bytes !== null && (
            <>
              , {w.retention.upTo} {shortSize(set.bytes)}
            </>
          )}
        </dd>
      </dl>
    </section>
  )
}

function Try({ found, isPreview }: { found: LogRetention; isPreview: boolean }) {
  const { w, count, fill } = useWords()
  const { limits, goes } = found
  const days = useSignal(String(limits.days ?? ''))
  const size = useSignal(limits.bytes === null ? '' : shortSize(limits.bytes).replace(' ', ''))
  const own = Object.entries(limits.by_source).map(([source, of]) => `${source}=${of}`)
  const bySource = useSignal(own.join(','))
  const bytes = size.value.trim() === '' ? 0 : readSize(size.value)
  const preview = () =>
    route.go(
      withQuery(PAGE, {
        days: days.value.trim() || '0',
        bytes: bytes ?? 0,
        by_source: bySource.value.trim(),
      }),
    )
  return (
    <section>
      <h2>{w.retention.try}</h2>
      <p class="soft">{w.retention.tryText}</p>
      <form
        class="in-a-row"
        onSubmit={(event) => {
          event.preventDefault()
          preview()
        }}
      >
        <TextField
          label={w.retention.daysOf}
          hint={w.retention.emptyIsEver}
          of={days}
          input={{ inputMode: 'numeric' }}
        />
        <TextField
          label={w.retention.most}
          hint={w.retention.sizeHint}
          problem={bytes === undefined ? w.retention.noSize : undefined}
          of={size}
        />
        <TextField label={w.retention.bySource} hint={w.retention.bySourceHint} of={bySource} />
        <Act disabled={bytes === undefined} onClick={preview}>
          {w.retention.preview}
        </Act>
      </form>
      {isPreview && (
        <div class="preview-ribbon" role="status">
          <b>{w.retention.wouldGo}</b>
          <p>
            {goes.events === 0 && goes.bytes === 0
              ? w.retention.nothingGoes
              : [
                  ...(goes.events > 0 ? [count(w.retention.eventsGo, goes.events)] : []),
                  ...(goes.bytes > 0
                    ? [fill(w.retention.bytesGo, { size: shortSize(goes.bytes) })]
                    : []),
                ].join(' ')}
          </p>
          <p class="soft">{w.retention.setIt}</p>
          <CopyText text={settingsOf(found)} />
        </div>
      )}
    </section>
  )
}

const settingsOf = ({ limits }: LogRetention) =>
  [
    `SOC_RETENTION_DAYS=${limits.days ?? 0}`,
    `SOC_RETENTION_BYTES=${limits.bytes ?? 0}`,
    `SOC_RETENTION_BY_SOURCE=${Object.entries(limits.by_source)
      .map(([source, days]) => `${source}=${days}`)
      .join(',')}`,
  ].join('\n')

function BySource({ found }: { found: LogRetention }) {
  const { w, number, count } = useWords()
  return (
    <section>
      <h2>{w.retention.sources}</h2>
      <Table<LogRetention['sources'][number]>
        label={w.retention.sources}
        items={found.sources}
        keyOf={({ source }) => source}
        columns={[
          { name: w.columns.source, cell: ({ source }) => source },
          { name: w.retention.events, isNumber: true, cell: ({ events }) => number(events) },
          { name: w.retention.oldest, cell: ({ oldest_at }) => <Moment at={oldest_at} /> },
          { name: w.retention.newest, cell: ({ newest_at }) => <Moment at={newest_at} /> },
          {
            name: w.retention.kept,
            cell: ({ days }) =>
              days === null ? w.retention.forEver : count(w.retention.days, days),
          },
          {
            name: w.retention.goes,
            isNumber: true,
            cell: ({ goes }) => (goes > 0 ? <b class="bad">{number(goes)}</b> : '–'),
          },
        ]}
      />
      {!found.is_exact && <p class="note">{w.retention.notExact}</p>}
    </section>
  )
}
