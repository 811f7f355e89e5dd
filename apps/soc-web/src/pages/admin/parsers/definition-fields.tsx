import { Choice } from '@manara/ui/parts/choice'
import { Field } from '@manara/ui/parts/field'
import type { Signal } from '@preact/signals'
import { useId } from 'preact/hooks'
import { type Draft, marked } from './draft.ts'
import { useWords } from './words.ts'

const KINDS = ['grok', 'dissect', 'json', 'key_value'] as const
const MONO = { class: 'mono' }

type DefinitionProps = { draft: Signal<Draft>; complaint: string | undefined }

/** How the text of an event becomes fields. */
export function DefinitionFields({ draft, complaint }: DefinitionProps) {
  const { w } = useWords()
  const { kind } = draft.value
  const set = (change: Partial<Draft>) => {
    draft.value = { ...draft.value, ...change }
  }
  const typed = (name: keyof Draft) => ({
    value: draft.value[name],
    onType: (text: string) => set({ [name]: text }),
  })
  return (
    <>
      <Choice
        label={w.kind}
        value={kind}
        options={KINDS.map((value) => ({ value, label: w.kinds[value] }))}
        onChoose={(chosen) => set({ kind: chosen })}
      />
      {(kind === 'grok' || kind === 'dissect') && (
        <>
          <Lines
            label={w.pattern}
            hint={w.hints[kind]}
            {...typed('pattern')}
            isWrong={!!complaint}
          />
          <Complaint pattern={draft.value.pattern} text={complaint} />
        </>
      )}
      {kind === 'grok' && (
        <Lines label={w.definitions} hint={w.definitionsHint} {...typed('definitions')} />
      )}
      {kind === 'json' && (
        <>
          <Lines label={w.paths} hint={w.hints.json} {...typed('paths')} isWrong={!!complaint} />
          <Complaint pattern={draft.value.paths} text={complaint} />
          <Field input={MONO} label={w.from} hint={w.fromHint} {...typed('from')} />
        </>
      )}
      {kind === 'key_value' && (
        <>
          <div class="parser-names">
            <Field input={MONO} label={w.pair} hint={w.pairHint} {...typed('pair')} />
            <Field input={MONO} label={w.value} hint={w.valueHint} {...typed('value')} />
          </div>
          <Complaint pattern="" text={complaint} />
          <Lines label={w.rename} hint={w.hints.key_value} {...typed('rename')} />
        </>
      )}
    </>
  )
}

/** What is wrong, and where in the pattern, if the service says it. */
function Complaint({ pattern, text }: { pattern: string; text: string | undefined }) {
  if (!text) return null
  const pieces = marked(pattern, text)
  return (
    <div class="parser-wrong" role="alert">
      {pieces.length > 0 && (
        <code>
          {pieces.map(({ text: piece, isWrong }, at) =>
            isWrong ? <mark key={at}>{piece}</mark> : <span key={at}>{piece}</span>,
          )}
        </code>
      )}
      <small class="bad">{text.replace(/^definition[\w.]*: /, '')}</small>
    </div>
  )
}

type TypedProps = { label: string; hint: string; value: string; onType(text: string): void }

/** Of a fixed width, as patterns are read; as many lines as it has. */
export function Lines(props: TypedProps & { isWrong?: boolean }) {
  const { label, hint, value, onType, isWrong } = props
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <textarea
        id={id}
        class="mono"
        spellcheck={false}
        rows={Math.min(8, Math.max(2, value.split('\n').length))}
        value={value}
        aria-invalid={isWrong ? 'true' : undefined}
        aria-describedby={`${id}-hint`}
        onInput={({ currentTarget }) => onType(currentTarget.value)}
      />
      <small id={`${id}-hint`}>{hint}</small>
    </div>
  )
}
