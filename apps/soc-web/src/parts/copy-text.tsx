import { useSignal } from '@preact/signals'
import { canCopy, copyText, say } from '../here.ts'
import { Act } from './act.tsx'

/** A text that is to be taken elsewhere. Without a clipboard it is there to be marked and copied. */
export function CopyText({ text, label }: { text: string; label?: string }) {
  const { t } = say.value
  const isCopied = useSignal(false)
  const copy = async () => {
    isCopied.value = await copyText(text)
  }
  return (
    <figure class="copy-text">
      {label && <figcaption>{label}</figcaption>}
      <pre>{text}</pre>
      {canCopy() && <Act onClick={() => copy()}>{isCopied.value ? t.copied : t.copy}</Act>}
    </figure>
  )
}
