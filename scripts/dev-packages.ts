import { existsSync } from 'node:fs'

/** Where NODE_ENV is production, `npm ci` leaves out what tests and checks are made with. */
export function needDevPackages() {
  if (existsSync('node_modules/fast-check') && existsSync('node_modules/@biomejs/biome')) return
  process.stderr.write(
    'packages for development are missing (with NODE_ENV=production npm leaves them out): npm ci --include=dev\n',
  )
  process.exit(1)
}
