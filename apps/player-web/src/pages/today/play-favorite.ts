import type { Favorite } from '@manara/player-contract/favorites'
import type { ReciterSurahs } from '@manara/player-contract/library'
import { api, attempt, notices, say } from '../../here.ts'
import type { Player } from '../../stores/player.ts'

/** A favorite names a surah of a reciter; the box plays files. */
export async function playFavorite(favorite: Favorite, player: Player) {
  if (favorite.type === 'stream') return player.playStream(favorite.url)
  await attempt(async () => {
    const { surahs } = await api.get<ReciterSurahs>(
      `/library/surahs?reciter=${encodeURIComponent(favorite.reciter)}`,
    )
    const path = surahs[favorite.surah - 1]?.path
    if (path) await player.play(path)
    else notices.problem(say.value.t.library.missing)
  })
}
