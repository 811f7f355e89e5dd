import type { ProviderCheck, SingleSignOn as Settings } from '@manara/soc-contract/auth'
import { Empty } from '@manara/ui/parts/empty'
import { useSignal } from '@preact/signals'
import { api, attempt } from '../../here.ts'
import { Act } from '../../parts/act.tsx'
import { CopyText } from '../../parts/copy-text.tsx'
import { ReadState } from '../../parts/state.tsx'
import { useRead } from '../../parts/use-read.ts'
import { nameOfRole } from './roles.ts'
import { useWords } from './words.ts'

export function SingleSignOn() {
  const { w } = useWords()
  const read = useRead<Settings>('/auth/oidc')
  return (
    <div class="admin-parts">
      <ReadState read={read} rows={6}>
        {({ provider, roles, default_role }) =>
          provider ? (
            <>
              <section>
                <h2>{provider.name}</h2>
                <p class="soft">{w.sso.text}</p>
                <dl class="facts">
                  <dt>{w.sso.issuer}</dt>
                  <dd class="mono">{provider.issuer}</dd>
                  <dt>{w.sso.client}</dt>
                  <dd>
                    <span class="mono">{provider.client_id}</span>{' '}
                    <span class="soft">
                      {provider.has_secret ? w.sso.withSecret : w.sso.withoutSecret}
                    </span>
                  </dd>
                  <dt>{w.sso.scopes}</dt>
                  <dd class="mono">{provider.scopes.join(' ')}</dd>
                  <dt>{w.sso.secondFactor}</dt>
                  <dd>{w.sso.secondFactors[provider.second_factor]}</dd>
                </dl>
                <h3>{w.sso.register}</h3>
                <CopyText text={provider.redirect_url} label={w.sso.redirect} />
                <CopyText text={provider.signed_out_url} label={w.sso.signedOut} />
                <Check />
              </section>
              <Mapping claim={provider.groups_claim} roles={roles} fallback={default_role} />
            </>
          ) : (
            <Empty icon="key" title={w.sso.none} text={w.sso.noneText}>
              <CopyText text={EXAMPLE} />
            </Empty>
          )
        }
      </ReadState>
    </div>
  )
}

const EXAMPLE = [
  `SOC_PUBLIC_URL=${location.origin}`,
  'SOC_OIDC_ISSUER=https://id.example/realms/staff',
  'SOC_OIDC_CLIENT_ID=manara-soc',
  'SOC_OIDC_CLIENT_SECRET=…',
  'SOC_OIDC_ROLES=soc-admins=admin, soc=analyst',
].join('\n')

function Mapping(props: {
  claim: string
  roles: Settings['roles']
  fallback: Settings['default_role']
}) {
  const { w, fill } = useWords()
  return (
    <section>
      <h2>{w.sso.roles}</h2>
      <p class="soft">{fill(w.sso.rolesText, { claim: props.claim })}</p>
      <table class="table" aria-label={w.sso.roles}>
        <thead>
          <tr>
            <th scope="col">{w.sso.group}</th>
            <th scope="col">{w.columns.role}</th>
          </tr>
        </thead>
        <tbody>
          {props.roles.map(({ group, role }) => (
            <tr key={group}>
              <td class="mono">{group}</td>
              <td>{nameOfRole(role)}</td>
            </tr>
          ))}
          <tr>
            <td class="soft">{w.sso.otherGroups}</td>
            <td>{props.fallback ? nameOfRole(props.fallback) : w.sso.notAtAll}</td>
          </tr>
        </tbody>
      </table>
    </section>
  )
}

const MARKS = { ok: 'good', warning: 'soft', failed: 'bad' }

function Check() {
  const { w } = useWords()
  const verdict = useSignal<ProviderCheck | null>(null)
  const isAsking = useSignal(false)
  const ask = async () => {
    isAsking.value = true
    await attempt(async () => {
      verdict.value = await api.post<ProviderCheck>('/auth/oidc/check')
    })
    isAsking.value = false
  }
  return (
    <>
      <div class="acts">
        <Act disabled={isAsking.value} onClick={() => ask()}>
          {w.sso.check}
        </Act>
        <a class="act" href="/api/v1/auth/oidc/start?return_to=/admin/single-sign-on">
          {w.sso.try}
        </a>
      </div>
      {verdict.value && (
        <div role="status">
          <b class={verdict.value.is_ok ? 'good' : 'bad'}>
            {verdict.value.is_ok ? w.sso.fits : w.sso.doesNotFit}
          </b>
          <dl class="facts">
            {verdict.value.steps.map(({ step, result, detail }) => [
              <dt key={step}>{w.sso.steps[step]}</dt>,
              <dd key={`${step} detail`}>
                <b class={MARKS[result]}>{w.sso.results[result]}</b>{' '}
                <span class="soft">{detail}</span>
              </dd>,
            ])}
          </dl>
        </div>
      )}
    </>
  )
}
