import type { Coverage } from '@manara/soc-contract/detection-content'
import { type Kysely, sql } from 'kysely'
import type { Principal } from '../../../core/identity/principal.ts'
import { sharedWith } from '../../../core/identity/sharing.ts'
import type { Tables } from '../../../db/tables.ts'
import { ATTACK_VERSION, allTechniques, TACTICS, techniqueOf } from '../domain/mitre/techniques.ts'

type Row = { technique: string; rules: number; enabled_rules: number; rule_ids: string[] }

export type CoverageDeps = {
  db: Kysely<Tables>
  alertsByTechnique(): Promise<Map<string, number>>
}

/** What the rules look for and what was found, by the techniques of ATT&CK. */
export async function readCoverage(
  { db, alertsByTechnique }: CoverageDeps,
  principal: Principal,
): Promise<Coverage> {
  const [rules, alerts] = await Promise.all([rulesByTechnique(db, principal), alertsByTechnique()])
  const byId = new Map(rules.map((row) => [row.technique, row]))
  const ids = [...new Set([...byId.keys(), ...alerts.keys()])].sort()
  const techniques = ids.flatMap((id) => {
    const technique = techniqueOf(id)
    if (!technique) return []
    const { rules = 0, enabled_rules = 0, rule_ids = [] } = byId.get(id) ?? {}
    return [{ ...technique, rules, enabled_rules, rule_ids, alerts_30d: alerts.get(id) ?? 0 }]
  })
  return { attack_version: ATTACK_VERSION, tactics: tacticsOf(techniques), techniques }
}

async function rulesByTechnique(db: Kysely<Tables>, principal: Principal): Promise<Row[]> {
  const { rows } = await sql<Row>`
    SELECT technique, count(*)::integer AS rules,
      (count(*) FILTER (WHERE enabled))::integer AS enabled_rules,
      (array_agg(id::text ORDER BY enabled DESC, id))[1:50] AS rule_ids
    FROM detection_rules, unnest(mitre_techniques) AS technique
    WHERE ${sharedWith(principal)}
    GROUP BY technique`.execute(db)
  return rows
}

/** A technique is covered when a rule for it, or for one of its sub-techniques, is on. */
function tacticsOf(techniques: Coverage['techniques']): Coverage['tactics'] {
  const known = allTechniques().filter((technique) => isWhole(technique.id))
  const covered = new Set(
    techniques
      .filter((one) => one.enabled_rules > 0)
      .map(({ id, replaced_by }) => wholeOf(replaced_by ?? id)),
  )
  return Object.entries(TACTICS).map(([id, name = id]) => {
    const inTactic = ({ tactics }: { tactics: string[] }) => tactics.includes(id)
    const whole = known.filter(inTactic)
    return {
      id,
      name,
      techniques: whole.length,
      covered_techniques: whole.filter((one) => covered.has(one.id)).length,
      alerts_30d: techniques.filter(inTactic).reduce((sum, one) => sum + one.alerts_30d, 0),
    }
  })
}

const isWhole = (id: string) => !id.includes('.')
const wholeOf = (id: string) => id.split('.', 1)[0] ?? id
