import type { Bundled } from '@manara/kit/bundle'
import { build } from 'esbuild'
import { keepBuiltins } from './keep-builtins.ts'
import { keepPlaces, modulesByPlace } from './keep-places.ts'

/** Node's own require, for packages that are written in the older way. */
const REQUIRE =
  "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url),__here=import.meta.dirname;"

/** Native code, and what only a channel layout needs that no recitation has: from node_modules. */
const LEFT_OUTSIDE = {
  player: ['@napi-rs/canvas', '@wasm-audio-decoders/opus-ml'],
  soc: ['@duckdb/node-bindings', '@node-rs/argon2'],
}

/**
 * Writes a server and its worker threads into the folder. Names stay as they are, so that a stack
 * trace and a logged error say the same as those of the sources.
 */
export async function bundleServer(service: Bundled, out: string): Promise<void> {
  await build({
    entryPoints: [`apps/${service}/src/main.ts`, ...modulesByPlace(service)],
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
    external: LEFT_OUTSIDE[service],
    banner: { js: REQUIRE },
    plugins: [keepPlaces(service), keepBuiltins()],
  })
}
