import { Sheet } from '@manara/ui/parts/sheet'
import type { ComponentChildren } from 'preact'
import { say } from '../here.ts'
import { asSeen } from './as-seen.ts'

type DialogProps = {
  title: string
  onClose?: () => void
  isOpaque?: boolean
  children: ComponentChildren
}

export const Dialog = ({ title, children, ...props }: DialogProps) => (
  <Sheet {...props} title={asSeen(title)} closeLabel={say.value.t.close}>
    {children}
  </Sheet>
)
