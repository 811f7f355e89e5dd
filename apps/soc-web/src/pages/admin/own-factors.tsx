import type { SecondFactors } from '@manara/soc-contract/auth'
import { useIsHere } from '@manara/ui/use-is-here'
import { useSignal } from '@preact/signals'
import { api, attempt, notices, reads, route, unsent } from '../../here.ts'
import { Act } from '../../parts/act.tsx'
import { hasPasskeys, makePasskey } from '../../parts/passkeys.ts'
import { ReadState } from '../../parts/state.tsx'
import { useRead } from '../../parts/use-read.ts'
import { Age } from '../../parts/when.tsx'
import { AddApp, type AppBegun } from './add-app.tsx'
import { type SignInWays, useProof } from './proof.tsx'
import { madeCodes, RecoveryCodes } from './recovery-codes.tsx'
import { useWords } from './words.ts'

const PATH = '/auth/second-factors'
type Added = { recovery_codes: string[] | null }

export function OwnFactors() {
  const { w, t, count } = useWords()
  const read = useRead<SecondFactors>(PATH)
  const ways = useRead<SignInWays>('/auth/ways').data
  const { withProof, proof } = useProof()
  const begun = useSignal<AppBegun | null>(null)
  const isHere = useIsHere()

  /** What may answer with recovery codes, once: who went elsewhere meanwhile is told where they are. */
  async function adding(post: () => Promise<Added>): Promise<Added> {
    unsent.keepDraft('second factor', true)
    try {
      const added = await post()
      if (added.recovery_codes) {
        madeCodes().value = added.recovery_codes.join('\n')
        const show = { label: t.show, run: () => route.go('/admin/second-factor') }
        if (!isHere()) notices.done(w.factor.codesMade, show)
      }
      await reads.renew(PATH)
      return added
    } finally {
      unsent.keepDraft('second factor', undefined)
    }
  }
  const addApp = () =>
    attempt(async () => {
      begun.value = (await withProof(() => api.post<AppBegun>(`${PATH}/totp`))) ?? null
    })
  const addPasskey = () =>
    attempt(async () => {
      const options = await withProof(() =>
        api.post<Parameters<typeof makePasskey>[0]>(`${PATH}/passkeys/options`),
      )
      if (!options) return
      const made = await makePasskey(options).catch(() => null)
      if (!made) return void notices.problem(w.factor.noPasskey)
      const name = `${navigator.platform || w.factor.passkey}, ${new Date().toLocaleDateString()}`
      await adding(() => api.post<Added>(`${PATH}/passkeys`, { ...made, name }))
    })
  const remove = (path: string) =>
    attempt(async () => {
      if (await withProof(() => api.remove(PATH + path))) await reads.renew(PATH)
    })
  const newCodes = () =>
    attempt(() => withProof(() => adding(() => api.post<Added>(`${PATH}/recovery-codes`))))

  return (
    <section>
      <h2>{w.factor.own}</h2>
      <ReadState read={read} rows={2}>
        {({ totp, passkeys, recovery_codes_left, is_required }) => {
          const hasAny = totp !== null || passkeys.length > 0
          return (
            <>
              {!hasAny && (
                <p class={is_required ? 'note' : 'soft'}>
                  {is_required ? w.factor.needed : w.factor.none}
                </p>
              )}
              <ul class="factor-list">
                {totp && (
                  <li>
                    <b>{w.factor.app}</b>
                    <span class="soft">
                      {w.factor.since} <Age at={totp.created_at} />
                    </span>
                    <Act look="plain" onClick={() => remove('/totp')}>
                      {w.factor.remove}
                    </Act>
                  </li>
                )}
                {passkeys.map(({ id, name, last_used_at }) => (
                  <li key={id}>
                    <b>
                      {w.factor.passkey}: {name}
                    </b>
                    <span class="soft">
                      {last_used_at ? (
                        <>
                          {w.factor.used} <Age at={last_used_at} />
                        </>
                      ) : (
                        w.factor.unused
                      )}
                    </span>
                    <Act look="plain" onClick={() => remove(`/passkeys/${encodeURIComponent(id)}`)}>
                      {w.factor.remove}
                    </Act>
                  </li>
                ))}
                {hasAny && (
                  <li>
                    <b>{w.factor.codes}</b>
                    <span class={recovery_codes_left < 3 ? 'bad' : 'soft'}>
                      {count(w.factor.codesLeft, recovery_codes_left)}
                    </span>
                    <Act look="plain" onClick={() => newCodes()}>
                      {w.factor.newCodes}
                    </Act>
                  </li>
                )}
              </ul>
              <div class="acts">
                {!totp && (
                  <Act look={hasAny ? 'line' : 'main'} onClick={() => addApp()}>
                    {w.factor.addApp}
                  </Act>
                )}
                {ways?.passkey && hasPasskeys() && (
                  <Act onClick={() => addPasskey()}>{w.factor.addPasskey}</Act>
                )}
              </div>
            </>
          )
        }}
      </ReadState>
      {proof}
      {begun.value && (
        <AddApp
          begun={begun.value}
          onClose={() => {
            begun.value = null
          }}
          onConfirm={(proof) =>
            attempt(() => adding(() => api.post<Added>(`${PATH}/totp/confirm`, proof)))
          }
        />
      )}
      {madeCodes().value && <RecoveryCodes />}
    </section>
  )
}
