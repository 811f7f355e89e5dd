import { useCurrentInView } from './use-current-in-view.ts'

type TabsProps = {
  label: string
  tabs: { href: string; name: string; count?: number | undefined }[]
  current: string
}

/** The parts of a page, each with an address of its own. */
export const Tabs = ({ label, tabs, current }: TabsProps) => (
  <nav class="tabs" aria-label={label} ref={useCurrentInView(current)}>
    {tabs.map(({ href, name, count }) => (
      <a key={href} href={href} aria-current={href === current ? 'page' : undefined}>
        {name}
        {count ? <b>{count}</b> : null}
      </a>
    ))}
  </nav>
)
