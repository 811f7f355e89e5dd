import { useWords } from './words.ts'

/** The condition of a step. */
export function OnlyIf({ text }: { text: string }) {
  const { w } = useWords()
  return (
    <>
      {w.onlyIf} <code class="mono">{text}</code>
    </>
  )
}
