import { randomUUIDv7 } from 'node:crypto'
import { conflict, invalid } from '@manara/kit/errors'
import type {
  OwnParserCreate,
  OwnParserUpdate,
  ParserDefinition,
  ParserSample,
  SampleResult,
} from '@manara/soc-contract/parsers'
import type { ChangeContext } from '../../../core/change/operator-change.ts'
import {
  deleteParserRow,
  insertParser,
  insertVersion,
  type ParserRow,
  parserById,
  setParser,
  versionOf,
} from './parsers.store.ts'

/** In a thread of its own; rejects with a 400 for a definition that cannot be one. */
export type CheckSamples = (
  definition: ParserDefinition,
  samples: ParserSample[],
) => Promise<SampleResult[]>

const told = ({ id, name, source, version, enabled_version }: ParserRow) => ({
  ...{ id, name, source, version, enabled_version },
})

export async function createParser(
  change: ChangeContext,
  body: OwnParserCreate,
): Promise<ParserRow> {
  const id = randomUUIDv7()
  await insertParser(change.tx, body, { id, username: change.principal.username })
  const row = await parserById(change.tx, id)
  await change.audit({
    action: 'parser.create',
    target: `parser:${id}`,
    after: { ...told(row), definition: row.definition },
  })
  await change.publish('parser.created', told(row))
  return row
}

/** A new version, unless only its name or description changes; what reads now goes on reading. */
export async function updateParser(
  change: ChangeContext,
  asked: string,
  { definition, samples, ...fields }: OwnParserUpdate,
): Promise<ParserRow> {
  const { username } = change.principal
  const before = await parserById(change.tx, asked, { lock: true })
  const { id } = before
  const isNewVersion = definition !== undefined || samples !== undefined
  const version = before.version + (isNewVersion ? 1 : 0)
  if (isNewVersion) {
    const said = {
      definition: definition ?? before.definition,
      samples: samples ?? before.samples,
    }
    await insertVersion(change.tx, id, version, said, username)
  }
  const given = Object.entries(fields).filter(([, value]) => value !== undefined)
  await setParser(change.tx, id, { ...Object.fromEntries(given), version }, username)
  const after = await parserById(change.tx, id)
  await change.audit({
    action: 'parser.update',
    target: `parser:${id}`,
    before: { ...told(before), definition: before.definition },
    after: { ...told(after), definition: after.definition },
  })
  await change.publish('parser.updated', told(after))
  return after
}

export async function switchParser(
  change: ChangeContext,
  asked: string,
  enabledVersion: number | null,
): Promise<ParserRow> {
  const before = await parserById(change.tx, asked, { lock: true })
  const { id } = before
  if (enabledVersion !== null) await versionOf(change.tx, id, enabledVersion)
  const fields = { enabled_version: enabledVersion }
  await setParser(change.tx, id, fields, change.principal.username)
  const after = await parserById(change.tx, id)
  const word = enabledVersion === null ? 'disable' : 'enable'
  await change.audit({
    action: `parser.${word}`,
    target: `parser:${id}`,
    before: told(before),
    after: told(after),
  })
  await change.publish(`parser.${word}d`, told(after))
  return after
}

/** A version whose samples are not read as they should be is never switched on. */
export async function mustPass(
  checkSamples: CheckSamples,
  { definition, samples }: { definition: ParserDefinition; samples: ParserSample[] },
) {
  if (samples.length === 0) throw invalid('samples', 'at least one must show that it works')
  const failed = (await checkSamples(definition, samples)).find(({ passed }) => !passed)
  if (failed) throw invalid(`samples[${failed.index}]`, failed.problem ?? 'is not read as expected')
}

export async function deleteParser(change: ChangeContext, asked: string) {
  const row = await parserById(change.tx, asked, { lock: true })
  const { id } = row
  if (row.enabled_version !== null) throw conflict('it reads events now: disable it first')
  await deleteParserRow(change.tx, id)
  await change.audit({
    action: 'parser.delete',
    target: `parser:${id}`,
    before: { ...told(row), definition: row.definition },
  })
  await change.publish('parser.deleted', { id, name: row.name })
  return { deleted: true as const, id }
}
