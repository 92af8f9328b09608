/**
 * Builds the image with buildah, and runs it as a container does: in namespaces of its own for mounts and processes, with a
 * read-only root, as the image's user, with the image's environment and nothing else. The network is this machine's.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'api-mock-image-'))
// Apart from the user's images, and copied layer by layer: that works everywhere.
const BUILDAH = ['--root', join(folder, 'root'), '--runroot', join(folder, 'run'), '--storage-driver', 'vfs']
const IMAGE = 'localhost/llm-api-mock'
export const SOURCE = 'https://git.example/llm-api-mock'

const buildah = (...args: readonly string[]): string =>
  execFileSync('buildah', [...BUILDAH, ...args], { encoding: 'utf8', cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })

/** What an image says about how it is run. */
export interface ImageConfig {
  readonly User: string
  readonly Env: readonly string[]
  readonly Entrypoint: readonly string[]
  readonly WorkingDir: string
  readonly Labels: Readonly<Record<string, string>>
  readonly ExposedPorts: Readonly<Record<string, object>>
  readonly Healthcheck: { readonly Test: readonly string[] }
}

export interface Image {
  readonly config: ImageConfig
  /** The folder with the files of the image. */
  readonly files: string
  /** The compressed size of each layer in bytes; the last one is ours. */
  readonly layers: readonly number[]
}

export function buildImage(version: string): Image {
  execFileSync(join(import.meta.dirname, 'base.sh'), ['buildah', ...BUILDAH], { stdio: ['ignore', 'pipe', 'pipe'] })
  // The format docker has health checks, which that of OCI does not.
  const values = [
    'BASE=localhost/node-base',
    'RUNTIME=localhost/node-runtime',
    `VERSION=${version}`,
    `SOURCE=${SOURCE}`,
  ]
  const args = values.flatMap((value) => ['--build-arg', value])
  buildah('build', '--isolation', 'chroot', '--format', 'docker', '--tag', IMAGE, ...args, '.')
  const { Docker } = JSON.parse(buildah('inspect', '--type', 'image', IMAGE))
  const files = buildah('mount', buildah('from', IMAGE).trim()).trim()
  const pushed = join(folder, 'pushed')
  buildah('push', '--quiet', IMAGE, `dir:${pushed}`)
  const { layers } = JSON.parse(readFileSync(join(pushed, 'manifest.json'), 'utf8')) as {
    layers: { digest: string }[]
  }
  const sizes = layers.map(({ digest }) => statSync(join(pushed, digest.replace('sha256:', ''))).size)
  return { config: Docker.config, files, layers: sizes }
}

export function removeImages(): void {
  buildah('umount', '--all')
  rmSync(folder, { recursive: true, force: true })
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>
  /** The folder that is mounted at /scenarios. */
  readonly scenarios?: string
}

/** Starts a command in a container; the entrypoint with arguments when it is not given. */
export function runContainer(
  { config, files }: Image,
  command: readonly string[],
  { env = {}, scenarios }: RunOptions = {},
): ChildProcess {
  const variables = [...config.Env, ...Object.entries(env).map(([name, value]) => `${name}=${value}`)]
  const script = [
    `mount --bind "$FILES" "$FILES"`,
    `mount -t proc proc "$FILES/proc"`,
    `mount --rbind /dev "$FILES/dev"`,
    ...(scenarios === undefined ? [] : [`mount --bind "$SCENARIOS" "$FILES${config.WorkingDir}"`]),
    `mount -o remount,bind,ro "$FILES"`,
    // All programs are of this machine: the image has no shell.
    `exec env -i "$@"`,
  ].join(' && ')
  const [user, group] = config.User.split(':') as [string, string]
  const into = ['--root', files, '--wd', config.WorkingDir, '--setgid', group, '--setuid', user]
  const inside = [...variables, '/usr/bin/unshare', ...into, ...command]
  return spawn('unshare', ['--mount', '--pid', '--fork', '--kill-child', 'sh', '-c', script, 'sh', ...inside], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, FILES: files, SCENARIOS: scenarios },
  })
}

/** The first process of a container, as this machine numbers it: what a runtime sends its signals to. */
export function firstProcess({ pid }: ChildProcess): number {
  const [child] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')
  return Number(child)
}

/** The packages in a folder node_modules. */
export const packagesIn = (modules: string): string[] =>
  readdirSync(modules).flatMap((name) =>
    name.startsWith('@') ? readdirSync(join(modules, name)).map((one) => `${name}/${one}`) : [name],
  )
