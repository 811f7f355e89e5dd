import type { Notice } from '../notices.ts'
import { Icon } from './icon.tsx'

type NoticesProps = { notices: Notice[]; closeLabel: string; onClose(id: number): void }

/** Short words about what was just done; read out, and gone after a while. */
export const Notices = ({ notices, closeLabel, onClose }: NoticesProps) => (
  <div class="notices" role="status">
    {notices.map(({ id, kind, text, action }) => (
      <p key={id} data-kind={kind}>
        <Icon name={kind === 'done' ? 'check' : 'alert'} />
        <span dir="auto">{text}</span>
        {action && (
          <button
            type="button"
            onClick={() => {
              onClose(id)
              action.run()
            }}
          >
            {action.label}
          </button>
        )}
        <button type="button" aria-label={closeLabel} onClick={() => onClose(id)}>
          <Icon name="close" />
        </button>
      </p>
    ))}
  </div>
)
