import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRoute } from './route.ts'

function opened() {
  const done: string[] = []
  const location = { pathname: '/alerts', origin: 'http://here', search: '?q=a' }
  const route = createRoute({
    location,
    history: { pushState: (_, __, to) => done.push(`push ${to}`), replaceState: () => {} },
    onBack: () => {},
    onChange: () => done.push('focus'),
  })
  const click = (href: string) => {
    const { origin, pathname, search, hash } = new URL(href, 'http://here/alerts?q=a')
    const link = { origin, pathname, search, hash, target: '', hasAttribute: () => false }
    const event = { button: 0, target: { closest: () => link }, preventDefault() {} }
    route.follow(event as never)
    return done
  }
  return { click }
}

test('a link to the content of the page brings the keyboard there, and is no step for Back', () => {
  assert.deepEqual(opened().click('#main'), ['focus'])
  assert.deepEqual(opened().click('?q=b#main'), ['push /alerts?q=b'])
})

test('a link to another page is followed in this tab, one to elsewhere is not', () => {
  assert.deepEqual(opened().click('/cases?q=b'), ['push /cases?q=b'])
  assert.deepEqual(opened().click('https://elsewhere/cases'), [])
  assert.deepEqual(opened().click('/api/v1/docs'), [])
})
