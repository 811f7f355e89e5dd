import { route } from '../../../here.ts'
import { ParserList } from './parser-list.tsx'
import { ParserPage } from './parser-page.tsx'
import './parsers.css'

/** What reads events: the list, and one parser of one's own at work. */
export function Parsers() {
  const [, , , id] = route.path.value.split('/')
  return id ? <ParserPage id={id} key={id} /> : <ParserList />
}
