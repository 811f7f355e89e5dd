import { Dialog } from './dialog.tsx'
import { DialogForm } from './dialog-form.tsx'

type SureProps = {
  title: string
  text: string
  /** What is done. */
  label: string
  onSure(): unknown
  onClose(): void
}

/**
 * Asked before what is hard to take back. It goes when that is over, refused or a dry run too: what
 * became of it is told by a notice.
 */
export const Sure = ({ title, text, label, onSure, onClose }: SureProps) => (
  <Dialog title={title} onClose={onClose}>
    <DialogForm
      look="danger"
      sendLabel={label}
      onSend={async () => {
        await onSure()
        return true
      }}
      onClose={onClose}
    >
      <p>{text}</p>
    </DialogForm>
  </Dialog>
)
