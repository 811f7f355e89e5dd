import { Empty } from '@manara/ui/parts/empty'
import { LoadedPage } from '@manara/ui/parts/loaded-page'
import { Notices } from '@manara/ui/parts/notices'
import { useEffect } from 'preact/hooks'
import { comingBack, dock, notices, preferences, route, say, session } from './here.ts'
import { PAGES, segmentOf } from './pages.ts'
import { KeysSheet, openKeys } from './parts/keys-sheet.tsx'
import { Banners } from './parts/mode-banner.tsx'
import { openPalette, Palette } from './parts/palette.tsx'
import { Rail } from './parts/rail.tsx'
import { SignInAgain } from './parts/sign-in-again.tsx'
import { Shape } from './parts/state.tsx'
import { useCommands } from './parts/use-commands.ts'

const THEMES = ['auto', 'light', 'dark'] as const

export function App() {
  const { t, fill } = say.value
  const segment = segmentOf(route.path.value)
  const pages = PAGES.filter(({ needs }) => session.may(needs))
  useCommands([
    {
      id: 'palette',
      title: t.commands,
      group: 'frame',
      keys: 'mod+k',
      isQuiet: true,
      run: openPalette,
    },
    { id: 'chat', title: t.chat, group: 'frame', keys: 'mod+j', run: dock.toggle },
    { id: 'keys', title: t.keys, group: 'frame', keys: '?', run: openKeys },
    {
      ...{ id: 'theme', title: t.theme, group: 'frame' },
      run() {
        const next = (THEMES.indexOf(preferences.theme.value) + 1) % THEMES.length
        preferences.theme.value = THEMES[next] ?? 'auto'
        notices.done(`${t.theme}: ${t.themes[preferences.theme.value]}`)
      },
    },
    ...pages.map(({ path, name, key }) => ({
      ...{ id: `go-${name}`, title: fill(t.go, { page: t.nav[name] }), group: 'go' },
      ...{ keys: `g ${key}`, run: () => route.go(`/${path}`) },
    })),
  ])
  const page = pages.find(({ path }) => path === segment)
  // Tabs, the history and a screen reader tell pages apart by it.
  const title = page ? fill(t.titleOf, { page: t.nav[page.name] }) : t.title
  useEffect(() => {
    document.title = title
  }, [title])
  return (
    <div class="console" data-dock={dock.isOpen.value}>
      <a class="skip" href="#main">
        {t.skipToContent}
      </a>
      <Rail pages={pages.filter(({ isBeside }) => !isBeside)} current={segment} />
      <div class="stage">
        <Banners />
        <main id="main" tabIndex={-1}>
          {page ? (
            <LoadedPage
              key={segment}
              at={route.path.value + route.search.value}
              load={page.load}
              shape={<Shape rows={8} />}
              failed={<Gone />}
              broken={<Broken />}
            />
          ) : (
            <NoSuchPage />
          )}
        </main>
      </div>
      {dock.isOpen.value && (
        <LoadedPage
          load={() => import('./dock/dock.tsx')}
          shape={<aside class="dock" aria-label={t.chat} />}
          failed={<Gone />}
          broken={<Broken />}
        />
      )}
      <Notices notices={notices.list.value} closeLabel={t.close} onClose={notices.close} />
      <Palette />
      <KeysSheet />
      {comingBack.isAsking.value && <SignInAgain />}
    </div>
  )
}

const Gone = () => <Stopped why={say.value.t.errors.unreachable} />
const Broken = () => <Stopped why={say.value.t.errors.broken} />

const Stopped = ({ why }: { why: string }) => (
  <div class="failed" role="alert">
    <p>{why}</p>
    <button type="button" class="act" onClick={() => location.reload()}>
      {say.value.t.again}
    </button>
  </div>
)

const NoSuchPage = () => (
  <Empty icon="compass" title={say.value.t.noPage} text={say.value.t.noPageText}>
    <a class="button" href="/">
      {say.value.t.nav.overview}
    </a>
  </Empty>
)
