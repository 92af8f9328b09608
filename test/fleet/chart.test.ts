/** The Helm chart says what docs/deploy/kubernetes.yaml says. Runs Helm: `helm`, or the program that HELM names; skipped without. */
import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'

const root = resolve(import.meta.dirname, '../..')
const HELM = process.env.HELM ?? 'helm'
const { error, status } = spawnSync(HELM, ['version'])
const isMissing = error !== undefined || status !== 0
const suffix = isMissing ? ` (skipped: ${error?.message ?? `${HELM} version ends with ${status}`})` : ''
const testChart = test.skipIf(isMissing)

const helm = (...args: readonly string[]): string =>
  execFileSync(HELM, args, { cwd: join(root, 'charts'), encoding: 'utf8' })

// biome-ignore lint/suspicious/noExplicitAny: manifests have no types here
const manifestsIn = (text: string): any[] =>
  parseAllDocuments(text)
    // biome-ignore lint/suspicious/noExplicitAny: manifests have no types here
    .map((document: any) => document.toJS())
    .filter((manifest) => manifest !== null)
    .sort((a, b) => (`${a.kind} ${a.metadata.name}` < `${b.kind} ${b.metadata.name}` ? -1 : 1))
const template = (...args: readonly string[]) => manifestsIn(helm('template', 'mock', 'llm-api-mock', ...args))

testChart(`the chart has no problems, and with its own values it is kubernetes.yaml${suffix}`, () => {
  expect(helm('lint', '--strict', 'llm-api-mock')).toContain('0 chart(s) failed')
  const trim = (text: string): string => JSON.stringify(manifestsIn(text)).replaceAll('\\n"', '"')
  expect(JSON.parse(trim(helm('template', 'mock', 'llm-api-mock')))).toEqual(
    JSON.parse(trim(readFileSync(join(root, 'docs/deploy/kubernetes.yaml'), 'utf8'))),
  )
})

testChart(`values change replicas, secrets and monitors${suffix}`, () => {
  const secrets = 'scenario.secret=own,sharedLimitsSecret.name=store,sharedLimitsSecret.key=url'
  const manifests = template('--set', `replicas=2,autoscaling.enabled=false,podMonitor.enabled=true,${secrets}`)
  const kinds = manifests.map(({ kind }) => kind)
  expect(kinds).toContain('PodMonitor')
  expect(kinds).not.toContain('HorizontalPodAutoscaler')
  const { spec } = manifests.find(({ kind, metadata }) => kind === 'Deployment' && metadata.name === 'llm-api-mock')
  expect(spec.replicas).toBe(2)
  expect(spec.template.spec.volumes).toEqual([{ name: 'scenarios', secret: { secretName: 'own' } }])
  expect(spec.template.spec.containers[0].env).toContainEqual({
    name: 'API_MOCK_SHARED_LIMITS',
    valueFrom: { secretKeyRef: { name: 'store', key: 'url' } },
  })
})
