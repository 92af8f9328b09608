/** What keeps a version from being released, each reason by itself. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import manifest from '../../package.json' with { type: 'json' }
import { findReleaseProblems, type ReleaseFacts } from '../../scripts/release/problems.ts'
import { VERSIONED_FILES, versionsIn, withVersion } from '../../scripts/release/versions.ts'

const root = resolve(import.meta.dirname, '../..')
const CHANGELOG =
  '# Changelog\n\n## [Unreleased]\n\n## [0.2.0] - 2026-11-22\n\n- A change.\n\n## [0.1.0] - 2026-01-01\n'
const GOOD: ReleaseFacts = {
  manifest: {
    name: 'llm-api-mock',
    version: '0.2.0',
    license: 'MIT',
    repository: 'github:someone/llm-api-mock',
    publishConfig: { access: 'public', provenance: true },
  },
  lockedVersion: '0.2.0',
  versioned: { 'Chart.yaml': 'version: 0.2.0\nappVersion: 0.2.0\n' },
  changelog: CHANGELOG,
  dockerfile: readFileSync(resolve(root, 'Dockerfile'), 'utf8'),
  packed: {
    paths: [
      'LICENSE',
      'README.md',
      'CHANGELOG.md',
      'dist/index.js',
      'dist/index.d.ts',
      'dist/cli/main.js',
      'dist/LICENSES.txt',
      'scenario.schema.json',
    ],
    bytes: 12_000_000,
  },
  digest: 'same',
  released: { version: '0.1.0', digest: 'same' },
}
const problemsWith = (facts: Partial<ReleaseFacts>): string => findReleaseProblems({ ...GOOD, ...facts }).join('\n')

test('the workflow of a release publishes with provenance, and images of two platforms with an SBOM', () => {
  const workflow = parse(readFileSync(resolve(root, '.github/workflows/release.yml'), 'utf8'))
  const steps = Object.values<{ steps: object[] }>(workflow.jobs).flatMap((job) => job.steps)
  expect(steps).toContainEqual({ run: 'npm run release:check' })
  expect(steps).toContainEqual({ run: 'npm publish --provenance --access public' })
  expect(steps).toContainEqual(
    expect.objectContaining({
      with: expect.objectContaining({ platforms: 'linux/amd64,linux/arm64', sbom: true, provenance: 'mode=max' }),
    }),
  )
})

test('a version with everything in place can be released', () => {
  expect(findReleaseProblems(GOOD)).toEqual([])
  expect(findReleaseProblems({ ...GOOD, released: undefined })).toEqual([])
})

test('the version is new, the same in both files, and in the changelog with a date', () => {
  expect(problemsWith({ lockedVersion: '0.1.0' })).toBe('package-lock.json: expected version 0.2.0, got 0.1.0.')
  expect(problemsWith({ released: { version: '0.2.0', digest: 'same' } })).toContain('is released already')
  expect(problemsWith({ changelog: '## [Unreleased]\n\n- New.\n' })).toMatch(
    /expected a heading.*\nDecide the version of the entries below 'Unreleased'/,
  )
  expect(problemsWith({ changelog: CHANGELOG.replace(' - 2026-11-22', '') })).toBe(
    'Decide the date of 0.2.0: its heading in CHANGELOG.md has none.',
  )
})

test('the chart, the action and the examples name the version of package.json, and `npm version` writes it there', () => {
  for (const file of VERSIONED_FILES) {
    const text = readFileSync(resolve(root, file), 'utf8')
    expect(versionsIn(text), file).toEqual([manifest.version])
    expect(versionsIn(withVersion(text, '1.0.0-rc.1')), file).toEqual(['1.0.0-rc.1'])
  }
  expect(manifest.scripts.version).toContain('scripts/set-version.ts')
  expect(problemsWith({ versioned: { 'Chart.yaml': 'version: 0.2.0\nappVersion: 0.1.0\n' } })).toBe(
    'Chart.yaml: expected version 0.2.0, got 0.2.0, 0.1.0. Run npm run version.',
  )
})

test('the package has what users need, and nothing else', () => {
  const { paths, bytes } = GOOD.packed
  expect(problemsWith({ packed: { paths: paths.slice(1), bytes } })).toBe(
    'The package has no LICENSE. Run npm run build.',
  )
  expect(problemsWith({ packed: { paths: [...paths, 'test/a.ts'], bytes } })).toContain('The package has test/a.ts')
  expect(problemsWith({ packed: { paths, bytes: 50_000_000 } })).toContain('expected at most')
})

test('the image has its labels, and the package its provenance', () => {
  expect(problemsWith({ dockerfile: GOOD.dockerfile.replace('image.revision', 'image.other') })).toBe(
    'Dockerfile: the label org.opencontainers.image.revision is missing.',
  )
  const { repository: _, ...unplaced } = GOOD.manifest
  expect(problemsWith({ manifest: { ...unplaced, publishConfig: {} } }).split('\n')).toEqual([
    expect.stringContaining('provenance is not true'),
    expect.stringContaining("access is not 'public'"),
    'Decide where the public repository is: package.json has no repository, which npm needs for provenance. Set it with: npm pkg set repository=github:<owner>/<name>',
  ])
})

test('seeded output changes only with a minor version before 1.0, a major one after it, and a section of the changelog', () => {
  const changed = { digest: 'other', released: { version: '0.1.0', digest: 'same' } }
  expect(problemsWith(changed)).toContain("has no section 'Seeded output'")
  const changelog = CHANGELOG.replace('- A change.', '### Seeded output\n\n- A change.')
  expect(problemsWith({ ...changed, changelog })).toBe('')
  const patch = { ...changed, changelog, released: { version: '0.2.1', digest: 'same' } }
  expect(problemsWith(patch)).toContain('expected a new minor version, got 0.2.0')
})
