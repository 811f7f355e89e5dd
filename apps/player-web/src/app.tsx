import { LoadedPage } from '@manara/ui/parts/loaded-page'
import { Notices } from '@manara/ui/parts/notices'
import { useEffect } from 'preact/hooks'
import { isStale, notices, route, say } from './here.ts'
import { NowPlaying } from './pages/now/now-playing.tsx'
import { Today } from './pages/today/today.tsx'
import { PAGES } from './pages.ts'
import { Bar, LinkNote, Strip } from './parts/frame.tsx'
import { MiniPlayer } from './parts/mini-player.tsx'
import { PageGhost } from './parts/page-ghost.tsx'
import { Tabs } from './parts/tabs.tsx'
import { TokenSheet } from './parts/token-sheet.tsx'

const firstSegment = () => route.path.value.split('/')[1] ?? ''

export function App() {
  const { t } = say.value
  const page = firstSegment()
  useEffect(() => {
    document.addEventListener('click', route.follow)
    return () => document.removeEventListener('click', route.follow)
  }, [])
  return (
    <div class="frame" data-page={page || 'now'} data-stale={isStale.value}>
      <a class="skip" href="#main">
        {t.skipToContent}
      </a>
      <header class="head">
        <Bar />
        <Strip />
      </header>
      <LinkNote />
      <div class="columns">
        <section class="column-now" aria-label={t.tabs.now}>
          <NowPlaying />
        </section>
        <main id="main" tabIndex={-1} class="column-page">
          {page === '' ? <Today /> : <PageOf key={page} name={page} />}
        </main>
      </div>
      <MiniPlayer />
      <Tabs />
      <Notices notices={notices.list.value} closeLabel={t.close} onClose={notices.close} />
      <TokenSheet />
    </div>
  )
}

function PageOf({ name }: { name: string }) {
  const { t } = say.value
  const load = PAGES[name]
  useEffect(() => {
    if (!load) route.go('/', 'replace')
  }, [load])
  if (!load) return null
  return (
    <LoadedPage
      at={route.path.value}
      load={load}
      shape={<PageGhost />}
      failed={<Stopped why={t.errors.unreachable} />}
      broken={<Stopped why={t.errors.broken} />}
    />
  )
}

const Stopped = ({ why }: { why: string }) => (
  <div class="page">
    <p role="alert">{why}</p>
    <button type="button" class="button" onClick={() => location.reload()}>
      {say.value.t.again}
    </button>
  </div>
)
