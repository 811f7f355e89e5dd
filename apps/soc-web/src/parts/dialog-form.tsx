import { useIsHere } from '@manara/ui/use-is-here'
import { useOnce } from '@manara/ui/use-once'
import type { ComponentChildren } from 'preact'
import { say } from '../here.ts'
import { Act } from './act.tsx'

type DialogFormProps = {
  children: ComponentChildren
  sendLabel: string
  /** `danger` for what cannot be taken back. */
  look?: 'main' | 'danger'
  /** Where it stays open after it was sent, and there is nothing to cancel. */
  closeLabel?: string
  isReady?: boolean
  /** Resolves with whether it is over and the dialog goes. */
  onSend(): Promise<boolean>
  onClose(): void
}

/** What a dialog asks, sent by its button or by Enter in a field, once at a time. */
export function DialogForm(props: DialogFormProps) {
  const { children, sendLabel, look = 'main', isReady = true, closeLabel, ...on } = props
  const isHere = useIsHere()
  const { busy, run } = useOnce(async () => {
    if ((await on.onSend()) && isHere()) on.onClose()
  })
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault()
        if (isReady) void run()
      }}
    >
      {children}
      <div class="acts">
        <button type="submit" class="act" data-look={look} disabled={!isReady} {...busy}>
          {sendLabel}
        </button>
        <Act onClick={on.onClose}>{closeLabel ?? say.value.t.cancel}</Act>
      </div>
    </form>
  )
}
