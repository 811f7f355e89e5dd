import { route } from '../../here.ts'
import { Coverage } from './coverage.tsx'
import { RuleList } from './rule-list.tsx'
import { RulePage } from './rule-page.tsx'
import './rules.css'

export function Page() {
  const [, , part] = route.path.value.split('/')
  if (!part) return <RuleList />
  return part === 'coverage' ? <Coverage /> : <RulePage key={part} id={part} />
}
