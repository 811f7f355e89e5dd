import type { EdrStats, Endpoint, EndpointAction } from '@manara/soc-contract/edr'
import type { ListOf } from '@manara/soc-contract/lists'
import { Empty } from '@manara/ui/parts/empty'
import { useSignal } from '@preact/signals'
import { api, attempt, notices, reads, session } from '../../here.ts'
import { Act } from '../../parts/act.tsx'
import { Status } from '../../parts/badges.tsx'
import { FindField } from '../../parts/find-field.tsx'
import { Panel } from '../../parts/panel.tsx'
import { RecordsWithPanel } from '../../parts/records-with-panel.tsx'
import { Said } from '../../parts/said.tsx'
import { ReadState } from '../../parts/state.tsx'
import { Sure } from '../../parts/sure.tsx'
import { useQuery } from '../../parts/use-query.ts'
import { useRead } from '../../parts/use-read.ts'
import { Age, localTime } from '../../parts/when.tsx'
import { withQuery } from '../../stores/api.ts'
import { useWords } from './words.ts'

/** No event tells of an EDR that falls silent. */
const LOOK_MS = 15_000

export function Endpoints() {
  const { w } = useWords()
  const q = useQuery().get('q')
  const { columns } = w
  return (
    <RecordsWithPanel<Endpoint>
      label={w.endpoints}
      above={
        <div class="find-endpoint">
          <FindField label={w.findEndpoint} />
          <EdrAway />
        </div>
      }
      path={withQuery('/edr/endpoints', { q, limit: 100 })}
      on={['endpoint']}
      empty={<Empty icon="smartphone" title={w.noEndpoints} text={w.noEndpointsText} />}
      columns={[
        { name: columns.host, cell: ({ hostname }) => <b class="mono">{hostname}</b> },
        { name: columns.status, cell: ({ status }) => <Status value={status} /> },
        {
          name: columns.isolation,
          cell: ({ isolation }) => (
            <span class={isolation === 'isolated' ? 'bad' : undefined}>
              {w.isolations[isolation]}
            </span>
          ),
        },
        { name: columns.os, cell: ({ os }) => [os.name, os.version].filter(Boolean).join(' ') },
        {
          name: columns.seen,
          isNumber: true,
          cell: ({ last_seen_at }) => <Age at={last_seen_at} />,
        },
      ]}
      One={One}
    />
  )
}

/** Else what it said last would pass for how things are. */
function EdrAway() {
  const { w, fill } = useWords()
  const { data } = useRead<EdrStats>('/edr/stats', { on: ['endpoint'], everyMs: LOOK_MS })
  const { last_error: why, last_poll_at: at } = data?.adapter ?? {}
  if (!why) return null
  return (
    <p class="note" role="status">
      {at ? fill(w.edrAway, { time: localTime(at), why }) : fill(w.edrNever, { why })}
    </p>
  )
}

function One({ id, onClose }: { id: string; onClose(): void }) {
  const { w, fill } = useWords()
  const isAsking = useSignal(false)
  const read = useRead<Endpoint>(`/edr/endpoints/${id}`, { on: ['endpoint'] })
  const receipts = useRead<ListOf<EndpointAction>>(`/edr/endpoints/${id}/actions?limit=20`, {
    on: ['endpoint'],
  })
  const command = (what: 'isolate' | 'unisolate' | 'scan') =>
    attempt(async () => {
      await api.post(`/edr/endpoints/${id}/${what}`, {})
      await reads.renew('/edr')
      notices.done(w.commanded)
    })
  return (
    <Panel label={w.endpoints} onClose={onClose} title={read.data?.hostname ?? ''}>
      <ReadState read={read} rows={4}>
        {(endpoint) => (
          <>
            <dl class="facts">
              <dt>{w.columns.isolation}</dt>
              <dd>{w.isolations[endpoint.isolation]}</dd>
              <dt>{w.columns.os}</dt>
              <dd>
                {[endpoint.os.name, endpoint.os.version, endpoint.os.arch]
                  .filter(Boolean)
                  .join(' ')}
              </dd>
              <dt>{w.columns.ip}</dt>
              <dd class="mono">{endpoint.ips.join(', ')}</dd>
              <dt>{w.columns.seen}</dt>
              <dd>
                <Age at={endpoint.last_seen_at} />
              </dd>
            </dl>
            {session.may('edr:manage') && (
              <div class="acts">
                {endpoint.isolation === 'none' ? (
                  <Act
                    look="danger"
                    onClick={() => {
                      isAsking.value = true
                    }}
                  >
                    {w.isolate}
                  </Act>
                ) : (
                  <Act look="main" onClick={() => command('unisolate')}>
                    {w.release}
                  </Act>
                )}
                <Act onClick={() => command('scan')}>{w.scan}</Act>
              </div>
            )}
            {isAsking.value && (
              <Sure
                title={fill(w.sure, { host: endpoint.hostname })}
                text={w.sureText}
                label={w.isolate}
                onSure={() => command('isolate')}
                onClose={() => {
                  isAsking.value = false
                }}
              />
            )}
          </>
        )}
      </ReadState>
      <section>
        <h3>{w.receipts}</h3>
        <ReadState read={receipts} rows={3}>
          {({ items }) =>
            items.length === 0 ? (
              <p class="soft">{w.noReceipts}</p>
            ) : (
              <ul class="receipts">
                {items.map((one) => (
                  <li key={one.action_id}>
                    <b>{one.command}</b> <Status value={one.status} />{' '}
                    <span class="soft">
                      <Said text={one.requested_by} />
                    </span>{' '}
                    <Age at={one.created_at} />
                    {one.simulated && <span class="chip">{w.simulated}</span>}
                    {one.detail && <p class="soft">{one.detail}</p>}
                  </li>
                ))}
              </ul>
            )
          }
        </ReadState>
      </section>
    </Panel>
  )
}
