import { isBuiltin } from 'node:module'
import type { Plugin } from 'esbuild'

/** Required by packages for a way of working that neither server uses. */
const NOT_USED = /^(node:)?http2$/

/**
 * Node's own modules are taken as `require` takes them. An `import` of `node:http` reads all that it
 * exports, among them a WebSocket client, and brings fetch and HTTP/2 with it: 14 MB.
 */
export const keepBuiltins = (): Plugin => ({
  name: 'builtins',
  setup(build) {
    build.onResolve({ filter: /^(node:)?[a-z]\w*(\/\w+)*$/ }, ({ path, kind }) => {
      if (kind === 'require-call') return NOT_USED.test(path) ? { path, namespace: 'late' } : null
      return isBuiltin(path) ? { path, namespace: 'builtin' } : null
    })

    build.onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path }) => ({
      contents: `const all=process.getBuiltinModule('${path}');export default all;export const {${namesOf(path)}}=all`,
    }))

    // Loaded when something of it is used.
    build.onLoad({ filter: /.*/, namespace: 'late' }, ({ path }) => ({
      contents: `module.exports=new Proxy({},{get:(_,name)=>process.getBuiltinModule('${path}')[name]})`,
    }))

    build.onLoad({ filter: /\/zod\/v4\/locales\/index\.js$/ }, () => ({
      contents: "export { default as en } from './en.js'",
    }))
  },
})

/** Getters that are small. Others may be large: the code asks for them on the default export. */
const SMALL_GETTERS = new Set(['AsyncLocalStorage', 'BlockList', 'SocketAddress'])

function namesOf(module: string): string[] {
  const described = Object.getOwnPropertyDescriptors(process.getBuiltinModule(module))
  return Object.entries(described)
    .filter(([name, { get }]) => get === undefined || SMALL_GETTERS.has(name))
    .map(([name]) => name)
}
