import { say } from '../here.ts'
import { Act } from './act.tsx'

/** What was typed before somebody looked elsewhere stands here again. */
export const KeptNote = ({ onDiscard }: { onDiscard(): void }) => (
  <p class="note" role="status">
    {say.value.t.kept}{' '}
    <Act look="plain" onClick={onDiscard}>
      {say.value.t.discard}
    </Act>
  </p>
)
