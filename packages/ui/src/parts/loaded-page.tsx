import { useSignal, useSignalEffect } from '@preact/signals'
import type { ComponentChildren, ComponentType } from 'preact'

export type LoadPage = () => Promise<{ Page: ComponentType }>

type LoadedPageProps = {
  load: LoadPage
  /** Shown while it is on its way. */
  shape: ComponentChildren
  /** Shown when it did not come. */
  failed: ComponentChildren
}

/** A page that comes with its own script. */
export function LoadedPage({ load, shape, failed }: LoadedPageProps) {
  const Loaded = useSignal<ComponentType | null>(null)
  const isFailed = useSignal(false)
  useSignalEffect(() => {
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
  if (isFailed.value) return failed
  const Page = Loaded.value
  return Page ? <Page /> : shape
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
