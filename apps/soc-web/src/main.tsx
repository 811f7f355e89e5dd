import { render } from 'preact'
import { App } from './app.tsx'
import { say, start } from './here.ts'
import { Failed } from './parts/state.tsx'
import './style.css'

const root = document.getElementById('app')
if (root) {
  start().then(
    () => render(<App />, root),
    (error) => render(<Failed error={error} onAgain={() => location.reload()} />, root),
  )
}
document.title = say.value.t.title
