import type { Reciter } from '@manara/player-contract/library'
import { Empty } from '@manara/ui/parts/empty'
import { Icon } from '@manara/ui/parts/icon'
import { useSignal } from '@preact/signals'
import { api, attempt, box, reasons, say } from '../../here.ts'
import { reciterNames } from '../../parts/names.ts'
import { PageGhost } from '../../parts/page-ghost.tsx'
import { SearchField } from '../../parts/search-field.tsx'
import { findNamed } from '../../stores/named-search.ts'
import { findSurahs } from '../../stores/surah-search.ts'
import { BySheet } from './by-sheet.tsx'
import { Ring } from './ring.tsx'
import { UploadSheet } from './upload-sheet.tsx'
import { words } from './words.ts'

export function Reciters() {
  const { number } = say.value
  const w = words()
  const wanted = useSignal('')
  const chosen = useSignal<number | null>(null)
  const isUploading = useSignal(false)
  const reciters = box.reciters.value
  if (!reciters) return <PageGhost />
  const isSearching = wanted.value.trim() !== ''
  const found = findNamed(reciters, wanted.value, ({ name, name_ar = '' }) => `${name} ${name_ar}`)
  const surahs = isSearching ? findSurahs(wanted.value).slice(0, 12) : []
  return (
    <div class="page">
      <div class="page-head">
        <h1>{w.library.title}</h1>
        {box.library.value?.card_present && (
          <button
            type="button"
            class="button"
            data-look="line"
            onClick={() => {
              isUploading.value = true
            }}
          >
            <Icon name="upload" />
            {w.library.upload}
          </button>
        )}
      </div>
      {reciters.length === 0 ? (
        <NoReciters />
      ) : (
        <>
          <SearchField label={w.library.search} value={wanted} />
          {isSearching && (
            <section class="stack-close">
              <h2>{w.library.surahs}</h2>
              {surahs.length === 0 ? (
                <p class="hint">{w.library.noSurah}</p>
              ) : (
                <ul class="rows">
                  {surahs.map((surah) => (
                    <li key={surah.number}>
                      <button
                        type="button"
                        class="row"
                        onClick={() => {
                          chosen.value = surah.number
                        }}
                      >
                        <span class="medal" data-small>
                          {number(surah.number)}
                        </span>
                        <span class="row-text">
                          <b class="name-small" lang="ar">
                            {surah.name_ar}
                          </b>
                          <small lang="en">{surah.name}</small>
                        </span>
                        <Icon name="play" filled />
                      </button>
                    </li>
                  ))}
                </ul>
              )}
            </section>
          )}
          <section class="stack-close">
            <h2 class={isSearching ? undefined : 'hidden'}>{w.library.reciters}</h2>
            {found.length === 0 ? (
              <p class="hint">{w.library.noReciter}</p>
            ) : (
              <ul class="rows">
                {found.map((reciter) => (
                  <ReciterRow key={reciter.name} reciter={reciter} />
                ))}
              </ul>
            )}
          </section>
        </>
      )}
      <Unreadable />
      <NotDecoded />
      {isUploading.value && (
        <UploadSheet
          onClose={() => {
            isUploading.value = false
          }}
        />
      )}
      {chosen.value !== null && (
        <BySheet
          surah={chosen.value}
          onClose={() => {
            chosen.value = null
          }}
        />
      )}
    </div>
  )
}

function ReciterRow({ reciter }: { reciter: Reciter }) {
  const { count } = say.value
  const w = words()
  const { name, name_ar, surah_count, complete } = reciter
  const [first, second] = reciterNames(name, name_ar)
  return (
    <li>
      <a class="row" href={`/library/${encodeURIComponent(name)}`}>
        <Ring part={surah_count / 114} />
        <span class="row-text">
          <b>
            <bdi>{first}</bdi>
          </b>
          {second && (
            <small>
              <bdi>{second}</bdi>
            </small>
          )}
          <small>{complete ? w.library.complete : count(w.library.count, surah_count)}</small>
        </span>
        <span class="row-end turns">
          <Icon name="chevron" />
        </span>
      </a>
    </li>
  )
}

function NoReciters() {
  const { t } = say.value
  const w = words()
  const { card_present: isCardIn = false, scanning = false, error } = box.library.value ?? {}
  if (!isCardIn && error)
    return <Empty icon="book" title={w.library.empty} text={reasons.meaning(error)} />
  if (isCardIn && scanning)
    return <Empty icon="book" title={t.library.reading} text={w.library.readingWhy} />
  return (
    <Empty
      icon="book"
      title={isCardIn ? w.library.empty : t.library.noCard}
      text={isCardIn ? w.library.emptyWhy : w.library.noCardWhy}
    >
      {isCardIn && (
        <button
          type="button"
          class="button"
          data-look="main"
          onClick={() => void attempt(() => api.post('/library/rescan'))}
        >
          <Icon name="refresh" />
          {w.library.rescan}
        </button>
      )}
    </Empty>
  )
}

/** Else a damaged card would look like an empty one. */
function Unreadable() {
  const w = words()
  const { card_present, error: why } = box.library.value ?? {}
  if (!card_present || !why) return null
  return (
    <p class="hint" role="alert">
      <Icon name="alert" />
      <span>
        {w.library.unreadable} <small dir="auto">{reasons.meaning(why)}</small>
      </span>
    </p>
  )
}

/** Whoever put such files on the card looks for them here. */
function NotDecoded() {
  const { t, count } = say.value
  const w = words()
  const left = box.library.value?.not_decoded
  if (!left) return null
  return (
    <p class="hint" role="status">
      {count(w.library.notDecoded, left.files, { k: left.kinds.join(t.comma) })}
    </p>
  )
}
