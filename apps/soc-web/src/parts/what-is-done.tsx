import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { say } from '../here.ts'
import { realHost } from './as-seen.ts'
import { inWords, nameInWords } from './in-words.ts'
import { LongText } from './long-text.tsx'
import { kindOf, RecordName, ShortId } from './record-name.tsx'
import { isId } from './sentence.ts'

type Told = Record<string, unknown>

type WhatIsDoneProps = { told: Told; children?: ComponentChildren }

/** What will be done, and what else there is to say of it; the text itself is below. */
export const WhatIsDone = ({ told, children }: WhatIsDoneProps) => (
  <>
    <Values of={told} />
    {children}
    <AsText of={told} />
  </>
)

/** To the letter. */
export const AsText = ({ of }: { of: Told }) => (
  <details>
    <summary class="soft">{say.value.t.asText}</summary>
    <pre>{JSON.stringify(of, null, 1)}</pre>
  </details>
)

/** Names and values, with the records among them by what they are called; also those that are empty. */
export const Values = ({ of }: { of: Told }) => (
  <dl class="facts values">
    {Object.entries(of)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [
        <dt key={`${name} name`}>
          {say.value.t.fields[`${of.kind}.${name}`] ?? nameInWords(name)}
        </dt>,
        <dd key={name} dir="auto">
          <Value name={name} value={value} />
        </dd>,
      ])}
  </dl>
)

const isNothing = (value: unknown) =>
  value === null || (typeof value === 'object' && Object.keys(value).length === 0)

/** The record that something is for, where it is for one. */
export const recordsOf = (of: { alert_id: string | null; case_id: string | null }): Told => ({
  ...(of.alert_id && { alert_id: of.alert_id }),
  ...(of.case_id && { case_id: of.case_id }),
})

const isRecord = (value: unknown): value is Told =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** More is shown when it is asked for, and that there is more is said. */
const LONGEST = 4_000
const MOST = 50
/** What these hold are names of the service's own: `merge_cases`. */
const CODES = ['kind', 'command', 'effect', 'status']

export function Value({ name, value }: { name: string; value: unknown }) {
  if (isNothing(value)) return <p class="soft">{say.value.t.none}</p>
  if (value === '') return <p class="soft">{say.value.t.emptyText}</p>
  const kind = name.replace(/_ids?$/, '')
  const isName = (kind !== name && /^[\w-]+$/.test(String(value))) || isId(value)
  if (Array.isArray(value) && value.some((one) => isRecord(one) || isId(one))) {
    return <LongList name={name} all={value} />
  }
  if (kindOf(kind) && typeof value === 'string' && isName) {
    return (
      <p>
        <RecordName kind={kind} id={value} />
      </p>
    )
  }
  if (typeof value === 'string' && isId(value)) return <ShortId id={value} />
  if (isRecord(value)) return <Values of={value} />
  if (typeof value === 'boolean') return <p>{value ? say.value.t.yes : say.value.t.no}</p>
  const text = inWords(value)
  const host = realHost(text)
  return (
    <p>
      <LongText text={CODES.includes(name) ? text.replaceAll('_', ' ') : text} most={LONGEST} />
      {host && ` (${host})`}
    </p>
  )
}

function LongList({ name, all }: { name: string; all: unknown[] }) {
  const isWhole = useSignal(all.length <= MOST)
  const shown = isWhole.value ? all : all.slice(0, MOST)
  return (
    <>
      {shown.map((value, at) => (
        <Value key={at} {...{ name, value }} />
      ))}
      {!isWhole.value && (
        <button
          type="button"
          class="link"
          onClick={() => {
            isWhole.value = true
          }}
        >
          {say.value.count(say.value.t.wholeList, all.length)}
        </button>
      )}
    </>
  )
}
