import type { ComponentChildren } from 'preact'
import { isWaiting, say } from '../here.ts'
import { explain } from '../stores/attempt.ts'
import type { Read } from '../stores/reads.ts'
import { Icon } from './icon.tsx'

type ReadStateProps<Reply> = {
  read: Read<Reply> & { again(): void }
  /** The shape of what comes. */
  rows?: number
  children(data: Reply): ComponentChildren
}

/** What was read; until then its shape, and what failed with what to do about it. */
export function ReadState<Reply>({ read, rows = 4, children }: ReadStateProps<Reply>) {
  const { data, error, isLoading, again } = read
  if (data !== undefined) {
    return (
      <>
        {error ? <Failed error={error} onAgain={again} readAt={read.readAt} /> : null}
        {children(data)}
      </>
    )
  }
  if (error) return <Failed error={error} onAgain={again} />
  return isLoading ? <Shape rows={rows} /> : null
}

export const Shape = ({ rows = 4 }: { rows?: number }) => (
  <div class="shape" aria-busy="true">
    {Array.from({ length: rows }, (_, at) => (
      <i key={at} />
    ))}
    <span class="shape-slow">{say.value.t.slow}</span>
  </div>
)

/** Until it is known who is here, which is seen only where it takes longer than usual. */
export const Starting = () => (
  <div class="starting">
    {isWaiting.value && (
      <p class="mode" role="status">
        {say.value.t.waits}
      </p>
    )}
    <Shape rows={8} />
  </div>
)

type FailedProps = { error: unknown; onAgain(): void; readAt?: number }

export function Failed({ error, onAgain, readAt }: FailedProps) {
  const { t, fill } = say.value
  return (
    <div class="failed" role="alert">
      <Icon name="alert" />
      <p>
        <b>{t.failedTitle}.</b> {explain(error, t.errors)}
        {readAt ? ` ${fill(t.readAt, { time: new Date(readAt).toLocaleTimeString() })}` : ''}
      </p>
      <button type="button" class="act" onClick={onAgain}>
        {t.again}
      </button>
    </div>
  )
}
