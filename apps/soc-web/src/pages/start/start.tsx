import type { ListOf } from '@manara/soc-contract/lists'
import type { LogSource } from '@manara/soc-contract/siem'
import type { ComponentChildren } from 'preact'
import { dismissFirstHour, isFirstHourShown, notices, session } from '../../here.ts'
import { Act } from '../../parts/act.tsx'
import { Icon } from '../../parts/icon.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { useRead } from '../../parts/use-read.ts'
import { Demonstration } from './demonstration.tsx'
import { useWords } from './words.ts'
import './start.css'

type Counted = ListOf<unknown>
const INVENTED = /^demonstration(-|$)/

/** From an empty service to the first alert: each step shows what is true. */
export function Page() {
  const { w, count } = useWords()
  const sources = useRead<ListOf<LogSource>>(
    session.may('siem:read') ? '/siem/sources?limit=100' : null,
    { on: ['demonstration'] },
  )
  const rules = useRead<Counted>(
    session.may('detections:read') ? '/detections/rules?limit=1' : null,
    { on: ['rule'] },
  )
  const alerts = useRead<Counted>('/alerts?limit=1', { on: ['alert'] })
  const senders = sources.data?.items.filter(({ source }) => !INVENTED.test(source)).length
  return (
    <div class="start">
      <PageHead title={w.title} />
      <p class="start-intro">{w.intro}</p>
      <ol class="start-steps">
        <Step
          title={w.source}
          amount={senders}
          text={senders ? count(w.sourceDone, senders) : w.sourceText}
        >
          <a class="act" href="/admin">
            {w.sourceGo}
          </a>
        </Step>
        <Step
          title={w.rules}
          amount={rules.data?.total}
          text={rules.data?.total ? count(w.rulesDone, rules.data.total) : w.rulesText}
        >
          <a class="act" href="/rules">
            {w.rulesGo}
          </a>
        </Step>
        <Step
          title={w.alert}
          amount={alerts.data?.total}
          text={alerts.data?.total ? count(w.alertDone, alerts.data.total) : w.alertText}
        >
          <a class="act" href="/alerts?status=all">
            {w.alertGo}
          </a>
        </Step>
      </ol>
      <Demonstration />
      {isFirstHourShown.value && (
        <p class="start-dismiss">
          <Act
            look="plain"
            onClick={() => {
              dismissFirstHour()
              notices.done(w.dismissed)
            }}
          >
            {w.dismiss}
          </Act>
        </p>
      )}
    </div>
  )
}

type StepProps = {
  title: string
  text: string
  /** Undefined while it is not known. */
  amount: number | undefined
  children: ComponentChildren
}

function Step({ title, text, amount, children }: StepProps) {
  const { w } = useWords()
  const isDone = (amount ?? 0) > 0
  return (
    <li class="start-step" data-done={isDone} aria-busy={amount === undefined ? true : undefined}>
      <span class="start-mark">{isDone && <Icon name="check" />}</span>
      <div>
        <h2>
          {title} <span class="hidden">{isDone ? w.done : w.open}</span>
        </h2>
        <p class={isDone ? 'good' : 'soft'}>{text}</p>
      </div>
      {children}
    </li>
  )
}
