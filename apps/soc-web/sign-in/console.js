const api = (path, options) => fetch(`/api/v1${path}`, options)
const byId = (id) => document.getElementById(id)

const LABELS = {
  mode: 'Mode',
  read_data_source: 'Reads come from',
  is_database_available: 'Database available',
  is_mutations_allowed: 'Changes allowed',
  is_internal_workflows_allowed: 'Pipelines may record',
  is_external_actions_allowed: 'Outside actions allowed',
}

const inWords = (value) => (value === true ? 'yes' : value === false ? 'no' : value)

async function show() {
  const reply = await api('/system/mode')
  byId('sign-in').hidden = reply.ok
  byId('inside').hidden = !reply.ok
  if (!reply.ok) return
  const truth = await reply.json()
  byId('truth').replaceChildren(
    ...Object.entries(LABELS).flatMap(([field, label]) => [
      Object.assign(document.createElement('dt'), { textContent: label }),
      Object.assign(document.createElement('dd'), { textContent: inWords(truth[field]) }),
    ]),
  )
  const me = await api('/users/me').then((answer) => (answer.ok ? answer.json() : {}))
  byId('who').textContent = me.username ?? 'an unknown user'
  byId('role').textContent = me.role ?? ''
}

byId('sign-in').addEventListener('submit', async (event) => {
  event.preventDefault()
  const form = event.currentTarget
  const reply = await api('/auth/token', {
    method: 'POST',
    body: new URLSearchParams(new FormData(form)),
  })
  byId('problem').textContent = reply.ok ? '' : (await reply.json()).detail
  if (!reply.ok) return
  form.reset()
  location.replace(next())
})

/** Where somebody wanted to go: only ever a path of ours. */
function next() {
  const asked = new URLSearchParams(location.search).get('next') ?? '/'
  const url = new URL(asked, location.origin)
  return url.origin === location.origin ? url.pathname + url.search : '/'
}

byId('sign-out').addEventListener('click', async () => {
  await api('/auth/logout', { method: 'POST' })
  await show()
})

await show()
