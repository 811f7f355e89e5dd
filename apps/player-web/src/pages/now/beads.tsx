import type { PlaybackStatus } from '@manara/player-contract/playback'
import { box, clock, reasons, say } from '../../here.ts'
import { surahName } from '../../parts/names.ts'

type Hifz = NonNullable<PlaybackStatus['hifz']>

// More than fit a phone side by side are told as a bar.
const MOST_BEADS = 12

/** The rounds of memorising as a string of beads: the lit one is now, and counts the silence down. */
export function Beads({ now, hifz }: { now: PlaybackStatus; hifz: Hifz }) {
  const { t, fill, count, number } = say.value
  const { repeat_target: target } = hifz
  // The learner's turn belongs to the round that was heard: it is over when the turn is.
  const done = hifz.repeat_done - (hifz.round && hifz.waiting ? 1 : 0)
  const gapLeft = gapLeftOf(now, hifz)
  const round =
    target === 0
      ? fill(t.hifz.endless, { n: done + 1 })
      : fill(t.hifz.round, { n: Math.min(done + 1, target), m: target })
  const left = target - done - 1
  const lit = number(gapLeft ?? done + 1)
  return (
    <section class="beads" aria-label={t.hifz.title} data-gap={gapLeft !== null}>
      <p>
        <b>{round}</b>
        {target > 0 && <span>{left > 0 ? count(t.hifz.left, left) : t.hifz.last}</span>}
      </p>
      {target > 0 && target <= MOST_BEADS ? (
        <ol aria-hidden="true">
          {Array.from({ length: target }, (_, at) => (
            <li key={at} data-at={at < done ? 'done' : at === done ? 'now' : 'next'}>
              {at === done ? lit : ''}
            </li>
          ))}
        </ol>
      ) : (
        <div class="beads-many" aria-hidden="true">
          <span
            class="beads-bar"
            ref={(bar) => bar?.style.setProperty('--part', String(target ? done / target : 0))}
          />
          <span data-at="now">{lit}</span>
        </div>
      )}
      {hifz.verse_from === undefined ? (
        <SurahNotes hifz={hifz} isGap={gapLeft !== null} />
      ) : (
        <VerseNotes hifz={hifz} isGap={gapLeft !== null} />
      )}
    </section>
  )
}

type NotesProps = { hifz: Hifz; isGap: boolean }

function SurahNotes({ hifz, isGap }: NotesProps) {
  const { t, fill } = say.value
  const { ab_start, ab_end, pause_s } = hifz
  const silence = pause_s > 0 ? fill(t.hifz.gap, { n: pause_s }) : t.hifz.noGap
  return (
    <small>
      {ab_start !== undefined && ab_end !== undefined && (
        <span>{fill(t.hifz.range, { a: surahName(ab_start), b: surahName(ab_end) })}</span>
      )}
      <span aria-live="polite">{isGap ? t.hifz.inGap : silence}</span>
    </small>
  )
}

/** Which verses are heard in one go, and whose turn it is. */
function VerseNotes({ hifz, isGap }: NotesProps) {
  const { t, fill } = say.value
  const { round, step = 0, steps = 0, problem } = hifz
  if (problem)
    return (
      <small>
        <span>
          {t.verses.heardWhole} <bdi>{reasons.meaning(problem)}</bdi>
        </span>
      </small>
    )
  const isAlone = round?.from === round?.to
  const name = isAlone
    ? fill(t.verses.one, { n: round?.from ?? 0 })
    : fill(t.verses.linked, { a: round?.from ?? 0, b: round?.to ?? 0 })
  return (
    <small>
      <b aria-live="polite">{isGap ? t.verses.yourTurn : t.verses.listening}</b>
      <span>{step === 0 ? t.verses.before : name}</span>
      {step > 0 && steps > 0 && <span>{fill(t.verses.step, { n: step, m: steps })}</span>}
    </small>
  )
}

/** Whole seconds of the silence that are left, or null outside of it. */
function gapLeftOf(now: PlaybackStatus, hifz: Hifz): number | null {
  const endsAt = box.gapEndsAt.value
  if (endsAt === null) return null
  if (now.state === 'paused') return Math.ceil((hifz.gap_ms ?? hifz.pause_s * 1000) / 1000)
  return Math.max(0, Math.ceil((endsAt - clock.value) / 1000))
}
