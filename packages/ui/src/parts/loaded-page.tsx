import { useSignal } from '@preact/signals'
import type { ComponentChildren, ComponentType } from 'preact'
import { useEffect, useErrorBoundary } from 'preact/hooks'

export type LoadPage = () => Promise<{ Page: ComponentType }>

type LoadedPageProps = {
  load: LoadPage
  /** Shown while it is on its way. */
  shape: ComponentChildren
  /** Shown when it did not come. */
  failed: ComponentChildren
  /** Shown when it broke: what lies beside it goes on. */
  broken?: ComponentChildren
  /** Where it is: what broke there may be whole elsewhere. */
  at?: string
}

const AGAIN_MS = 3_000

/** A page that comes with its own script; of a service that is away it comes when that is back. */
export function LoadedPage({ load, shape, failed, broken = failed, at }: LoadedPageProps) {
  const Loaded = useSignal<ComponentType | null>(null)
  const isFailed = useSignal(false)
  const [error, tryAgain] = useErrorBoundary((cause) => reportError(cause))
  useEffect(tryAgain, [at])
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let isLeft = false
    async function bring() {
      const loaded = await load().catch(() => null)
      if (isLeft) return
      if (loaded) {
        Loaded.value = loaded.Page
        return
      }
      // A tab that outlived an update asks for parts that are gone: it begins anew, once in a while.
      if ((await isAnswering()) && isFirstReload()) return location.reload()
      timer = setTimeout(() => void bring(), AGAIN_MS)
      isFailed.value = true
    }
    void bring()
    return () => {
      isLeft = true
      clearTimeout(timer)
    }
  }, [])
  const Page = Loaded.value
  if (error) return broken
  if (Page) return <Page />
  return isFailed.value ? failed : shape
}

/** Begun anew while the service is away, the tab would be the browser's word for that. */
export const isAnswering = () =>
  fetch(location.href, { headers: { accept: 'text/html' } }).then(
    ({ ok }) => ok,
    () => false,
  )

function isFirstReload(): boolean {
  try {
    const isFirst = Date.now() - Number(sessionStorage.getItem('reloaded') ?? 0) > 60_000
    if (isFirst) sessionStorage.setItem('reloaded', String(Date.now()))
    return isFirst
  } catch {
    return false
  }
}
