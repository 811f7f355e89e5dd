import { drawConsole } from './screens/console.ts'
import { drawDashboard } from './screens/dashboard.ts'
import { drawPanel } from './screens/panel.ts'
import { ensureWeb } from './web.ts'

/**
 * `npm run docs:screens`: the panel of the box into docs/images, the dashboard and the console into
 * docs/screenshots. With words after `--` only the pictures of pages whose names hold them all;
 * `--png DIR` puts those elsewhere, to look at.
 */
const words = process.argv.slice(2)
const elsewhere = words.indexOf('--png')
const [, out] = elsewhere < 0 ? [] : words.splice(elsewhere, 2)
await ensureWeb()
if (words.length === 0 && !out) await drawPanel()
const wanted = out
  ? ({ out, format: 'png', words } as const)
  : ({ out: 'docs/screenshots', format: 'webp', words } as const)
await drawDashboard(wanted)
await drawConsole(wanted)
