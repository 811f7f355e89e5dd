import { digestOf, type Plan } from './plan.ts'

const MOST_SHOWN = 120

export function planLines(plan: Plan): string[] {
  const created = plan.items.filter(({ version }) => version === null).length
  return [
    ...plan.items.flatMap(({ id, name, file, version, changes }) => [
      `${version === null ? '+' : '~'} ${id}  ${name}  (${file})`,
      ...changes.map(({ field, from, to }) =>
        field === 'text of the file'
          ? `    ${field}`
          : `    ${field}: ${shown(from)} -> ${shown(to)}`,
      ),
    ]),
    ...plan.missing.map(
      ({ external_id, name, enabled }) =>
        `? ${external_id}  ${name}  (in no file, ${enabled ? 'on' : 'off'})`,
    ),
    `plan ${digestOf(plan)}: ${created} to create, ${plan.items.length - created} to change, ${plan.unchanged} as they are`,
  ]
}

function shown(value: unknown): string {
  const text = JSON.stringify(value)
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text
}
