/** A site on loopback: a bundled page, msw's service worker, and nothing else. */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { build } from 'esbuild'

const workerScript = createRequire(import.meta.url).resolve('msw/mockServiceWorker.js')
/** The root of the package, whose own name resolves to its exports. */
const root = join(import.meta.dirname, '../..')
const html = '<!doctype html><link rel="icon" href="data:,"><script type="module" src="/main.js"></script>'

/**
 * Bundles code as an app's bundler would: this package by its name is what its exports say, and anything of Node in
 * what is reached makes it fail. Returns each file's text by its path; `/main.js` loads the others when it needs them.
 */
export async function bundle(code: string, options: { external?: string[] } = {}): Promise<Map<string, string>> {
  const { outputFiles } = await build({
    stdin: { contents: code, resolveDir: root, loader: 'ts' },
    entryNames: 'main',
    outdir: '/',
    bundle: true,
    splitting: true,
    minify: true,
    platform: 'browser',
    format: 'esm',
    target: 'es2023',
    write: false,
    logLevel: 'silent',
    ...options,
  })
  return new Map(outputFiles.map(({ path, text }) => [path, text]))
}

/** Serves the files, and at `/` a page that runs `/main.js`. */
export async function serveSite(files: ReadonlyMap<string, string>) {
  const texts = new Map([...files, ['/', html], ['/mockServiceWorker.js', readFileSync(workerScript, 'utf8')]])
  const server = createServer(({ url = '/' }, response) => {
    const type = url.endsWith('.js') ? 'text/javascript' : 'text/html'
    response.writeHead(texts.has(url) ? 200 : 404, { 'content-type': `${type}; charset=utf-8` })
    response.end(texts.get(url))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, close: () => server.close() }
}
