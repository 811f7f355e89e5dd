import type { OwnParser, ParserVersion } from '@manara/soc-contract/parsers'
import { useIsHere } from '@manara/ui/use-is-here'
import { useSignal } from '@preact/signals'
import { api, attempt, notices, reads, route, session } from '../../../here.ts'
import { Act } from '../../../parts/act.tsx'
import { ReadState } from '../../../parts/state.tsx'
import { Sure } from '../../../parts/sure.tsx'
import { useRead } from '../../../parts/use-read.ts'
import { Moment } from '../../../parts/when.tsx'
import { useWords } from './words.ts'

type VersionsProps = {
  parser: OwnParser
  /** The version that stands in the editor. */
  shown: number
  onLook(version: ParserVersion): void
}

/** All that it ever was. One of them reads, or none; going back is switching an old one on. */
export function Versions({ parser, shown, onLook }: VersionsProps) {
  const { w, fill } = useWords()
  const read = useRead<{ items: ParserVersion[] }>(`/siem/parsers/${parser.id}/versions`, {
    on: ['parser'],
  })
  const mayWrite = session.may('siem:manage')
  const change = (how: 'enable' | 'disable', said: string, version?: number) =>
    attempt(async () => {
      await api.post(`/siem/parsers/${parser.id}/${how}`, version ? { version } : {})
      await reads.renew('/siem/parsers')
      notices.done(said)
    })
  return (
    <div class="stack">
      <h3>{w.versions}</h3>
      <ReadState read={read} rows={2}>
        {({ items }) => (
          <ol class="factor-list parser-versions">
            {items.map((one) => {
              const { version, created_by, created_at } = one
              const isReading = version === parser.enabled_version
              return (
                <li key={version}>
                  <span>
                    <b>{fill(w.version, { version })}</b>{' '}
                    {isReading && <span class="chip">{w.reads}</span>}{' '}
                    {version === shown && <span class="soft">{w.shown}</span>}
                  </span>
                  <span class="soft">
                    {created_by}, <Moment at={created_at} />
                  </span>
                  <span class="acts">
                    {version !== shown && (
                      <Act look="plain" onClick={() => onLook(one)}>
                        {w.look}
                      </Act>
                    )}
                    {mayWrite &&
                      (isReading ? (
                        <Act onClick={() => change('disable', w.isOff)}>{w.switchOff}</Act>
                      ) : (
                        <Act
                          look={version === parser.version ? 'main' : 'line'}
                          onClick={() => change('enable', fill(w.isOn, { version }), version)}
                        >
                          {w.switchOn}
                        </Act>
                      ))}
                  </span>
                </li>
              )
            })}
          </ol>
        )}
      </ReadState>
      {mayWrite && parser.enabled_version === null && <Remove parser={parser} />}
    </div>
  )
}

function Remove({ parser }: { parser: OwnParser }) {
  const { w, fill } = useWords()
  const isAsking = useSignal(false)
  const isHere = useIsHere()
  const remove = () =>
    attempt(async () => {
      await api.remove(`/siem/parsers/${parser.id}`)
      await reads.renew('/siem/parsers?')
      notices.done(fill(w.removed, { name: parser.name }))
      if (isHere()) route.go('/admin/parsers')
    })
  return (
    <div class="acts">
      <Act
        look="danger"
        onClick={() => {
          isAsking.value = true
        }}
      >
        {w.remove}
      </Act>
      {isAsking.value && (
        <Sure
          title={fill(w.removeTitle, { name: parser.name })}
          text={w.removeText}
          label={w.remove}
          onSure={remove}
          onClose={() => {
            isAsking.value = false
          }}
        />
      )}
    </div>
  )
}
