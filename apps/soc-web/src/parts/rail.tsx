import { Mark } from '@manara/ui/parts/icon'
import { dock, doorApi, isWaiting, live, say, session, tabMemory, unsent } from '../here.ts'
import type { PageEntry } from '../pages.ts'
import { forgetChat } from '../stores/chat.ts'
import { Icon } from './icon.tsx'
import { useCurrentInView } from './use-current-in-view.ts'

/** The pages by name, who is signed in, and whether what is shown is live. */
export function Rail({ pages, current }: { pages: PageEntry[]; current: string }) {
  const { t, fill } = say.value
  const me = session.me.value
  return (
    <nav class="rail" aria-label={t.pages} ref={useCurrentInView(current)}>
      <a class="rail-mark" href="/" aria-label={t.nav.overview}>
        <Mark />
      </a>
      <ul>
        {pages.map(({ path, name, icon, key }) => (
          <li key={name}>
            <a
              href={`/${path}`}
              aria-current={path === current ? 'page' : undefined}
              title={`${t.nav[name]} (g ${key})`}
            >
              <Icon name={icon} />
              <span>{t.nav[name]}</span>
            </a>
          </li>
        ))}
      </ul>
      <button
        type="button"
        class="rail-chat"
        aria-pressed={dock.isOpen.value}
        aria-keyshortcuts="Control+J Meta+J"
        title={`${t.chat} (Ctrl J)`}
        onClick={dock.toggle}
      >
        <Icon name="chat" />
        <span>{t.chat}</span>
      </button>
      <p class="link-state" data-state={live.status.value} role="status">
        {live.status.value === 'live' && isWaiting.value ? t.waits : t.link[live.status.value]}
      </p>
      {me && (
        <details
          class="account"
          onFocusOut={({ currentTarget, relatedTarget }) => {
            if (!currentTarget.contains(relatedTarget as Node | null)) currentTarget.open = false
          }}
        >
          <summary title={me.username}>
            <span aria-hidden="true">{me.username.slice(0, 2)}</span>
            <b class="hidden">{t.account}</b>
          </summary>
          {/* In focus itself, with whatever in it takes none: in Safari no button does by a click. */}
          <div tabIndex={-1}>
            <p>{fill(t.signedInAs, { name: me.full_name ?? me.username, role: me.role })}</p>
            <a href="/sign-in/?account" target="_self">
              {t.account}
            </a>
            <a href="/api/v1/docs">{t.apiDocs}</a>
            <button type="button" onClick={() => void signOut()}>
              {t.signOut}
            </button>
          </div>
        </details>
      )}
    </nav>
  )
}

/** Who came from the identity provider is signed out there as well. */
async function signOut() {
  forgetChat(tabMemory)
  unsent.forget()
  // Nothing is asked any more that would bring the question who it is.
  live.stop()
  const reply = await doorApi
    .post<{ provider_sign_out_url?: string }>('/auth/logout')
    .catch(() => undefined)
  location.assign(reply?.provider_sign_out_url ?? '/sign-in/')
}
