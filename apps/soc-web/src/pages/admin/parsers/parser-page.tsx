import type { OwnParser, ParserVersion } from '@manara/soc-contract/parsers'
import { useSignal } from '@preact/signals'
import { useEffect, useLayoutEffect, useMemo } from 'preact/hooks'
import { api, attempt, notices, reads, session, unsent } from '../../../here.ts'
import { Act } from '../../../parts/act.tsx'
import { KeptNote } from '../../../parts/kept-note.tsx'
import { ReadState } from '../../../parts/state.tsx'
import { TextField } from '../../../parts/text-field.tsx'
import { useLeadTo } from '../../../parts/use-lead-to.ts'
import { useQuery } from '../../../parts/use-query.ts'
import { useRead } from '../../../parts/use-read.ts'
import { Refused } from '../../../stores/api.ts'
import { DefinitionFields } from './definition-fields.tsx'
import {
  type Draft,
  definitionOf,
  draftOf,
  type SampleDraft,
  sampleDraftsOf,
  samplesOf,
  toLines,
} from './draft.ts'
import { ParserPreviewed } from './parser-preview.tsx'
import { ReadAgain } from './read-again.tsx'
import { Samples } from './samples.tsx'
import { usePreview } from './use-preview.ts'
import { Versions } from './versions.tsx'
import { useWords } from './words.ts'

export function ParserPage({ id }: { id: string }) {
  const query = useQuery()
  const isNew = id === 'new'
  const read = useRead<OwnParser>(isNew ? null : `/siem/parsers/${id}`, { on: ['parser'] })
  const mayWrite = session.may('siem:manage')
  const source = query.get('source')
  if (isNew) return mayWrite ? <Editor key={source} source={source} /> : null
  return (
    <ReadState read={read} rows={8}>
      {(parser) => <Editor key={parser.id} parser={parser} source={parser.source} />}
    </ReadState>
  )
}

type Typed = { name: string; source: string; draft: Draft; samples: SampleDraft[] }
/** What stands there and is not saved, and the version that it began with. */
type Unsaved = { shown: number; base: string; typed: Typed }

const bodyOf = ({ name, draft, samples }: Omit<Typed, 'source'>) => ({
  ...{ name, definition: definitionOf(draft) },
  samples: samplesOf(samples),
})

/** The parser beside what it makes of stored events: nobody switches on what they have not seen at work. */
function Editor({ parser, source: given }: { parser?: OwnParser; source: string }) {
  const { w, fill } = useWords()
  const mayWrite = session.may('siem:manage')
  const draftName = `parser ${parser?.id ?? `new ${given}`}`
  const kept = useMemo(() => unsent.draft<Unsaved>(draftName), [])
  const name = useSignal(kept?.typed.name ?? parser?.name ?? '')
  const source = useSignal(kept?.typed.source ?? given)
  const draft = useSignal(kept?.typed.draft ?? draftOf(parser?.definition))
  const samples = useSignal(kept?.typed.samples ?? sampleDraftsOf(parser?.samples ?? []))
  const problem = useSignal<Refused | null>(null)
  const shown = useSignal(kept?.shown ?? parser?.version ?? 0)
  const typed = () => ({ name: name.value, draft: draft.value, samples: samples.value })
  const asSaved = () => JSON.stringify(bodyOf(typed()))
  /** What was typed began with this. */
  const base = useSignal(kept?.base ?? asSaved())
  const isUnsaved = mayWrite && asSaved() !== base.value
  useLayoutEffect(() => {
    const now: Unsaved = {
      ...{ shown: shown.value, base: base.value },
      typed: { ...typed(), source: source.value },
    }
    unsent.keepDraft(draftName, isUnsaved ? now : undefined)
  })
  useEffect(() => {
    // Somebody else saved it: what was typed here stays, and it is said which version that began with.
    if (!parser || parser.version === shown.value || isUnsaved) return
    name.value = parser.name
    show(parser)
  }, [parser?.version])
  const preview = usePreview({ source, draft, samples }, mayWrite)
  const said = problem.value ?? preview.value.problem
  const saidAt = (field: string) => (said?.field === field ? said.message : undefined)

  const show = (one: Pick<ParserVersion, 'version' | 'definition' | 'samples'>) => {
    shown.value = one.version
    draft.value = draftOf(one.definition)
    samples.value = sampleDraftsOf(one.samples)
    base.value = asSaved()
  }
  const discard = () => {
    name.value = parser?.name ?? ''
    source.value = given
    if (parser) return show(parser)
    draft.value = draftOf()
    samples.value = []
  }
  const leadTo = useLeadTo()
  const save = () =>
    attempt(async () => {
      problem.value = null
      const body = bodyOf(typed())
      try {
        const saved = parser
          ? await api.patch<OwnParser>(`/siem/parsers/${parser.id}`, body)
          : await api.post<OwnParser>('/siem/parsers', { ...body, source: source.value })
        base.value = JSON.stringify(body)
        await reads.renew('/siem/parsers')
        const told = fill(w.saved, { version: saved.version })
        if (parser) return notices.done(told)
        unsent.keepDraft(draftName, undefined)
        leadTo(`/admin/parsers/${saved.id}`, told, 'replace')
      } catch (error) {
        if (!(error instanceof Refused) || error.status !== 400) throw error
        problem.value = error
      }
    })

  return (
    <div class="parser">
      <header class="parser-head">
        <h2>{parser?.name ?? w.newOne}</h2>
        {parser && <Reading parser={parser} />}
        <a class="link" href="/admin/parsers">
          {w.all}
        </a>
      </header>
      <section class="parser-form">
        {kept && isUnsaved && <KeptNote onDiscard={discard} />}
        {parser && shown.value !== parser.version && (
          <p class="note" role="status">
            {fill(isUnsaved ? w.began : w.old, {
              ...{ version: shown.value, newest: parser.version },
            })}{' '}
            {mayWrite && fill(w.oldSaved, { next: parser.version + 1 })}{' '}
            <Act look="plain" onClick={() => show(parser)}>
              {fill(w.toNewest, { newest: parser.version })}
            </Act>
          </p>
        )}
        <fieldset class="plain-set" disabled={!mayWrite}>
          <div class="parser-names">
            <TextField label={w.name} of={name} problem={saidAt('name')} />
            <TextField
              label={w.source}
              hint={w.sourceHint}
              of={source}
              problem={saidAt('source')}
              input={{ readOnly: parser !== undefined }}
            />
          </div>
          <DefinitionFields draft={draft} complaint={complaintAbout(said)} />
          <Samples
            samples={samples}
            results={preview.value.found?.samples ?? parser?.sample_results}
          />
          {saidAt('samples') && (
            <p class="bad" role="alert">
              {saidAt('samples')}
            </p>
          )}
        </fieldset>
        {mayWrite && (
          <div class="acts">
            <Act look="main" onClick={() => save()}>
              {parser ? w.saveVersion : w.save}
            </Act>
          </div>
        )}
        {parser && <Versions parser={parser} shown={shown.value} onLook={show} />}
        {parser?.enabled && mayWrite && <ReadAgain source={parser.source} />}
      </section>
      {mayWrite && (
        <ParserPreviewed
          {...preview.value}
          source={source.value}
          onUse={({ message, found }) => {
            samples.value = [...samples.value, { text: message, expect: toLines(found) }]
          }}
        />
      )}
    </div>
  )
}

/** What the service says of the definition, or of something within it. */
const complaintAbout = (said: Refused | null) =>
  said?.field?.startsWith('definition') ? said.message : undefined

function Reading({ parser }: { parser: OwnParser }) {
  const { w, fill, count } = useWords()
  if (parser.enabled_version === null) return <span class="chip">{w.off}</span>
  return (
    <>
      <span class="good">{fill(w.readsWith, { version: parser.enabled_version })}</span>
      <span class="soft">{count(w.readDay, parser.events_24h)}</span>
    </>
  )
}
