/** What keeps a version from being released: version, changelog, package, image, provenance and the promise on seeded output. */

import { versionsIn } from './versions.ts'

/** What is checked, as read from the repository. */
export interface ReleaseFacts {
  readonly manifest: Manifest
  /** The version in package-lock.json. */
  readonly lockedVersion: string
  /** The texts of the other files that name the version, by path. */
  readonly versioned: Readonly<Record<string, string>>
  readonly changelog: string
  readonly dockerfile: string
  /** The paths in the package as npm would pack it, and its unpacked size in bytes. */
  readonly packed: { readonly paths: readonly string[]; readonly bytes: number }
  /** A digest of the answers to the calls of the contract. */
  readonly digest: string
  /** The same at the last release; undefined before the first one. */
  readonly released: { readonly version: string; readonly digest: string } | undefined
}

interface Manifest {
  readonly name: string
  readonly version: string
  readonly license?: string
  readonly repository?: unknown
  readonly publishConfig?: { readonly access?: string; readonly provenance?: boolean }
}

const MAX_PACKAGE_BYTES = 16_000_000
const REQUIRED_PATHS = [
  'LICENSE',
  'README.md',
  'CHANGELOG.md',
  'dist/index.js',
  'dist/index.d.ts',
  'dist/cli/main.js',
  'dist/LICENSES.txt',
  'scenario.schema.json',
]
const FORBIDDEN_PATH = /(?:^|\/)(?:src|test|scripts|node_modules)\/|\.map$|\.log$|\.env|tsbuildinfo/
const LABELS = ['title', 'description', 'licenses', 'version', 'revision']

/** One sentence for each problem; none when the version can be released. `Decide` marks what only a maintainer knows. */
export const findReleaseProblems = (facts: ReleaseFacts): string[] => [
  ...findVersionProblems(facts),
  ...findPackageProblems(facts),
  ...findImageProblems(facts.dockerfile),
  ...findProvenanceProblems(facts.manifest),
  ...findSeededProblems(facts),
]

function findVersionProblems(facts: ReleaseFacts): string[] {
  const { manifest, lockedVersion, versioned, changelog, released } = facts
  const { version } = manifest
  const problems: string[] = []
  if (!/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version))
    problems.push(`package.json: expected a version such as 1.2.3, got '${version}'.`)
  if (lockedVersion !== version) problems.push(`package-lock.json: expected version ${version}, got ${lockedVersion}.`)
  for (const [path, text] of Object.entries(versioned)) {
    const found = versionsIn(text).join(', ')
    if (found !== version)
      problems.push(`${path}: expected version ${version}, got ${found || 'none'}. Run npm run version.`)
  }
  if (released?.version === version)
    problems.push(`package.json: ${version} is released already. Choose the next version.`)
  const entry = entryOf(changelog, version)
  if (entry === undefined) problems.push(`CHANGELOG.md: expected a heading '## [${version}] - <date>', got none.`)
  else if (!/^## \[[^\]]+\] - \d{4}-\d\d-\d\d\n/.test(entry))
    problems.push(`Decide the date of ${version}: its heading in CHANGELOG.md has none.`)
  if (/^[-*] /m.test(entryOf(changelog, 'Unreleased') ?? '')) {
    problems.push(
      `Decide the version of the entries below 'Unreleased' in CHANGELOG.md, and move them there: package.json has ${version}.`,
    )
  }
  return problems
}

/** The part of the changelog on a version, with its heading. */
function entryOf(changelog: string, version: string): string | undefined {
  return changelog.split(/^(?=## )/m).find((part) => part.startsWith(`## [${version}]`))
}

function findPackageProblems({ packed: { paths, bytes } }: ReleaseFacts): string[] {
  const missing = REQUIRED_PATHS.filter((path) => !paths.includes(path))
  const unwanted = paths.filter((path) => FORBIDDEN_PATH.test(path))
  return [
    ...missing.map((path) => `The package has no ${path}. Run npm run build.`),
    ...unwanted.map((path) => `The package has ${path}, which users do not need.`),
    ...(bytes > MAX_PACKAGE_BYTES
      ? [`The package has ${bytes} bytes unpacked: expected at most ${MAX_PACKAGE_BYTES}.`]
      : []),
  ]
}

function findImageProblems(dockerfile: string): string[] {
  const missing = LABELS.filter((label) => !dockerfile.includes(`org.opencontainers.image.${label}=`))
  const steps = ['USER', 'HEALTHCHECK', 'ENTRYPOINT'].filter((step) => !new RegExp(`^${step} `, 'm').test(dockerfile))
  return [
    ...missing.map((label) => `Dockerfile: the label org.opencontainers.image.${label} is missing.`),
    ...steps.map((step) => `Dockerfile: ${step} is missing.`),
  ]
}

/** @see https://docs.npmjs.com/generating-provenance-statements */
function findProvenanceProblems({ publishConfig, repository, license }: Manifest): string[] {
  return [
    ...(publishConfig?.provenance === true ? [] : ['package.json: publishConfig.provenance is not true.']),
    ...(publishConfig?.access === 'public' ? [] : ["package.json: publishConfig.access is not 'public'."]),
    ...(repository === undefined
      ? [
          'Decide where the public repository is: package.json has no repository, which npm needs for provenance. Set it with: npm pkg set repository=github:<owner>/<name>',
        ]
      : []),
    ...(license === undefined ? ['package.json: license is missing.'] : []),
  ]
}

/** Seeded output may change only with a major version (before 1.0: a minor one) and a section of the changelog. */
function findSeededProblems({ manifest: { version }, changelog, digest, released }: ReleaseFacts): string[] {
  if (released === undefined || released.digest === digest) return []
  const problems: string[] = []
  const [major, minor] = version.split('.')
  const [oldMajor, oldMinor] = released.version.split('.')
  const isAllowed = major !== oldMajor || (major === '0' && minor !== oldMinor)
  if (!isAllowed) {
    problems.push(
      `Seeded output differs from that of ${released.version}: expected a new ${major === '0' ? 'minor' : 'major'} version, got ${version}.`,
    )
  }
  if (!/^### Seeded output$/m.test(entryOf(changelog, version) ?? '')) {
    problems.push(
      `Seeded output differs from that of ${released.version}, but the changelog of ${version} has no section 'Seeded output'.`,
    )
  }
  return problems
}
