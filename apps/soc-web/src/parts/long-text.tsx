import { useSignal } from '@preact/signals'
import { say } from '../here.ts'

/** Longer ones are shown whole when they are asked for: one long field must not freeze a page. */
export function LongText({ text, most }: { text: string; most: number }) {
  const isWhole = useSignal(text.length <= most)
  if (isWhole.value) return <>{text}</>
  return (
    <>
      {text.slice(0, most)}…{' '}
      <button
        type="button"
        class="link"
        onClick={() => {
          isWhole.value = true
        }}
      >
        {say.value.count(say.value.t.wholeText, text.length)}
      </button>
    </>
  )
}
