import { Icon } from '@manara/ui/parts/icon'
import { Sheet } from '@manara/ui/parts/sheet'
import { attempt, box, notices, player, say } from '../../here.ts'
import { reciterName, surahName } from '../../parts/names.ts'
import { surahFile } from '../../parts/surah-file.ts'
import { words } from './words.ts'

/** A surah was found: by whom should it be heard? */
export function BySheet({ surah, onClose }: { surah: number; onClose(): void }) {
  const { t, fill } = say.value
  const w = words()
  const play = (reciter: string) =>
    attempt(async () => {
      const path = await surahFile(reciter, surah)
      if (!path)
        return notices.problem(
          fill(w.library.hasNot, { r: reciterName(reciter), s: surahName(surah) }),
        )
      onClose()
      await player.play(path)
    })
  return (
    <Sheet
      title={fill(w.library.byWhom, { s: surahName(surah) })}
      closeLabel={t.close}
      onClose={onClose}
    >
      <ul class="rows">
        {box.reciters.value?.map(({ name }) => (
          <li key={name}>
            <button type="button" class="row" onClick={() => void play(name)}>
              <span class="row-text">
                <b>
                  <bdi>{reciterName(name)}</bdi>
                </b>
              </span>
              <Icon name="play" filled />
            </button>
          </li>
        ))}
      </ul>
    </Sheet>
  )
}
