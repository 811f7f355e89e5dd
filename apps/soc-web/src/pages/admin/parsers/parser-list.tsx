import type { ParserList as Listed, ParserSummary } from '@manara/soc-contract/parsers'
import { Empty } from '@manara/ui/parts/empty'
import { route, session } from '../../../here.ts'
import { cutAt } from '../../../parts/as-seen.ts'
import { FindField } from '../../../parts/find-field.tsx'
import { quoted } from '../../../parts/quoted.ts'
import { RecordTable } from '../../../parts/record-table.tsx'
import { ReadState } from '../../../parts/state.tsx'
import { Table } from '../../../parts/table.tsx'
import { useQuery } from '../../../parts/use-query.ts'
import { useRead } from '../../../parts/use-read.ts'
import { Age } from '../../../parts/when.tsx'
import { withQuery } from '../../../stores/api.ts'
import { useWords } from './words.ts'

type Unread = Listed['unread']

export function ParserList() {
  const { w } = useWords()
  const read = useRead<{ unread: Unread }>('/siem/parsers?limit=1&origin=own', { on: ['parser'] })
  return (
    <div class="admin-parts parsers">
      <ReadState read={read} rows={4}>
        {({ unread }) => <WhatNothingReads unread={unread} />}
      </ReadState>
      <Own />
      <section>
        <h2>{w.builtIn}</h2>
        <p class="soft">{w.builtInText}</p>
        <FindField label={w.find} />
        <BuiltIn />
      </section>
    </div>
  )
}

/** Where a parser of one's own is worth writing. */
function WhatNothingReads({ unread }: { unread: Unread }) {
  const { w, number, count, percent } = useWords()
  if (unread.events_24h === 0) {
    return (
      <section>
        <h2>{w.unread}</h2>
        <p class="good">{w.allRead}</p>
      </section>
    )
  }
  return (
    <section>
      <h2>
        {w.unread} <small>{count(w.unreadCount, unread.events_24h)}</small>
      </h2>
      <p class="soft">{w.unreadText}</p>
      <div class="table-box">
        <Table<Unread['sources'][number]>
          label={w.unread}
          items={unread.sources}
          keyOf={({ source }) => source}
          columns={[
            {
              name: w.columns.source,
              cell: ({ source }) => (
                <a
                  class="link"
                  href={withQuery('/search', {
                    q: `NOT _parser:* AND source:${quoted(source)}`,
                    last: '24h',
                  })}
                >
                  {source}
                </a>
              ),
            },
            { name: w.columns.unread, isNumber: true, cell: ({ events }) => number(events) },
            {
              name: w.columns.share,
              isNumber: true,
              cell: ({ share }) => percent(Math.round(share * 100)),
            },
            {
              name: w.columns.example,
              cell: ({ examples }) => (
                <span class="mono soft parser-example">
                  {examples[0] ? cutAt(200, examples[0].message) : '–'}
                </span>
              ),
            },
            ...(session.may('siem:manage')
              ? [
                  {
                    name: w.write,
                    isNameHidden: true,
                    isNumber: true,
                    cell: ({ source }: { source: string }) => (
                      <a class="act" href={withQuery('/admin/parsers/new', { source })}>
                        {w.write}
                      </a>
                    ),
                  },
                ]
              : []),
          ]}
        />
      </div>
    </section>
  )
}

function Own() {
  const { w, number, fill } = useWords()
  return (
    <section>
      <div class="parsers-head">
        <h2>{w.own}</h2>
        {session.may('siem:manage') && (
          <a class="act" data-look="main" href="/admin/parsers/new">
            {w.write}
          </a>
        )}
      </div>
      <RecordTable<ParserSummary>
        label={w.own}
        path="/siem/parsers?origin=own&limit=100"
        on={['parser']}
        keyOf={({ id }) => id}
        onOpen={({ parser_id }) => route.go(`/admin/parsers/${parser_id}`)}
        empty={<Empty icon="edit" title={w.noOwn} text={w.noOwnText} />}
        columns={[
          { name: w.columns.parser, cell: ({ name }) => <b>{name}</b> },
          { name: w.columns.source, cell: ({ source }) => source },
          {
            name: w.columns.state,
            cell: ({ enabled, version }) =>
              enabled ? (
                <span class="good">{w.reads}</span>
              ) : (
                <span class="soft">{fill(w.offAt, { version: version ?? 1 })}</span>
              ),
          },
          ...readColumns(w, number),
        ]}
      />
    </section>
  )
}

function BuiltIn() {
  const { w, number } = useWords()
  const query = useQuery()
  return (
    <RecordTable<ParserSummary>
      label={w.builtIn}
      path={withQuery('/siem/parsers', { origin: 'built_in', limit: 50, q: query.get('q') })}
      keyOf={({ id }) => id}
      empty={null}
      columns={[
        {
          name: w.columns.format,
          cell: ({ id, name }) => (
            <>
              <b>{name}</b> <span class="mono soft">{id}</span>
            </>
          ),
        },
        { name: w.columns.group, cell: ({ group }) => group },
        ...readColumns(w, number),
      ]}
    />
  )
}

/** What it read, with the way to those events. */
const readColumns = (
  w: ReturnType<typeof useWords>['w'],
  number: (value: number) => string,
): { name: string; isNumber: true; cell(one: ParserSummary): preact.ComponentChildren }[] => [
  {
    name: w.columns.day,
    isNumber: true,
    cell: ({ id, events_24h }) =>
      events_24h === 0 ? (
        <span class="soft">0</span>
      ) : (
        <a
          class="link"
          href={withQuery('/search', { q: `_parser:${JSON.stringify(id)}`, last: '24h' })}
        >
          {number(events_24h)}
        </a>
      ),
  },
  { name: w.columns.month, isNumber: true, cell: ({ events }) => number(events) },
  {
    name: w.columns.last,
    isNumber: true,
    cell: ({ last_read_at }) => (last_read_at ? <Age at={last_read_at} /> : '–'),
  },
]
