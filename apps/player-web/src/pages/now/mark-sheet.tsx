import type { PlaybackStatus } from '@manara/player-contract/playback'
import { Sheet } from '@manara/ui/parts/sheet'
import { Stepper } from '@manara/ui/parts/stepper'
import { useOnce } from '@manara/ui/use-once'
import { useSignal } from '@preact/signals'
import { api, attempt, notices, say } from '../../here.ts'
import { verseCount } from '../../parts/names.ts'
import { useVerses } from '../../parts/use-verses.ts'

/** A thumb comes this long after the ear. */
const LATE_MS = 250

/** Somebody listens and says where verses begin, one after the other. */
export function MarkSheet({ now, onClose }: { now: PlaybackStatus; onClose(): void }) {
  const { t, fill, number } = say.value
  const { reciter, surah_number: surah } = now
  const verses = useVerses(reciter, surah)
  const count = verses.value?.verses.length || verseCount(surah)
  const chosen = useSignal<number | null>(null)
  const verse = Math.min(count, chosen.value ?? (now.verse ?? 0) + 1)
  const marks = verses.value?.verses.filter(({ pinned }) => pinned).length ?? 0

  async function mark() {
    const isDone = await attempt(async () => {
      // What the box hears now, not what this page last heard of it; the question was on its way.
      const askedAt = performance.now()
      const { position, speed = 100 } = await api.get<PlaybackStatus>('/playback/status')
      const late = LATE_MS + (performance.now() - askedAt) / 2
      const start = Math.max(0, Math.round(position - (late * speed) / 100))
      await api.post('/library/verses', { reciter, surah, verse, start })
    })
    if (!isDone) return
    notices.done(fill(t.verses.marked, { n: verse }))
    chosen.value = Math.min(count, verse + 1)
  }

  const { busy, run } = useOnce(mark)
  return (
    <Sheet title={t.verses.mark} closeLabel={t.close} onClose={onClose}>
      <p class="small">{t.verses.markWhy}</p>
      <Stepper
        label={t.verses.markWhich}
        value={verse}
        shown={number(verse)}
        min={1}
        max={count}
        lessLabel={t.less}
        moreLabel={t.more}
        onStep={(next) => {
          chosen.value = next
        }}
      />
      <button type="button" class="button" data-look="main" onClick={() => void run()} {...busy}>
        {t.verses.markNow}
      </button>
      {marks > 0 && (
        <button
          type="button"
          class="button"
          data-look="line"
          onClick={() => {
            const query = new URLSearchParams({ reciter, surah: String(surah) })
            void attempt(() => api.remove(`/library/verses?${query}`))
          }}
        >
          {t.verses.forget}
        </button>
      )}
    </Sheet>
  )
}
