import { Sheet } from '@manara/ui/parts/sheet'
import type { ComponentChildren } from 'preact'
import { say } from '../here.ts'

type DialogProps = {
  title: string
  onClose?: () => void
  isOpaque?: boolean
  children: ComponentChildren
}

export const Dialog = (props: DialogProps) => <Sheet {...props} closeLabel={say.value.t.close} />
