import { createHash, createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { isBundleCurrent } from '@manara/kit/bundle'
import { digestOfEntries } from '@manara/kit/tree-digest'
import { VERSION } from '@manara/player-contract/firmware'
import manifest from '../apps/player/package.json' with { type: 'json' }
import { playerFiles } from './firmware/player-files.ts'
import { type ImageFile, writeImage } from './firmware/write-image.ts'
import { buildServer } from './server.ts'
import { ensureWeb } from './web.ts'

/**
 * `npm run firmware:build -- --key FILE --out FILE` packs the player of this checkout into a signed
 * image; `--new-key --key FILE` makes the key pair first (`FILE` and `FILE.pub`).
 */
const USAGE = `usage: firmware:build --key FILE --out FILE [--version V] [--minimum V] [--add-key FILE.pub] [--with-node]
       firmware:build --new-key --key FILE
`

const { values } = parseArgs({
  options: {
    key: { type: 'string' },
    out: { type: 'string' },
    version: { type: 'string', default: manifest.version },
    minimum: { type: 'string', default: '0.0.0' },
    'add-key': { type: 'string' },
    'with-node': { type: 'boolean', default: false },
    'new-key': { type: 'boolean', default: false },
  },
})

if (values.key && values['new-key']) makeKey(values.key)
else if (values.key && values.out) await build(readKey(values.key), values.out)
else refuse(USAGE)

function makeKey(file: string) {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  // wx: a key that is overwritten is a fleet that cannot be updated.
  writeFileSync(file, privateKey.export({ type: 'pkcs8', format: 'pem' }), {
    mode: 0o600,
    flag: 'wx',
  })
  writeFileSync(`${file}.pub`, publicKey.export({ type: 'spki', format: 'pem' }))
  process.stdout.write(`${file} signs images: keep it off every box\n`)
  process.stdout.write(`${file}.pub goes to the boxes, into PLAYER_OTA_KEYS\n`)
}

async function build(key: KeyObject, out: string) {
  const { version, minimum } = values
  for (const one of [version, minimum]) {
    if (!VERSION.test(one)) refuse(`${one} is not a version such as 1.4.0\n`)
  }
  await ensureWeb(['player-web'])
  if (!isBundleCurrent('player', '.')) await buildServer('player')
  const files = playerFiles(version, values['with-node'])
  const image = await writeImage(out, files, key, {
    version,
    minimum_version: minimum,
    platform: `${process.platform}-${process.arch}`,
    ...(values['add-key'] && { adds_key: publicBase64(values['add-key']) }),
  })
  process.stdout.write(
    `${out}: version ${version} for ${image.platform}, ${files.length} files, ${(image.size / 2 ** 20).toFixed(1)} MiB\n`,
  )
  process.stdout.write(`sha256 that boxes attest: ${attested(files)}\n`)
}

/** The same as a box measures of its slot (features/soc/measure-version.ts). */
function attested(files: ImageFile[]): string {
  const measured = files.filter(({ path }) => /^(apps|packages|node_modules)\//.test(path))
  return digestOfEntries(
    measured.map((file) => ({
      path: file.path,
      kind: file.type,
      sha256: createHash('sha256')
        .update(file.type === 'link' ? file.target : file.content())
        .digest('hex'),
    })),
  )
}

function readKey(file: string): KeyObject {
  const key = createPrivateKey(readFileSync(file))
  if (key.asymmetricKeyType !== 'ed25519') refuse(`${file} is not an Ed25519 key\n`)
  return key
}

const publicBase64 = (file: string) => readFileSync(file, 'utf8').replace(/-----[^-]+-----|\s/g, '')

function refuse(why: string): never {
  process.stderr.write(why)
  process.exit(1)
}
