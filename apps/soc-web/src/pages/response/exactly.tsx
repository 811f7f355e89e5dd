import type { Approval } from '@manara/soc-contract/approvals'
import { AsText, recordsOf, Value, Values, WhatIsDone } from '../../parts/what-is-done.tsx'
import { ActionName } from './action-name.tsx'
import { Steps } from './steps.tsx'
import { useWords } from './words.ts'

/** All that an approval stands for: the parameters, whom it reaches, each step, and its hash. */
export function Exactly({ approval }: { approval: Approval }) {
  const { w, t, count, number } = useWords()
  return (
    <section class="exactly">
      <h3>{w.exactly}</h3>
      {approval.kind === 'playbook' && <With approval={approval} />}
      {approval.targets.length > 0 && (
        <>
          <h4>
            {w.targets}{' '}
            <small>{number(approval.targets.flatMap(({ target }) => target).length)}</small>
          </h4>
          <ul>
            {approval.targets.map(({ step, action, target, seen }) => (
              <li key={`${step} ${target}`}>
                <ActionName of={action} /> →{' '}
                {!seen?.length && <b class="mono">{[target].flat().join(', ') || t.none}</b>}
                {seen?.toSorted(byHarm).map(({ value, hosts, days }) => (
                  <p class="soft" key={value}>
                    <b class="mono">{value}</b>{' '}
                    {hosts === null
                      ? w.unseen
                      : `${count(w.onHosts, hosts)} ${count(w.onDays, days ?? 0)}`}
                  </p>
                ))}
              </li>
            ))}
          </ul>
        </>
      )}
      {approval.steps.length > 0 && (
        <>
          <h4>{w.steps}</h4>
          <Steps of={approval.steps} />
          <AsText of={{ steps: approval.steps }} />
        </>
      )}
      {approval.changes.length > 0 && (
        <>
          <h4>{w.changes}</h4>
          <table class="table">
            <thead>
              <tr>
                <th scope="col" />
                <th scope="col">{w.before}</th>
                <th scope="col">{w.after}</th>
              </tr>
            </thead>
            <tbody>
              {approval.changes.map(({ path, before, after }) => (
                <tr key={path}>
                  <td class="mono">{path}</td>
                  <td>
                    <Value name={path} value={before} />
                  </td>
                  <td>
                    <Value name={path} value={after} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </>
      )}
      {approval.steps.length === 0 && Object.keys(approval.parameters).length > 0 && (
        <WhatIsDone told={approval.parameters} />
      )}
      <p class="soft">
        {w.fingerprint} <code>{approval.sha256.slice(0, 24)}…</code>
      </p>
    </section>
  )
}

/** What many have, and of what nobody knows how many, comes first: among hundreds it would be missed. */
const byHarm = (one: { hosts: number | null }, other: { hosts: number | null }) =>
  (other.hosts ?? Infinity) - (one.hosts ?? Infinity) || 0

/** What it was asked for with, and for which alert or case. */
function With({ approval }: { approval: Approval }) {
  const { w } = useWords()
  const all = { ...approval.parameters, ...recordsOf(approval) }
  if (Object.keys(all).length === 0) return null
  return (
    <>
      <h4>{w.parameters}</h4>
      <Values of={all} />
    </>
  )
}
