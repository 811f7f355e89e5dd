import type { TestContext } from 'node:test'
import { draftFiles } from '../features/detections/import/draft-files.ts'
import { storeDrafts } from '../features/detections/import/store-drafts.ts'
import { openChanges } from './changes-of.ts'
import { silentLog, testDatabase } from './test-postgres.ts'

/** A database to import Sigma rules into, and what a pass over them needs, without the service. */
export async function importedRules(t: TestContext) {
  const { database, internalWorkflow } = await openChanges(t, await testDatabase())
  async function install(...contents: string[]) {
    const files = contents.map((content, at) => ({ name: `${at}.yml`, content }))
    const now = Date.now()
    const { chunks } = await draftFiles({ body: new Uint8Array(), files, enable: true, now })
    await internalWorkflow(({ tx }) => storeDrafts(tx, chunks, { by: 'x', setEnabled: true }))
  }
  const db = database.kysely
  const passes = { db, now: Date.now, log: silentLog, signal: new AbortController().signal }
  return { db, internalWorkflow, install, passes: { ...passes, done() {} } }
}

export const sigmaRule = (id: string) => `
title: ${id}
id: ${id}
logsource: { category: database }
detection:
    keywords: [dropped]
    condition: keywords
`

export const sigmaFilter = (of: string) => `
title: Not here
logsource: { category: database }
filter:
    rules: [${of}]
    selection: { host: test }
    condition: not selection
`
