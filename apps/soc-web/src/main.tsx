import { render } from 'preact'
import { App } from './app.tsx'
import { route, say, start } from './here.ts'
import { PAGES, segmentOf } from './pages.ts'
import { Failed, Starting } from './parts/state.tsx'
import { showUnseen } from './parts/unseen.ts'
import './style.css'

showUnseen()
const root = document.getElementById('app')
if (root) {
  // The script of the page comes while the service says who is here. What fails is told when it is shown.
  PAGES.find(({ path }) => path === segmentOf(route.path.value))
    ?.load()
    .catch(() => {})
  render(<Starting />, root)
  start().then(
    () => render(<App />, root),
    (error) => render(<Failed error={error} onAgain={() => location.reload()} />, root),
  )
}
document.title = say.value.t.title
