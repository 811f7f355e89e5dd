import type { ParserPreview } from '@manara/soc-contract/parsers'
import { Act } from '../../../parts/act.tsx'
import { cutAt } from '../../../parts/as-seen.ts'
import type { Previewed } from './use-preview.ts'
import { useWords } from './words.ts'

type Shown = ParserPreview['events'][number]
type PreviewedProps = Previewed & {
  source: string
  /** An event becomes a sample, with what was found in it. */
  onUse(sample: { message: string; found: Record<string, unknown> }): void
}

/** What it makes of the newest stored events of its source. */
export function ParserPreviewed({
  isAsked,
  found,
  problem,
  failure,
  source,
  onUse,
}: PreviewedProps) {
  const { w, fill } = useWords()
  return (
    <section class="parser-side" aria-label={w.preview} aria-busy={isAsked ? 'true' : undefined}>
      <h3>{w.preview}</h3>
      {failure && <p class="note">{failure}</p>}
      {!found && !problem && <p class="soft">{isAsked ? w.previewing : w.previewText}</p>}
      {problem && found && <p class="note">{w.stale}</p>}
      {found &&
        (found.looked_at === 0 ? (
          <p class="note">{fill(w.noEvents, { source })}</p>
        ) : (
          <Found found={found} onUse={onUse} />
        ))}
    </section>
  )
}

function Found({ found, onUse }: { found: ParserPreview; onUse: PreviewedProps['onUse'] }) {
  const { w, fill, count, percent, number } = useWords()
  const { read, looked_at, read_now, changed, share } = found
  return (
    <>
      <div class="parser-share" role="status">
        <b>{percent(Math.round((share ?? 0) * 100))}</b>
        <span>
          {fill(w.readOf, { read, of: looked_at })}
          <small class="soft">
            {count(w.readNow, read_now)} {count(w.changed, changed)}
          </small>
        </span>
        <progress max={looked_at} value={read} aria-label={w.preview} />
      </div>
      {found.too_slow && <p class="note">{w.tooSlow}</p>}
      {found.fields.length > 0 && (
        <div class="table-box">
          <table class="table" aria-label={w.fields}>
            <thead>
              <tr>
                <th scope="col">{w.columns.field}</th>
                <th scope="col" class="num">
                  {w.columns.events}
                </th>
                <th scope="col">{w.columns.examples}</th>
              </tr>
            </thead>
            <tbody>
              {found.fields.map(({ name, count: events, examples }) => (
                <tr key={name}>
                  <td class="mono">{name}</td>
                  <td class="num">{number(events)}</td>
                  <td>
                    <span class="mono soft parser-example">{examples.map(String).join('  ')}</span>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <h3>{w.events}</h3>
      <ul class="parser-events">
        {found.events.map((event) => (
          <EventLine key={event.log_id} event={event} onUse={onUse} />
        ))}
      </ul>
    </>
  )
}

function EventLine({ event, onUse }: { event: Shown; onUse: PreviewedProps['onUse'] }) {
  const { w, fill } = useWords()
  const after = Object.fromEntries(event.changes.map((change) => [change.field, change.after]))
  return (
    <li data-read={event.read}>
      <details>
        <summary>
          <span class={event.read ? 'good' : 'bad'}>{event.read ? w.isRead : w.isNotRead}</span>{' '}
          <span class="mono">{cutAt(300, event.message)}</span>
        </summary>
        {event.parser_now && <p class="soft">{fill(w.nowReadBy, { parser: event.parser_now })}</p>}
        {event.changes.length > 0 && (
          <dl class="raw">
            {event.changes.map(({ field, before, after: value }) => (
              <div key={field}>
                <dt>{field}</dt>
                <dd>
                  {before !== null && before !== '' && <del>{String(before)}</del>} {String(value)}
                </dd>
              </div>
            ))}
          </dl>
        )}
        <div class="acts">
          <Act onClick={() => onUse({ message: event.message, found: after })}>
            {event.read ? w.useAsSample : w.useAsRefused}
          </Act>
        </div>
      </details>
    </li>
  )
}
