import { askThread } from '@manara/kit/thread/start-thread'
import type { RuleImportFiles } from '@manara/soc-contract/detection-content'
import { chunksOf, type DraftChunk } from './draft-rows.ts'
import { draftRules } from './draft-rules.ts'
import type { RuleFile, Skipped } from './drafts.ts'
import { readRuleFiles } from './rule-files.ts'
import { filesInJson } from './rule-source.ts'

export type DraftRequest = {
  /** An archive, one YAML text, or JSON that names its files; `files` go before it. */
  body: Uint8Array
  isJson?: boolean
  files?: RuleFile[]
  enable: boolean
  now: number
}
type Drafted = { chunks: DraftChunk[]; skipped: Skipped[]; plan: RuleImportFiles['plan'] }
export type DraftCalls = {
  draft(request: DraftRequest): Drafted
  draftEach(files: RuleFile[], now: number): DraftChunk[]
}

// A rule or two are done before a thread would have started.
const SMALL = 16 * 1024
const WORKER = new URL('./draft-rules-worker.ts', import.meta.url)
/** Thousands of brackets within each other take the YAML parser long, however short the text. */
const FEW_BRACKETS = 200

/** Thousands of YAML files, or a long JSON, take long: beside the event loop, which goes on serving. */
export async function draftFiles(request: DraftRequest, signal?: AbortSignal): Promise<Drafted> {
  if (isQuick(request)) return draft(request)
  return askThread<DraftCalls, 'draft'>(WORKER, 'draft', [request], signal)
}

export function draft({ body, isJson = false, enable, now, ...asked }: DraftRequest): Drafted {
  const { files, plan } = isJson ? filesInJson(body) : { files: asked.files, plan: undefined }
  const { drafts, skipped } = draftRules(files ?? readRuleFiles(Buffer.from(body)), enable, now)
  return { chunks: chunksOf(drafts, now), skipped, plan }
}

/** Each as an import of its own, beside the event loop: none has to do with another. */
export const draftEachFile = (files: RuleFile[], now: number, signal?: AbortSignal) =>
  askThread<DraftCalls, 'draftEach'>(WORKER, 'draftEach', [files, now], signal)

export const draftEach = (files: RuleFile[], now: number): DraftChunk[] =>
  chunksOf(
    files.flatMap((file) => {
      const { drafts } = draftRules([file], false, now)
      // With filters behind it, it is one document of several.
      return drafts.map((draft) => ({ ...draft, file: file.name }))
    }),
    now,
  )

export const isQuick = (request: DraftRequest) =>
  sizeOf(request) <= SMALL &&
  !isArchive(request) &&
  bracketsIn(request) <= FEW_BRACKETS &&
  !mayFilter(request)

const textsIn = ({ body, files = [] }: DraftRequest) => [
  Buffer.from(body).toString('latin1'),
  ...files.map(({ content }) => content),
]

const bracketsIn = (request: DraftRequest) =>
  textsIn(request)
    .map((text) => text.match(/[[{]/g)?.length ?? 0)
    .reduce((sum, count) => sum + count, 0)

/** A filter is read anew for each of its rules. */
const mayFilter = (request: DraftRequest) =>
  textsIn(request).some((text) => /filter\W/.test(text) && /rules\W/.test(text))

const sizeOf = ({ body, files = [] }: DraftRequest) =>
  files.reduce((sum, { content }) => sum + content.length, body.length)

/** How much is in it shows only when it is unpacked. */
const isArchive = ({ body }: DraftRequest) =>
  body[0] === 0x1f || (body[0] === 0x50 && body[1] === 0x4b)
