import type { Demonstration as Facts } from '@manara/soc-contract/demonstration'
import { api, attempt, reads, session } from '../../here.ts'
import { Act } from '../../parts/act.tsx'
import { ReadState } from '../../parts/state.tsx'
import { useRead } from '../../parts/use-read.ts'
import { withQuery } from '../../stores/api.ts'
import { useWords } from './words.ts'

const HOST = 'fin-ws-07.demo.invalid'

/** Loaded with one click and removed with one. */
export function Demonstration() {
  const { w, fill, percent } = useWords()
  const read = useRead<Facts>('/demonstration', { on: ['demonstration', 'alert'] })
  const ask = (work: () => Promise<Facts>) =>
    attempt(async () => {
      await work()
      await reads.renew('/demonstration')
    })
  const load = () => ask(() => api.post<Facts>('/demonstration'))
  const remove = () => ask(() => api.remove<Facts>('/demonstration'))
  const isAdmin = session.me.value?.role === 'admin'
  return (
    <section class="start-demo">
      <h2>{w.demo}</h2>
      <p class="soft">{w.demoText}</p>
      <ReadState read={read} rows={1}>
        {({ status, step, progress, events, alerts }) => (
          <>
            {status !== 'none' && (
              <p role="status" class={status === 'loaded' ? 'good' : undefined}>
                {fill(w.demoState[status], { step: step ?? '', events, alerts })}
              </p>
            )}
            {progress !== null && (
              <p class="start-progress">
                <progress aria-label={w.demo} value={progress} />
                <span class="num">{percent(Math.round(progress * 100))}</span>
              </p>
            )}
            <div class="acts">
              {status === 'loaded' && (
                <a class="act" href={withQuery('/alerts', { status: 'all', q: HOST })}>
                  {w.look}
                </a>
              )}
              {!isAdmin ? (
                <p class="soft">{w.onlyAdmin}</p>
              ) : status === 'none' ? (
                <Act look="main" onClick={() => load()}>
                  {w.load}
                </Act>
              ) : status === 'loaded' ? (
                <Act onClick={() => remove()}>{w.remove}</Act>
              ) : (
                status === 'loading' && <Act onClick={() => remove()}>{w.cancel}</Act>
              )}
            </div>
          </>
        )}
      </ReadState>
    </section>
  )
}
