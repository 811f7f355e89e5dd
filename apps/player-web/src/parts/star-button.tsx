import type { FavoriteBody } from '@manara/player-contract/favorites'
import { Icon } from '@manara/ui/parts/icon'
import { useOnce } from '@manara/ui/use-once'
import { say } from '../here.ts'
import { favoriteLike, star } from './favorite.ts'

/** Whether what a row is about is a favorite. */
export function StarButton({ wanted, name }: { wanted: FavoriteBody; name: string }) {
  const { t, fill } = say.value
  const isFavorite = favoriteLike(wanted) !== undefined
  const { busy, run } = useOnce(() => star(wanted))
  return (
    <button
      type="button"
      class="button-round star"
      aria-pressed={isFavorite}
      aria-label={fill(t.library.star, { s: name })}
      onClick={() => void run()}
      {...busy}
    >
      <Icon name="star" filled={isFavorite} />
    </button>
  )
}
