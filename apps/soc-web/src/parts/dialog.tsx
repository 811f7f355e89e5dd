import { Sheet } from '@manara/ui/parts/sheet'
import type { ComponentChildren } from 'preact'
import { say } from '../here.ts'

type DialogProps = { title: string; onClose?: () => void; children: ComponentChildren }

export const Dialog = ({ title, onClose, children }: DialogProps) => (
  <Sheet title={title} closeLabel={say.value.t.close} onClose={onClose}>
    {children}
  </Sheet>
)
