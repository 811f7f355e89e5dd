import type { Favorite } from '@manara/player-contract/favorites'
import { attempt, notices, player, say } from '../../here.ts'
import { surahFile } from '../../parts/surah-file.ts'

/** A favorite names a surah of a reciter; the box plays files. */
export async function playFavorite(favorite: Favorite) {
  if (favorite.type === 'stream') return player.playStream(favorite.url)
  await attempt(async () => {
    const path = await surahFile(favorite.reciter, favorite.surah)
    if (path) await player.play(path)
    else notices.problem(say.value.t.library.missing)
  })
}
