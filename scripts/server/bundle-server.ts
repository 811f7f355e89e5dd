import { globSync } from 'node:fs'
import { build } from 'esbuild'
import { keepBuiltins } from './keep-builtins.ts'
import { keepPlaces } from './keep-places.ts'

/** Node's own require, for packages that are written in the older way. */
const REQUIRE =
  "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url),__here=import.meta.dirname;"

/** Native code, and what only a channel layout needs that no recitation has: from node_modules. */
const LEFT_OUTSIDE = ['@napi-rs/canvas', '@wasm-audio-decoders/opus-ml']

/**
 * Writes the player's server and its worker threads into the folder. Names stay as they are, so that a
 * stack trace and a logged error say the same as those of the sources.
 */
export async function bundleServer(out: string): Promise<void> {
  await build({
    entryPoints: ['apps/player/src/main.ts', ...globSync('apps/player/src/**/*-worker.ts')],
    outdir: out,
    entryNames: '[name]',
    chunkNames: 'part-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    minifySyntax: true,
    minifyWhitespace: true,
    // So that there are lines to name, as wide as a terminal is not.
    lineLimit: 500,
    sourcemap: 'external',
    sourcesContent: false,
    legalComments: 'none',
    logLevel: 'warning',
    external: LEFT_OUTSIDE,
    banner: { js: REQUIRE },
    plugins: [keepPlaces(), keepBuiltins()],
  })
}
