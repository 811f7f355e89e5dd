import { Icon } from '@manara/ui/parts/icon'
import { api, attempt, box, say } from '../../here.ts'
import { reciterName, surahName } from '../../parts/names.ts'
import { fileName } from '../../parts/now-title.ts'

/** What plays after the current one; nothing is shown while that is nothing. */
export function Queue() {
  const { t, fill } = say.value
  const queue = box.queue.value ?? []
  if (queue.length === 0) return null
  return (
    <section class="coming">
      <div class="page-head">
        <h2>{t.queue.title}</h2>
        <button
          type="button"
          class="button"
          data-look="plain"
          onClick={() => void attempt(() => api.remove('/playback/queue'))}
        >
          {t.queue.clear}
        </button>
      </div>
      <ol class="rows">
        {queue.map(({ id, track, reciter, surah_number }) => {
          const name = surahName(surah_number) || fileName(track)
          return (
            <li key={id} class="row-with-buttons">
              <div class="row">
                <span class="row-text">
                  <b>
                    <bdi>{name}</bdi>
                  </b>
                  <small>
                    <bdi>{reciterName(reciter)}</bdi>
                  </small>
                </span>
              </div>
              <button
                type="button"
                class="button-round"
                aria-label={fill(t.queue.remove, { s: name })}
                onClick={() => void attempt(() => api.remove(`/playback/queue/${id}`))}
              >
                <Icon name="close" />
              </button>
            </li>
          )
        })}
      </ol>
    </section>
  )
}
