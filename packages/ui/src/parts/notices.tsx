import { render } from 'preact'
import { useLayoutEffect } from 'preact/hooks'
import { placeInFront } from '../in-front.ts'
import type { Notice } from '../notices.ts'
import { Icon } from './icon.tsx'

type NoticesProps = { notices: Notice[]; closeLabel: string; onClose(id: number): void }

/**
 * Short words about what was just done; read out, and gone after a while. While something covers the
 * page they are said within it: what lies behind is neither seen nor read out.
 */
export function Notices(props: NoticesProps) {
  const place = placeInFront()
  useLayoutEffect(() => {
    if (place) render(<Said {...props} />, place)
  })
  useLayoutEffect(() => (place ? () => render(null, place) : undefined), [place])
  return <div class="notices">{!place && <Said {...props} />}</div>
}

/** What went wrong is said at once, what was done when there is a pause. */
const Said = ({ notices, ...rest }: NoticesProps) => (
  <>
    <div role="status">
      {notices
        .filter(({ kind }) => kind === 'done')
        .map((notice) => (
          <One key={notice.id} notice={notice} {...rest} />
        ))}
    </div>
    {notices
      .filter(({ kind }) => kind === 'problem')
      .map((notice) => (
        <div key={notice.id} role="alert">
          <One notice={notice} {...rest} />
        </div>
      ))}
  </>
)

type OneProps = Omit<NoticesProps, 'notices'> & { notice: Notice }

const One = ({ notice: { id, kind, text, action }, closeLabel, onClose }: OneProps) => (
  <p data-kind={kind}>
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
)
