// The types of workers and of pages exclude each other; this is the little that is used of the first.
type Kept = Event & {
  request: Request
  waitUntil(work: Promise<unknown>): void
  respondWith(reply: Promise<Response>): void
}
const worker = self as unknown as {
  location: Location
  clients: { claim(): Promise<void> }
  skipWaiting(): Promise<void>
  addEventListener(name: 'install' | 'activate' | 'fetch', then: (event: Kept) => void): void
}
declare const FILES: string[]

/** Keeps the page, never what the box says: without the box the page opens and says so. */
const NAME = `manara ${FILES.join(' ')}`

const PATIENCE_MS = 4_000

worker.addEventListener('install', (event) => {
  event.waitUntil(
    caches
      .open(NAME)
      .then((cache) => cache.addAll(FILES))
      .then(() => worker.skipWaiting()),
  )
})

worker.addEventListener('activate', (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) =>
        Promise.all(names.filter((name) => name !== NAME).map((name) => caches.delete(name))),
      )
      .then(() => worker.clients.claim()),
  )
})

worker.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== worker.location.origin) return
  if (request.mode === 'navigate' && !pathname.startsWith('/api')) {
    event.respondWith(page(request))
  } else if (FILES.includes(pathname)) {
    event.respondWith(kept(pathname))
  }
})

/** The network first: an update shows at once. A line that hangs leaves a browser waiting for minutes. */
async function page(request: Request): Promise<Response> {
  const patience = new Promise<undefined>((resolve) => setTimeout(resolve, PATIENCE_MS))
  const answer = await Promise.race([fetch(request).catch(() => undefined), patience])
  return answer ?? kept('/')
}

async function kept(pathname: string): Promise<Response> {
  const cache = await caches.open(NAME)
  return (await cache.match(pathname)) ?? fetch(pathname)
}
