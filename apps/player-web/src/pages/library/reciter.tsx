import type { ReciterSurahs } from '@manara/player-contract/library'
import { Icon } from '@manara/ui/parts/icon'
import { useOnce } from '@manara/ui/use-once'
import { useComputed, useSignal, useSignalEffect } from '@preact/signals'
import { api, attempt, box, keepAsking, notices, player, say } from '../../here.ts'
import { favoriteLike } from '../../parts/favorite.ts'
import { reciterArabic, reciterNames, surahName } from '../../parts/names.ts'
import { PageGhost } from '../../parts/page-ghost.tsx'
import { SearchField } from '../../parts/search-field.tsx'
import { StarButton } from '../../parts/star-button.tsx'
import { findSurahs } from '../../stores/surah-search.ts'
import { Ring } from './ring.tsx'
import { words } from './words.ts'

type Row = ReciterSurahs['surahs'][number]

export function ReciterPage({ name }: { name: string }) {
  const { count } = say.value
  const w = words()
  const wanted = useSignal('')
  const shelf = useSignal<ReciterSurahs | null>(null)
  const isGone = useSignal(false)
  useSignalEffect(() => {
    box.libraryChanged.value
    const query = new URLSearchParams({ reciter: name })
    return keepAsking(
      async () => {
        shelf.value = await api.get<ReciterSurahs>(`/library/surahs?${query}`)
        isGone.value = false
      },
      () => {
        isGone.value = true
      },
    )
  })
  // What plays tells its place every second: the rows are drawn anew when it is another surah.
  const nowNumber = useComputed(() => {
    const now = box.playback.value
    return now?.mode === 'file' && now.reciter === name ? now.surah_number : 0
  })
  // The Arabic name comes with the others, and takes a line more.
  if (!box.reciters.value) return <PageGhost />
  const [first, second] = reciterNames(name, reciterArabic(name))
  const found = new Set(findSurahs(wanted.value).map(({ number }) => number))
  const rows = shelf.value?.surahs.filter(({ number }) => found.has(number))
  return (
    <div class="page">
      <a class="back" href="/library">
        <span class="turns">
          <Icon name="chevron" />
        </span>
        {w.library.title}
      </a>
      <div class="reciter-head">
        <Ring part={(shelf.value?.count ?? 0) / 114} />
        <div>
          <h1>
            <bdi>{first}</bdi>
          </h1>
          {second && (
            <p>
              <bdi>{second}</bdi>
            </p>
          )}
          <p>{shelf.value ? count(w.library.count, shelf.value.count) : '\u00a0'}</p>
        </div>
      </div>
      {isGone.value && !shelf.value ? (
        <p role="alert">{w.library.reciterGone}</p>
      ) : (
        <>
          <SearchField label={w.library.searchSurah} value={wanted} />
          {rows ? (
            rows.length === 0 ? (
              <p class="hint">{w.library.noSurah}</p>
            ) : (
              <ol class="rows surahs">
                {rows.map((row) => (
                  <SurahRow
                    key={row.number}
                    row={row}
                    reciter={name}
                    isNow={row.number === nowNumber.value}
                  />
                ))}
              </ol>
            )
          ) : (
            <div class="ghost page-ghost" aria-busy="true" />
          )}
        </>
      )}
    </div>
  )
}

const enqueue = (reciter: string, surah: number) =>
  attempt(async () => {
    const body = { type: 'surah', reciter, surah }
    const { started } = await api.post<{ started: boolean }>('/playback/queue', body)
    // Where nothing played it is heard by now, and comes after nothing.
    if (!started) notices.done(say.value.fill(say.value.t.queue.added, { s: surahName(surah) }))
  })

function SurahRow({ row, reciter, isNow }: { row: Row; reciter: string; isNow: boolean }) {
  const { t, number, clock, count, fill } = say.value
  const w = words()
  const itself = { type: 'surah', reciter, surah: row.number } as const
  const favorite = favoriteLike(itself)
  const { path } = row
  const queueing = useOnce(() => enqueue(reciter, row.number))
  return (
    <li class="row-with-buttons" data-missing={path === null}>
      <button
        type="button"
        class={isNow ? 'row row-now' : 'row'}
        disabled={path === null}
        aria-current={isNow ? 'true' : undefined}
        onClick={() => {
          if (path !== null) void player.play(path)
        }}
      >
        <span class="medal" data-small>
          {number(row.number)}
        </span>
        <span class="row-text">
          <b class="name-small" lang="ar">
            {row.name_ar}
          </b>
          <small lang="en" dir="ltr">
            {row.name}
          </small>
        </span>
        <span class="row-end">
          {path === null
            ? t.library.missing
            : row.duration
              ? clock(row.duration)
              : count(t.now.ayahs, row.ayahs)}
          {row.by_verse && <small>{w.library.byVerse}</small>}
          {favorite && favorite.play_count > 0 && (
            <small>{count(w.library.plays, favorite.play_count)}</small>
          )}
        </span>
      </button>
      {path !== null && (
        <>
          <button
            type="button"
            class="button-round"
            aria-label={fill(t.queue.add, { s: surahName(row.number) })}
            onClick={() => void queueing.run()}
            {...queueing.busy}
          >
            <Icon name="plus" />
          </button>
          <StarButton wanted={itself} name={surahName(row.number)} />
        </>
      )}
    </li>
  )
}
