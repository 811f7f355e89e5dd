import { type Signal, useSignal } from '@preact/signals'
import { useId, useRef } from 'preact/hooks'
import { attempt, notices } from '../../here.ts'
import { TextField } from '../../parts/text-field.tsx'
import { canHash, MOST_HASHED, sha256 } from './hash.ts'
import { useWords } from './words.ts'

/** The hash of a file that stays where it is; or one that was made elsewhere, typed. */
export function FileHash({ of, onFile }: { of: Signal<string>; onFile?(file: File): void }) {
  const { w } = useWords()
  const id = useId()
  const isHashing = useSignal(false)
  const chosen = useRef<File | null>(null)
  const hash = (file: File) =>
    attempt(async () => {
      chosen.current = file
      // That of another file is not this one's, nor one that comes late.
      of.value = ''
      if (file.size > MOST_HASHED) return void notices.problem(w.tooLargeToHash)
      isHashing.value = true
      const found = await sha256(await file.arrayBuffer())
      if (chosen.current !== file) return
      of.value = found
      onFile?.(file)
    }).finally(() => {
      if (chosen.current === file) isHashing.value = false
    })
  return (
    <>
      {canHash() && (
        <div class="field">
          <label for={id}>{w.file}</label>
          <input
            id={id}
            type="file"
            onChange={({ currentTarget: { files } }) => {
              const [file] = files ?? []
              if (file) void hash(file)
            }}
          />
          <small>{isHashing.value ? w.hashing : w.fileStays}</small>
        </div>
      )}
      <TextField
        label="SHA-256"
        of={of}
        input={{ spellcheck: false, autocomplete: 'off', class: 'mono' }}
      />
    </>
  )
}
