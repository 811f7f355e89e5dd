import { route } from '../../here.ts'
import { CaseList } from './case-list.tsx'
import { CasePage } from './case-page.tsx'
import './cases.css'

export function Page() {
  const [, , id] = route.path.value.split('/')
  return id ? <CasePage key={id} id={id} /> : <CaseList />
}
