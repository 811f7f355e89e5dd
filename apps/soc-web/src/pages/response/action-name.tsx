import { useWords } from './words.ts'

/** What a step does, in words; the name that a playbook gives it stands beside. */
export function ActionName({ of }: { of: string }) {
  const { w } = useWords()
  const words = w.actions[of]
  return (
    <>
      <b>{words ?? of.replaceAll('_', ' ')}</b> <code class="mono soft">{of}</code>
    </>
  )
}
