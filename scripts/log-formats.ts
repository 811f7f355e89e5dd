import { readFileSync, writeFileSync } from 'node:fs'
import { CATALOGUE } from '../apps/soc/src/features/siem/normalise/catalogue/catalogue.ts'
import {
  GROUPS,
  type LogFormat,
  OCSF_CLASSES,
} from '../apps/soc/src/features/siem/normalise/catalogue/log-format.ts'

/**
 * `npm run docs:formats` writes docs/log-formats.md from the catalogue of log formats; `--check`
 * fails when the page is not what the catalogue says.
 */
const FILE = 'docs/log-formats.md'

const HEAD = `# Log formats

What is understood without being set up, by what an event looks like: ${CATALOGUE.length} formats. An event that was read has the format's id in its field \`_parser\`; \`NOT _parser:*\` finds those that nothing read. \`npm run formats -- FILE\` shows what a file of your own would become, and [sending logs](log-ingest.md) what every event gets beside that.

This page is made of the catalogue (\`apps/soc/src/features/siem/normalise/catalogue/\`) by \`npm run docs:formats\`.
`

const LONGEST_SAMPLE = 400

function sectionOf([group, title]: [string, string]): string {
  const formats = CATALOGUE.filter((format) => format.group === group)
  if (formats.length === 0) return ''
  return `\n## ${title}\n${formats.map(textOf).join('')}`
}

function textOf(format: LogFormat): string {
  const { id, title, ecs, ocsf, samples } = format
  const activity =
    typeof ocsf.activity === 'string' ? [ocsf.activity] : Object.values(ocsf.activity)
  const event = samples[0]?.event
  const sample = typeof event === 'string' ? event : JSON.stringify(event)
  const shown = sample.length > LONGEST_SAMPLE ? `${sample.slice(0, LONGEST_SAMPLE)}…` : sample
  return `
### ${title}

\`${id}\` · known by ${recogniser(format)} · ECS \`${ecs}\` · OCSF ${ocsf.class} (${OCSF_CLASSES[ocsf.class]}): ${[...new Set(activity)].join(', ')}

Fields: ${fieldsOf(format)}

\`\`\`
${shown}
\`\`\`
`
}

const FEW = 6

function recogniser({ kind, when }: LogFormat): string {
  if (kind === 'object') {
    return listed(when.names.slice(0, FEW).map((names) => names.map(code).join(' with ')))
  }
  const { programs = [], starts = [], marks = [] } = when
  const ways = [
    ...(programs.length > 0 ? [`the program ${listed(programs.map(code))}`] : []),
    ...(starts.length > 0 ? [`the beginning ${listed(starts.slice(0, FEW).map(code))}`] : []),
    ...(marks.length > 0 ? [`${listed(marks.slice(0, FEW).map(code))} in it`] : []),
  ]
  return ways.length > 0 ? listed(ways) : 'its shape, when nothing else fits'
}

/** What its samples show. */
function fieldsOf({ samples }: LogFormat): string {
  const names = new Set<string>()
  for (const { expect } of samples) {
    const { fields = {}, ...columns } = expect
    for (const name of [...Object.keys(columns), ...Object.keys(fields)]) {
      names.add(name === 'at' ? 'timestamp' : name)
    }
  }
  return [...names].map(code).join(', ')
}

function code(text: string): string {
  return `\`${text}\``
}

function listed(parts: string[]): string {
  return parts.join(' or ')
}

const page = HEAD + Object.entries(GROUPS).map(sectionOf).join('')
if (process.argv.includes('--write')) writeFileSync(FILE, page)
else if (readFileSync(FILE, 'utf8') !== page) {
  process.stdout.write(`${FILE} is not what the catalogue says: run npm run docs:formats\n`)
  process.exitCode = 1
}
