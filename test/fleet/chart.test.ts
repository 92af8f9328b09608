/** The Helm chart says what docs/deploy/kubernetes.yaml says. Runs Helm: `helm`, or the program that HELM names. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'

const root = resolve(import.meta.dirname, '../..')
const helm = (...args: readonly string[]): string =>
  execFileSync(process.env.HELM ?? 'helm', args, { cwd: join(root, 'charts'), encoding: 'utf8' })

// biome-ignore lint/suspicious/noExplicitAny: manifests have no types here
const manifestsIn = (text: string): any[] =>
  parseAllDocuments(text)
    // biome-ignore lint/suspicious/noExplicitAny: manifests have no types here
    .map((document: any) => document.toJS())
    .filter((manifest) => manifest !== null)
    .sort((a, b) => (`${a.kind} ${a.metadata.name}` < `${b.kind} ${b.metadata.name}` ? -1 : 1))
const template = (...args: readonly string[]) => manifestsIn(helm('template', 'mock', 'llm-api-mock', ...args))

test('the chart has no problems, and with its own values it is kubernetes.yaml', () => {
  expect(helm('lint', '--strict', 'llm-api-mock')).toContain('0 chart(s) failed')
  const trim = (text: string): string => JSON.stringify(manifestsIn(text)).replaceAll('\\n"', '"')
  expect(JSON.parse(trim(helm('template', 'mock', 'llm-api-mock')))).toEqual(
    JSON.parse(trim(readFileSync(join(root, 'docs/deploy/kubernetes.yaml'), 'utf8'))),
  )
})

test('values change replicas, secrets and monitors', () => {
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
