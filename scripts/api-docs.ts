import { readFileSync, writeFileSync } from 'node:fs'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { playerDocument } from '../apps/player/src/openapi-document.ts'
import { socDocument } from '../apps/soc/src/openapi-document.ts'

/**
 * `npm run docs:api` writes the OpenAPI documents made from the route schemas to docs/api;
 * `--check` lints them and fails when docs/api is not what the routes say.
 */
const isWriting = process.argv.includes('--write')
const config = await createConfig({
  extends: ['recommended'],
  rules: {
    // The documents are served by the service itself: `/` is its address.
    'no-server-example.com': 'off',
    // A fixed segment wins over a parameter: no agent is called `proposals`.
    'no-ambiguous-paths': 'off',
    'operation-4xx-response': 'error',
    'operation-operationId-unique': 'error',
    'operation-summary': 'error',
    'tag-description': 'error',
  },
})

let problems = 0
for (const [name, document] of [
  ['player', await playerDocument()],
  ['soc', await socDocument()],
] as const) {
  const file = `docs/api/${name}.json`
  const text = `${JSON.stringify(document, null, 2)}\n`
  for (const { ruleId, message, location } of await lintFromString({ source: text, config })) {
    problems += 1
    process.stdout.write(`${name}: ${ruleId}: ${message} at ${location[0]?.pointer}\n`)
  }
  if (isWriting) {
    writeFileSync(file, text)
  } else if (read(file) !== text) {
    problems += 1
    process.stdout.write(`${file} is not what the routes say: run npm run docs:api\n`)
  }
}
process.exit(problems === 0 ? 0 : 1)

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
