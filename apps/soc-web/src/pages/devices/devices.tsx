import type { Correlation } from '@manara/soc-contract/correlations'
import type { Attestation, Device } from '@manara/soc-contract/cps'
import type { Firmware } from '@manara/soc-contract/firmware'
import type { ListOf } from '@manara/soc-contract/lists'
import { Empty } from '@manara/ui/parts/empty'
import { route } from '../../here.ts'
import { Severity, Status } from '../../parts/badges.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { ShortId } from '../../parts/record-name.tsx'
import { RecordTable } from '../../parts/record-table.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { useRead } from '../../parts/use-read.ts'
import { Age } from '../../parts/when.tsx'
import { Fleet } from './fleet.tsx'
import { useWords } from './words.ts'

const VIEWS = {
  '': Fleet,
  attestations: Attestations,
  firmware: FirmwareList,
  correlations: Correlations,
}

export function Page() {
  const { w } = useWords()
  const [, , asked = ''] = route.path.value.split('/')
  const part = (Object.hasOwn(VIEWS, asked) ? asked : '') as keyof typeof VIEWS
  const View = VIEWS[part]
  return (
    <div class="response">
      <PageHead title={w.title} />
      <Tabs
        label={w.title}
        current={part ? `/devices/${part}` : '/devices'}
        tabs={[
          { href: '/devices', name: w.fleet },
          { href: '/devices/attestations', name: w.attestations },
          { href: '/devices/firmware', name: w.firmware },
          { href: '/devices/correlations', name: w.correlations },
        ]}
      />
      <View />
    </div>
  )
}

function Attestations() {
  const { w } = useWords()
  const { columns } = w
  const fleet = useRead<ListOf<Device>>('/cps/devices?limit=200', { on: ['device'] })
  const names = new Map(fleet.data?.items.map(({ id, name }) => [id, name]))
  return (
    <RecordTable<Attestation>
      label={w.attestations}
      path="/cps/attestations?limit=100"
      on={['attestation', 'device']}
      keyOf={({ id }) => id}
      onOpen={({ device_id }) => route.go(`/devices?open=${device_id}`)}
      empty={<Empty icon="shield" title={w.noAttestations} text={w.emptyText} />}
      columns={[
        {
          name: columns.device,
          cell: ({ device_id: id }) => <b>{names.get(id) ?? <ShortId id={id} />}</b>,
        },
        {
          name: columns.verdict,
          cell: ({ verdict }) => (
            <b class={verdict === 'affirming' ? 'good' : verdict === 'none' ? undefined : 'bad'}>
              {w.verdicts[verdict]}
            </b>
          ),
        },
        { name: columns.reason, cell: ({ reason }) => reason },
        { name: columns.status, cell: ({ status }) => <Status value={status} /> },
        {
          name: columns.when,
          isNumber: true,
          cell: ({ requested_at }) => <Age at={requested_at} />,
        },
      ]}
    />
  )
}

function FirmwareList() {
  const { w, fill, number } = useWords()
  const { columns } = w
  return (
    <RecordTable<Firmware>
      label={w.firmware}
      path="/firmware?limit=100"
      keyOf={({ id }) => id}
      empty={<Empty icon="download" title={w.noFirmware} text={w.noFirmwareText} />}
      columns={[
        {
          name: columns.firmware,
          cell: ({ vendor, product }) => (
            <b>
              {vendor} {product}
            </b>
          ),
        },
        {
          name: columns.version,
          cell: ({ version, is_outdated, latest_version }) => (
            <>
              <span class="mono">{version}</span>{' '}
              {is_outdated && (
                <span class="bad">{fill(w.outdated, { version: latest_version ?? '' })}</span>
              )}
            </>
          ),
        },
        { name: columns.status, cell: ({ status }) => <Status value={status} /> },
        { name: columns.signed, cell: ({ signature }) => w.signatures[signature.status] },
        { name: columns.devices, isNumber: true, cell: ({ device_count }) => number(device_count) },
      ]}
    />
  )
}

function Correlations() {
  const { w } = useWords()
  const { columns } = w
  return (
    <RecordTable<Correlation>
      label={w.correlations}
      path="/correlations?limit=100"
      on={['correlation']}
      keyOf={({ id }) => id}
      empty={<Empty icon="range" title={w.noCorrelations} text={w.noCorrelationsText} />}
      columns={[
        {
          name: columns.what,
          cell: ({ title, why }) => (
            <>
              <b dir="auto">{title}</b>
              <p class="soft">{why}</p>
            </>
          ),
        },
        { name: columns.severity, cell: ({ severity }) => <Severity value={severity} /> },
        {
          name: columns.place,
          cell: ({ site_id, zone, host }) => [site_id, zone, host].filter(Boolean).join(' / '),
        },
        { name: columns.evidence, isNumber: true, cell: ({ evidence_count }) => evidence_count },
        { name: columns.when, isNumber: true, cell: ({ last_at }) => <Age at={last_at} /> },
      ]}
    />
  )
}
