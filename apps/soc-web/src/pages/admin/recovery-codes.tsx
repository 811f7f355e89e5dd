import { unsent } from '../../here.ts'
import { Act } from '../../parts/act.tsx'
import { CopyText } from '../../parts/copy-text.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { useWords } from './words.ts'

/** In the answer and nowhere else, a line each: kept for who looks elsewhere, until they say so. */
export const madeCodes = () => unsent.text('recovery codes that were made')

/** Closed by its button alone: who closes it by accident would never see them again. */
export function RecoveryCodes() {
  const { w } = useWords()
  const codes = madeCodes()
  return (
    <Dialog title={w.factor.yourCodes}>
      <p>{w.factor.codesText}</p>
      <CopyText text={codes.value} label={w.factor.codes} />
      <div class="acts">
        <Act
          look="main"
          onClick={() => {
            codes.value = ''
          }}
        >
          {w.factor.kept}
        </Act>
      </div>
    </Dialog>
  )
}
