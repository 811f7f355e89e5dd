import type { Alert } from '@manara/soc-contract/alerts'
import type { ListOf } from '@manara/soc-contract/lists'
import { literalCriterion } from '@manara/soc-contract/literal-criterion'
import type { Suppression, SuppressionCreate } from '@manara/soc-contract/suppressions'
import { Choice } from '@manara/ui/parts/choice'
import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { api, attempt, notices, reads, session } from '../../here.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { DialogForm } from '../../parts/dialog-form.tsx'
import { TextField } from '../../parts/text-field.tsx'
import { useRead } from '../../parts/use-read.ts'
import { withQuery } from '../../stores/api.ts'
import { useWords } from './words.ts'

const HOURS = [24, 168, 720, 8_760]

type FalsePositiveProps = { alert: Alert; onClosed(changed: Alert): void; onClose(): void }

/** The rule hears that it was wrong, and what is like this is held back; with how much that is. */
export function FalsePositive({ alert, onClosed, onClose }: FalsePositiveProps) {
  const { w, count } = useWords()
  const reason = useSignal('')
  const hours = useSignal(168)
  const known = useRef<string[] | null>(null)
  // Without a host there is nothing that would tell its like from everything else the rule finds.
  const mayTell = alert.rule_id !== null && session.may('detections:write')
  const isSuppressing = mayTell && Boolean(alert.host)
  const path = isSuppressing
    ? withQuery('/alerts', { rule_id: alert.rule_id, host: alert.host, limit: 1 })
    : null
  const { data: like } = useRead<ListOf<Alert>>(path)

  const confirm = () =>
    attempt(async () => {
      const note = reason.value.trim()
      if (isSuppressing) {
        const wanted = {
          name: `${w.falsePositive}: ${alert.title}`.slice(0, 300).toWellFormed(),
          reason: note,
          // Who names a machine `*` must not have all that the rule finds held back.
          criteria: { host: literalCriterion(alert.host ?? '') },
          suppress_for_hours: hours.value,
        }
        await holdBack(alert.rule_id ?? '', wanted, known)
      }
      if (mayTell) {
        await api.post(`/detections/rules/${alert.rule_id}/feedback`, {
          verdict: 'false_positive',
          alert_id: alert.id,
          ...(note && { notes: note }),
        })
      }
      onClosed(
        await api.patch<Alert>(`/alerts/${alert.id}`, {
          status: 'closed',
          resolution: `${w.falsePositive}${note && `: ${note}`}`,
        }),
      )
      await reads.renew('/detections')
      notices.done(isSuppressing ? w.suppressed : w.closedAsFalse)
    })
  return (
    <Dialog title={w.suppressTitle} onClose={onClose}>
      <DialogForm
        sendLabel={isSuppressing ? w.suppress : w.closeIt}
        onSend={confirm}
        onClose={onClose}
      >
        <p>
          {isSuppressing
            ? w.suppressText
            : mayTell
              ? w.suppressNoHost
              : alert.rule_id === null
                ? w.suppressNoRule
                : w.suppressNotYours}
        </p>
        {isSuppressing && (
          <>
            <div>
              <p class="soft">{w.criteria}</p>
              <dl class="raw">
                <div>
                  <dt>{w.host}</dt>
                  <dd>{alert.host}</dd>
                </div>
              </dl>
            </div>
            <Choice
              label={w.hours}
              value={hours.value}
              options={HOURS.map((value) => ({ value, label: w.hourNames[value] ?? `${value}` }))}
              onChoose={(value) => {
                hours.value = value
              }}
            />
            {like && <p class="note">{count(w.wouldHold, like.total)}</p>}
          </>
        )}
        <TextField label={w.reason} of={reason} />
      </DialogForm>
    </Dialog>
  )
}

/**
 * Sent once more, because the answer was lost or what came after it failed, it is still one. Those
 * `known` before, of other alerts, stay as they are: one may last longer, and has a reason of its own.
 */
async function holdBack(
  ruleId: string,
  wanted: SuppressionCreate,
  known: { current: string[] | null },
) {
  const path = `/detections/rules/${ruleId}/suppressions`
  const { items } = await api.get<ListOf<Suppression>>(`${path}?active=true&limit=200`)
  known.current ??= items.map(({ id }) => id)
  const sent = items.find(
    ({ id, name, created_by }) =>
      !known.current?.includes(id) &&
      name === wanted.name &&
      created_by === session.me.value?.username,
  )
  if (sent) await api.patch(`${path}/${sent.id}`, wanted)
  else await api.post(path, wanted)
}
