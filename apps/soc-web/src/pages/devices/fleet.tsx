import type { Attestation, Device, EnrolmentCode } from '@manara/soc-contract/cps'
import type { ListOf } from '@manara/soc-contract/lists'
import { Empty } from '@manara/ui/parts/empty'
import { Select } from '@manara/ui/parts/select'
import { useSignal } from '@preact/signals'
import { api, attempt, notices, reads, session } from '../../here.ts'
import { Act } from '../../parts/act.tsx'
import { Status } from '../../parts/badges.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { DialogForm } from '../../parts/dialog-form.tsx'
import { Panel } from '../../parts/panel.tsx'
import { RecordsWithPanel } from '../../parts/records-with-panel.tsx'
import { ReadState } from '../../parts/state.tsx'
import { TextField } from '../../parts/text-field.tsx'
import { useRead } from '../../parts/use-read.ts'
import { Age } from '../../parts/when.tsx'
import { Accept, type Answer, acceptable } from './accept.tsx'
import { useWords } from './words.ts'

const TRUST_TONE: Record<string, string> = { trusted: 'good', suspect: 'bad', untrusted: 'bad' }

export function Fleet() {
  const { w } = useWords()
  const isAdding = useSignal(false)
  const { columns } = w
  return (
    <>
      <RecordsWithPanel<Device>
        above={
          session.may('cps:manage') && (
            <p class="load-more">
              <Act
                onClick={() => {
                  isAdding.value = true
                }}
              >
                {w.add}
              </Act>
            </p>
          )
        }
        label={w.fleet}
        path="/cps/devices?limit=100"
        on={['device', 'attestation']}
        empty={<Empty icon="smartphone" title={w.empty} text={w.emptyText} />}
        columns={[
          {
            name: columns.device,
            cell: ({ name, managed }) => (
              <>
                <b>{name}</b> {!managed && <span class="chip">{w.unmanaged}</span>}
              </>
            ),
          },
          { name: columns.type, cell: ({ device_type }) => device_type },
          {
            name: columns.place,
            cell: ({ site_id, zone }) => [site_id, zone].filter(Boolean).join(' / '),
          },
          {
            name: columns.trust,
            cell: ({ trust_status }) => (
              <b class={TRUST_TONE[trust_status]}>{w.trusts[trust_status]}</b>
            ),
          },
          { name: columns.status, cell: ({ status }) => <Status value={status} /> },
          { name: columns.firmware, cell: ({ firmware_version }) => firmware_version ?? '–' },
          {
            name: columns.attested,
            isNumber: true,
            cell: ({ last_attestation_at }) =>
              last_attestation_at ? <Age at={last_attestation_at} /> : '–',
          },
        ]}
        One={One}
      />
      {isAdding.value && (
        <Add
          onClose={() => {
            isAdding.value = false
          }}
        />
      )}
    </>
  )
}

function One({ id, onClose }: { id: string; onClose(): void }) {
  const { w, fill, t } = useWords()
  const code = useSignal<EnrolmentCode | null>(null)
  const isRevoking = useSignal(false)
  const accepting = useSignal<Answer | null>(null)
  const read = useRead<Device>(`/cps/devices/${id}`, { on: ['device', 'attestation'] })
  const answers = useRead<ListOf<Attestation>>(`/cps/attestations?device_id=${id}&limit=20`, {
    on: ['attestation', 'device'],
  })
  const changed = acceptable(answers.data?.items ?? [])
  const ask = () =>
    attempt(async () => {
      await api.post(`/cps/devices/${id}/attest`, {})
      await reads.renew('/cps')
      notices.done(w.asked)
    })
  const makeCode = () =>
    attempt(async () => {
      code.value = await api.post<EnrolmentCode>(`/cps/devices/${id}/enrolment-code`, {})
    })
  return (
    <Panel label={w.fleet} onClose={onClose} title={read.data?.name ?? ''}>
      <ReadState read={read} rows={5}>
        {(device) => (
          <>
            <dl class="facts">
              <dt>{w.columns.trust}</dt>
              <dd class={TRUST_TONE[device.trust_status]}>{w.trusts[device.trust_status]}</dd>
              <dt>{w.columns.status}</dt>
              <dd>
                <Status value={device.status} />
              </dd>
              <dt>{w.columns.firmware}</dt>
              <dd>
                {device.firmware_version ?? w.none}{' '}
                <code class="mono">{device.firmware_sha256?.slice(0, 16)}</code>
              </dd>
              <dt>{w.certificate}</dt>
              <dd>
                {device.certificate
                  ? `${t.status[device.certificate.status]}, ${fill(w.until, { time: new Date(device.certificate.not_after).toLocaleDateString() })}`
                  : w.none}
              </dd>
            </dl>
            {session.may('cps:manage') && device.managed && (
              <div class="acts">
                <Act onClick={() => ask()}>{w.attest}</Act>
                <Act onClick={() => makeCode()}>{w.code}</Act>
                {changed && !['revoked', 'quarantined'].includes(device.status) && (
                  <Act
                    onClick={() => {
                      accepting.value = changed
                    }}
                  >
                    {w.accept}
                  </Act>
                )}
                {device.certificate?.status === 'active' && (
                  <Act
                    look="danger"
                    onClick={() => {
                      isRevoking.value = true
                    }}
                  >
                    {w.revoke}
                  </Act>
                )}
              </div>
            )}
            {code.value && (
              <section class="note">
                <p>{w.codeText}</p>
                <p class="mono">{code.value.code}</p>
              </section>
            )}
            {accepting.value && (
              <Accept
                answer={accepting.value}
                onClose={() => {
                  accepting.value = null
                }}
              />
            )}
            {isRevoking.value && (
              <Revoke
                device={device}
                onClose={() => {
                  isRevoking.value = false
                }}
              />
            )}
          </>
        )}
      </ReadState>
      <section>
        <h3>{w.attestations}</h3>
        <ReadState read={answers} rows={3}>
          {({ items }) => (
            <ul class="receipts">
              {items.map((one) => (
                <li key={one.id}>
                  <b class={one.verdict === 'affirming' ? 'good' : 'bad'}>
                    {w.verdicts[one.verdict]}
                  </b>{' '}
                  {one.reason} <Age at={one.requested_at} />
                </li>
              ))}
            </ul>
          )}
        </ReadState>
      </section>
    </Panel>
  )
}

function Revoke({ device, onClose }: { device: Device; onClose(): void }) {
  const { w, fill } = useWords()
  const reason = useSignal('unspecified')
  const revoke = () =>
    attempt(async () => {
      await api.post(`/cps/devices/${device.id}/revoke`, { reason: reason.value })
      await reads.renew('/cps')
      notices.done(w.revoked)
    })
  return (
    <Dialog title={fill(w.revokeTitle, { name: device.name })} onClose={onClose}>
      <DialogForm look="danger" sendLabel={w.revoke} onSend={revoke} onClose={onClose}>
        <p>{w.revokeText}</p>
        <Select
          label={w.reason}
          value={reason.value}
          options={Object.entries(w.reasons).map(([value, label]) => ({ value, label }))}
          onChoose={(value) => {
            reason.value = value
          }}
        />
      </DialogForm>
    </Dialog>
  )
}

function Add({ onClose }: { onClose(): void }) {
  const { w } = useWords()
  const name = useSignal('')
  const type = useSignal('plc')
  const zone = useSignal('')
  const add = () =>
    attempt(async () => {
      await api.post('/cps/devices', {
        ...{ name: name.value, device_type: type.value },
        ...(zone.value && { zone: zone.value }),
      })
      await reads.renew('/cps')
      notices.done(w.added)
    })
  return (
    <Dialog title={w.add} onClose={onClose}>
      <DialogForm
        sendLabel={w.create}
        isReady={name.value.trim() !== ''}
        onSend={add}
        onClose={onClose}
      >
        <TextField label={w.name} of={name} />
        <TextField label={w.type} of={type} />
        <TextField label={w.zone} of={zone} />
      </DialogForm>
    </Dialog>
  )
}
