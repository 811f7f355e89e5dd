import { route, say, session } from '../here.ts'
import { useCurrentInView } from './use-current-in-view.ts'

type TabsProps = {
  label: string
  tabs: { href: string; name: string; count?: number | undefined }[]
  current: string
}

/** The parts of a page, each with an address of its own. */
export function Tabs({ label, tabs, current }: TabsProps) {
  const { t, fill } = say.value
  const [, page, part] = route.path.value.split('/')
  const isElsewhere = part && current !== `/${page}/${part}`
  return (
    <div class="tabs-box">
      <nav class="tabs" aria-label={label} ref={useCurrentInView(current)}>
        {tabs.map(({ href, name, count }) => (
          <a key={href} href={href} aria-current={href === current ? 'page' : undefined}>
            {name}
            {count ? <b>{count}</b> : null}
          </a>
        ))}
      </nav>
      {isElsewhere && (
        <p class="note" role="status">
          {fill(t.noTab, { role: session.me.value?.role ?? '' })}
        </p>
      )}
    </div>
  )
}
