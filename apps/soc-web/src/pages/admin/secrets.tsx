import type { Secret } from '@manara/soc-contract/secrets'
import { Empty } from '@manara/ui/parts/empty'
import { useSignal } from '@preact/signals'
import { api, attempt, notices, reads } from '../../here.ts'
import { Act } from '../../parts/act.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { DialogForm } from '../../parts/dialog-form.tsx'
import { RecordTable } from '../../parts/record-table.tsx'
import { Sure } from '../../parts/sure.tsx'
import { TextField } from '../../parts/text-field.tsx'
import { Age } from '../../parts/when.tsx'
import { useWords } from './words.ts'

/** Written and never read back: what is listed is everything but the values. */
export function Secrets() {
  const { w, fill } = useWords()
  const written = useSignal<Secret | 'new' | null>(null)
  const asked = useSignal('')
  const remove = (name: string) =>
    attempt(async () => {
      await api.remove(`/secrets/${name}`)
      await reads.renew('/secrets')
      notices.done(fill(w.secrets.removed, { name }))
    })
  return (
    <div class="admin-list">
      <p class="load-more">
        <Act
          look="main"
          onClick={() => {
            written.value = 'new'
          }}
        >
          {w.secrets.add}
        </Act>
      </p>
      <RecordTable<Secret>
        label={w.secrets.title}
        path="/secrets?limit=100"
        keyOf={({ name }) => name}
        empty={<Empty icon="key" title={w.secrets.none} text={w.secrets.noneText} />}
        columns={[
          {
            name: w.secrets.name,
            cell: ({ name, description, is_readable }) => (
              <>
                <b class="mono">{name}</b> <span class="soft">{description}</span>
                {!is_readable && <p class="bad">{w.secrets.unreadable}</p>}
              </>
            ),
          },
          {
            name: w.secrets.hosts,
            cell: ({ hosts }) => <span class="mono">{hosts.join(' ') || w.secrets.anyHost}</span>,
          },
          {
            name: w.secrets.usedBy,
            cell: ({ used_by }) =>
              used_by.map(({ playbook_name }) => playbook_name).join(', ') || '–',
          },
          { name: w.secrets.version, isNumber: true, cell: ({ version }) => version },
          {
            name: w.secrets.changed,
            isNumber: true,
            cell: ({ updated_by, updated_at }) => (
              <>
                {updated_by} <Age at={updated_at} />
              </>
            ),
          },
          {
            name: w.secrets.replace,
            isNameHidden: true,
            cell: (secret) => (
              <div class="acts">
                <Act
                  look="plain"
                  onClick={() => {
                    written.value = secret
                  }}
                >
                  {w.secrets.replace}
                </Act>
                <Act
                  look="plain"
                  onClick={() => {
                    asked.value = secret.name
                  }}
                >
                  {w.secrets.remove}
                </Act>
              </div>
            ),
          },
        ]}
      />
      {written.value && (
        <Write
          before={written.value === 'new' ? null : written.value}
          onClose={() => {
            written.value = null
          }}
        />
      )}
      {asked.value && (
        <Sure
          title={fill(w.secrets.removeTitle, { name: asked.value })}
          text={w.secrets.removeText}
          label={w.secrets.remove}
          onSure={() => remove(asked.value)}
          onClose={() => {
            asked.value = ''
          }}
        />
      )}
    </div>
  )
}

/** The value comes with every change: who does not know it cannot widen where it goes. */
function Write({ before, onClose }: { before: Secret | null; onClose(): void }) {
  const { w } = useWords()
  const name = useSignal(before?.name ?? '')
  const value = useSignal('')
  const description = useSignal(before?.description ?? '')
  const hosts = useSignal(before?.hosts.join(' ') ?? '')
  const store = () =>
    attempt(async () => {
      await api.put(`/secrets/${encodeURIComponent(name.value.trim())}`, {
        value: value.value,
        description: description.value.trim() || null,
        hosts: hosts.value.split(/[\s,]+/).filter(Boolean),
      })
      await reads.renew('/secrets')
      notices.done(w.secrets.stored)
    })
  return (
    <Dialog title={before ? before.name : w.secrets.add} onClose={onClose}>
      <DialogForm
        sendLabel={w.secrets.store}
        isReady={name.value.trim() !== '' && value.value.length >= 8}
        onSend={store}
        onClose={onClose}
      >
        {!before && <TextField label={w.secrets.name} hint={w.secrets.nameHint} of={name} />}
        <TextField
          label={w.secrets.value}
          hint={w.secrets.valueHint}
          of={value}
          input={{ type: 'password', autocomplete: 'off' }}
        />
        <TextField label={w.secrets.hosts} hint={w.secrets.hostsHint} of={hosts} />
        <TextField label={w.secrets.description} of={description} />
      </DialogForm>
    </Dialog>
  )
}
