import { Notices } from '@manara/ui/parts/notices'
import { useSignal, useSignalEffect } from '@preact/signals'
import type { ComponentType } from 'preact'
import { useEffect } from 'preact/hooks'
import { isStale, notices, route, say } from './here.ts'
import { NowPlaying } from './pages/now/now-playing.tsx'
import { Today } from './pages/today/today.tsx'
import { PAGES } from './pages.ts'
import { Bar, LinkNote, Strip } from './parts/frame.tsx'
import { MiniPlayer } from './parts/mini-player.tsx'
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
          {page === '' ? <Today /> : <LoadedPage key={page} name={page} />}
        </main>
      </div>
      <MiniPlayer />
      <Tabs />
      <Notices notices={notices.list.value} closeLabel={t.close} onClose={notices.close} />
      <TokenSheet />
    </div>
  )
}

/** A page that comes with its own script. */
function LoadedPage({ name }: { name: string }) {
  const { t } = say.value
  const Loaded = useSignal<ComponentType | null>(null)
  const isFailed = useSignal(false)
  useSignalEffect(() => {
    const load = PAGES[name]
    if (!load) return route.go('/', 'replace')
    load().then(
      ({ Page }) => {
        Loaded.value = Page
      },
      () => {
        // A tab that outlived an update asks for parts that are gone: once, it begins anew.
        if (isFirstReload()) location.reload()
        else isFailed.value = true
      },
    )
  })
  if (isFailed.value) {
    return (
      <div class="page">
        <p role="alert">{t.errors.unreachable}</p>
        <button type="button" class="button" onClick={() => location.reload()}>
          {t.again}
        </button>
      </div>
    )
  }
  const Page = Loaded.value
  return Page ? <Page /> : <div class="page ghost page-ghost" aria-busy="true" />
}

function isFirstReload(): boolean {
  try {
    const isFirst = Date.now() - Number(sessionStorage.getItem('reloaded') ?? 0) > 60_000
    if (isFirst) sessionStorage.setItem('reloaded', String(Date.now()))
    return isFirst
  } catch {
    return false
  }
}
