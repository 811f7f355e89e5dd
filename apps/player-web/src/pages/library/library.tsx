import { route } from '../../here.ts'
import { ReciterPage } from './reciter.tsx'
import { Reciters } from './reciters.tsx'

/** `/library`, and `/library/<reciter>`. */
export function Page() {
  const [, , encoded] = route.path.value.split('/')
  return encoded ? <ReciterPage key={encoded} name={decodeURIComponent(encoded)} /> : <Reciters />
}
