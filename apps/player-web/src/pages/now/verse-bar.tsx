import type { PlaybackStatus } from '@manara/player-contract/playback'
import { Icon } from '@manara/ui/parts/icon'
import { useSignal } from '@preact/signals'
import { player, say } from '../../here.ts'
import { verseCount } from '../../parts/names.ts'
import { MarkSheet } from './mark-sheet.tsx'

/** Which verse is heard, the ones beside it, and a way to say where one begins. */
export function VerseBar({ now }: { now: PlaybackStatus }) {
  const { t, fill } = say.value
  const isMarking = useSignal(false)
  const { verse, verse_sure, hifz } = now
  const [first, last] =
    hifz?.verse_from && hifz.verse_to && !hifz.problem
      ? [hifz.verse_from, hifz.verse_to]
      : [1, verseCount(now.surah_number)]
  const step = (by: 1 | -1) => (
    <button
      type="button"
      class="button-round"
      aria-label={by > 0 ? t.verses.next : t.verses.previous}
      disabled={verse === undefined || verse + by < first || verse + by > last}
      onClick={() => void player.seekVerse((verse ?? 0) + by)}
    >
      <Icon name="chevron" />
    </button>
  )
  return (
    <div class="verse-bar">
      <div dir="ltr">
        {verse !== undefined && step(-1)}
        <p dir="auto" aria-live="polite">
          {verse === undefined ? t.verses.notKnown : fill(t.verses.one, { n: verse })}
          {verse_sure === false && <small>{t.verses.unsure}</small>}
        </p>
        {verse !== undefined && step(1)}
      </div>
      {!hifz?.verse_from && (
        <button
          type="button"
          class="button"
          data-look="line"
          onClick={() => {
            isMarking.value = true
          }}
        >
          {t.verses.mark}
        </button>
      )}
      {isMarking.value && (
        <MarkSheet
          now={now}
          onClose={() => {
            isMarking.value = false
          }}
        />
      )}
    </div>
  )
}
