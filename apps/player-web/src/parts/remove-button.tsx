import { Icon } from '@manara/ui/parts/icon'
import { api, attempt, notices, say } from '../here.ts'

type RemoveButtonProps = {
  path: string
  name: string
  /** Makes it anew. */
  undo(): Promise<unknown>
  onClose(): void
}

/** Closes the sheet, removes what it is about, and offers to bring it back. */
export function RemoveButton({ path, name, undo, onClose }: RemoveButtonProps) {
  const { t, fill } = say.value
  async function remove() {
    onClose()
    if (!(await attempt(() => api.remove(path)))) return
    notices.done(fill(t.removed, { s: name }), { label: t.undo, run: () => void attempt(undo) })
  }
  return (
    <button type="button" class="button" data-look="danger" onClick={() => void remove()}>
      <Icon name="trash" />
      {t.remove}
    </button>
  )
}
