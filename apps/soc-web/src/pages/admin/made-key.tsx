import { useIsHere } from '@manara/ui/use-is-here'
import { api, attempt, notices, reads, route, unsent } from '../../here.ts'
import { Act } from '../../parts/act.tsx'
import { CopyText } from '../../parts/copy-text.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { makeKey, type WantedKey } from './make-key.ts'
import { useWords } from './words.ts'

/** In the answer and nowhere else: kept for who looks elsewhere, until they say that they have it. */
export const madeKey = () => ({
  name: unsent.text('name of the key that was made'),
  key: unsent.text('key that was made'),
})

/** Makes one that waits until they have it; who went elsewhere meanwhile is told where. */
export function useMakeKey() {
  const { w, t, fill } = useWords()
  const isHere = useIsHere()
  return async (wanted: WantedKey) => {
    unsent.keepDraft('key', wanted.name)
    await attempt(async () => {
      const key = await makeKey(api, wanted)
      const made = madeKey()
      ;[made.name.value, made.key.value] = [wanted.name, key]
      if (!isHere()) {
        const show = { label: t.show, run: () => route.go('/admin/api-keys') }
        notices.done(fill(w.keys.made, { name: wanted.name }), show)
      }
      await reads.renew('/api-keys', '/users')
    })
    unsent.keepDraft('key', undefined)
  }
}

export function MadeKey({ onClose }: { onClose(): void }) {
  const { w } = useWords()
  return (
    <Dialog title={madeKey().name.value}>
      <p>{w.keys.shownOnce}</p>
      <KeyToCopy onTaken={onClose} />
    </Dialog>
  )
}

export function KeyToCopy({ onTaken }: { onTaken?(): void }) {
  const { w } = useWords()
  const { name, key } = madeKey()
  return (
    <>
      <CopyText text={key.value} label={w.keys.key} />
      <div class="acts">
        <Act
          look="main"
          onClick={() => {
            onTaken?.()
            ;[name.value, key.value] = ['', '']
          }}
        >
          {w.keys.haveIt}
        </Act>
      </div>
    </>
  )
}
