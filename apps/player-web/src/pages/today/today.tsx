import type { Favorite } from '@manara/player-contract/favorites'
import { Icon } from '@manara/ui/parts/icon'
import { box, say } from '../../here.ts'
import { reciterName, surahName } from '../../parts/names.ts'
import { nextText } from '../../parts/next-text.ts'
import { targetName } from '../../parts/target-name.ts'
import { playFavorite } from './play-favorite.ts'
import { Queue } from './queue.tsx'

/** What is close at hand: favorites, and what comes next by itself. */
export function Today() {
  const { t } = say.value
  const favorites = box.favorites.value
  // Below what plays: it waits for it, so that it need not move when that comes.
  if (!favorites) return <h1 class="hidden">{t.today.title}</h1>
  const popular = [...favorites].sort((a, b) => b.play_count - a.play_count).slice(0, 8)
  return (
    <div class="page today">
      <h1>{t.today.title}</h1>
      {popular.length > 0 ? (
        <ul class="tiles" aria-label={t.today.favorites}>
          {popular.map((favorite) => (
            <FavoriteTile key={favorite.id} favorite={favorite} />
          ))}
        </ul>
      ) : (
        <p class="hint">
          <Icon name="star" />
          {t.today.noFavorites}
        </p>
      )}
      <Queue />
      <Coming />
    </div>
  )
}

function FavoriteTile({ favorite }: { favorite: Favorite }) {
  const { number, language } = say.value
  const isSurah = favorite.type === 'surah'
  return (
    <li>
      <button type="button" class="tile" onClick={() => void playFavorite(favorite)}>
        <span class="medal" data-small>
          {isSurah ? number(favorite.surah) : <Icon name="radio" />}
        </span>
        <span>
          <b class={language === 'ar' && isSurah ? 'name-small' : undefined}>
            {isSurah ? surahName(favorite.surah) : <bdi>{favorite.name}</bdi>}
          </b>
          {isSurah && (
            <small>
              <bdi>{reciterName(favorite.reciter)}</bdi>
            </small>
          )}
        </span>
      </button>
    </li>
  )
}

function Coming() {
  const { t, timeOfDay } = say.value
  const is24h = box.settings.value?.time_format_24h ?? true
  const coming = (box.schedules.value ?? [])
    .filter(({ next_fire }) => next_fire !== null)
    .sort((a, b) => (a.next_fire ?? 0) - (b.next_fire ?? 0))
    .slice(0, 3)
  if (coming.length === 0) return null
  return (
    <section class="coming">
      <h2>{t.today.coming}</h2>
      <ul class="rows">
        {coming.map((schedule) => (
          <li key={schedule.id}>
            <a class="row" href="/schedules">
              <Icon name="clock" />
              <span class="row-text">
                <b>
                  <bdi>{targetName(schedule.target)}</bdi>
                </b>
                <small>{nextText(schedule.next_fire ?? 0)}</small>
              </span>
              <span class="row-end">{timeOfDay(`${schedule.hour}:${schedule.minute}`, is24h)}</span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}
