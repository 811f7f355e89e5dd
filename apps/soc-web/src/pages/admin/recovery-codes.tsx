import { Act } from '../../parts/act.tsx'
import { CopyText } from '../../parts/copy-text.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { useWords } from './words.ts'

/** Closed by its button alone: who closes it by accident would never see them again. */
export function RecoveryCodes({ codes, onClose }: { codes: string[]; onClose(): void }) {
  const { w } = useWords()
  return (
    <Dialog title={w.factor.yourCodes}>
      <p>{w.factor.codesText}</p>
      <CopyText text={codes.join('\n')} label={w.factor.codes} />
      <div class="acts">
        <Act look="main" onClick={onClose}>
          {w.factor.kept}
        </Act>
      </div>
    </Dialog>
  )
}
