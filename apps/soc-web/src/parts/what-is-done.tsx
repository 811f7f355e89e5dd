import { say } from '../here.ts'
import { useRead } from './use-read.ts'

type Told = Record<string, unknown>

/** What will be done, with the records it is about by their names; the text itself is below it. */
export function WhatIsDone({ told }: { told: Told }) {
  const { t } = say.value
  const said = Object.entries(told).filter(([, value]) => !isNothing(value))
  return (
    <>
      <dl class="facts">
        {said.map(([name, value]) => [
          <dt key={`${name} name`}>
            {name.replace(/_ids$/, 's').replace(/_id$/, '').replaceAll('_', ' ')}
          </dt>,
          <dd key={name} dir="auto">
            {[value].flat().map((one, at) => (
              <Value key={at} name={name} value={one} />
            ))}
          </dd>,
        ])}
      </dl>
      <details>
        <summary class="soft">{t.asText}</summary>
        <pre>{JSON.stringify(told, null, 1)}</pre>
      </details>
    </>
  )
}

const isNothing = (value: unknown) =>
  value === null ||
  value === '' ||
  (typeof value === 'object' && value !== null && Object.keys(value).length === 0)

/** Where records live: how they are asked for, and their address here. */
const RECORDS: Record<string, { api: string; page(id: string): string }> = {
  case: { api: '/cases', page: (id) => `/cases/${id}` },
  alert: { api: '/alerts', page: (id) => `/alerts?status=all&open=${id}` },
  rule: { api: '/detections/rules', page: (id) => `/rules/${id}` },
}

function Value({ name, value }: { name: string; value: unknown }) {
  const record = RECORDS[name.replace(/_ids?$/, '')]
  if (record && typeof value === 'string') return <Named {...record} id={value} />
  if (typeof value === 'object' && value !== null) {
    const { title } = value as { title?: unknown }
    return <p class="mono">{typeof title === 'string' ? title : JSON.stringify(value)}</p>
  }
  return <p>{String(value)}</p>
}

function Named({ api, page, id }: { api: string; page(id: string): string; id: string }) {
  const read = useRead<{ title?: string; name?: string }>(`${api}/${id}`)
  return (
    <p>
      <a class="link" href={page(id)}>
        {read.data?.title ?? read.data?.name ?? id}
      </a>
    </p>
  )
}
