/** The files of docs/deploy fit together. What runs them: test/fleet. */
import { readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { checkScenario } from '../../src/core/scenario/yaml/parse-scenario.ts'

const folder = resolve(import.meta.dirname, '../../docs/deploy')
const read = (file: string): string => readFileSync(resolve(folder, file), 'utf8')
const REPLICAS = ['mock-0', 'mock-1', 'mock-2', 'mock-3']

/** The lines of a configuration without indentation, comments and empty lines. */
const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))

test('every file says what runs it, or why it was not run', () => {
  const files = readdirSync(folder)
  expect(files.length).toBeGreaterThan(4)
  const heads = files.map((file) => read(file).split('\n').slice(0, 4).join('\n'))
  expect(heads.filter((head) => !/Run by test\/\S+\.test\.ts|Not run here, because/.test(head))).toEqual([])
})

test('HAProxy, nginx, Envoy and Compose name the same four replicas', () => {
  for (const file of ['haproxy.cfg', 'nginx.conf']) {
    const named = [...read(file).matchAll(/(mock-\d):4010/g)].map(([, name]) => name)
    expect(named, file).toEqual(REPLICAS)
  }
  const [cluster] = parse(read('envoy.yaml')).static_resources.clusters
  const endpoints = cluster.load_assignment.endpoints[0].lb_endpoints as { endpoint: { address: object } }[]
  expect(endpoints.map(({ endpoint }) => endpoint.address)).toEqual(
    REPLICAS.map((address) => ({ socket_address: { address, port_value: 4010 } })),
  )
  const { services } = parse(read('compose.yaml'), { merge: true })
  expect(Object.keys(services)).toEqual([...REPLICAS, 'store', 'balancer'])
  expect(Object.keys(services.balancer.depends_on)).toEqual(REPLICAS)
  expect(services['mock-3']).toMatchObject({ image: 'llm-api-mock', read_only: true, ports: ['127.0.0.1:4013:4010'] })
})

test('the manifests of Kubernetes refer to each other, and to a scenario without problems', () => {
  const documents = parseAllDocuments(read('kubernetes.yaml'))
  expect(documents.flatMap((document) => ('errors' in document ? document.errors : []))).toEqual([])
  // biome-ignore lint/suspicious/noExplicitAny: manifests have no types here
  const manifests = documents.map((document: any) => document.toJS())
  const named = (kind: string, name: string) => {
    const found = manifests.find((one) => one.kind === kind && one.metadata.name === name)
    expect(found, `${kind} ${name}`).toBeDefined()
    return found
  }
  const { template, selector } = named('Deployment', 'llm-api-mock').spec
  const [mock] = template.spec.containers
  expect(selector.matchLabels).toEqual(template.metadata.labels)
  for (const kind of ['startupProbe', 'readinessProbe', 'livenessProbe']) {
    const path = kind === 'readinessProbe' ? '/ready' : '/health'
    expect(mock[kind].httpGet).toEqual({ path, port: mock.ports[0].name })
  }
  expect(mock).toMatchObject({ image: expect.stringMatching(/:\d+\.\d+\.\d+$/), imagePullPolicy: 'IfNotPresent' })
  const settings = new Map<string, string>(
    mock.env.map((one: { name: string; value: string }) => [one.name, one.value]),
  )
  expect(settings.get('API_MOCK_WATCH')).toBe('true')
  const seconds = (name: string): number => Number.parseInt(settings.get(name)!, 10)
  const draining = seconds('API_MOCK_DRAIN_DELAY') + seconds('API_MOCK_DRAIN')
  expect(template.spec.terminationGracePeriodSeconds).toBeGreaterThan(draining)
  const replicas = named('Service', 'llm-api-mock-replicas').spec
  expect(replicas.selector).toEqual(template.metadata.labels)
  expect(named('HorizontalPodAutoscaler', 'llm-api-mock').spec.scaleTargetRef.name).toBe('llm-api-mock')
  expect(named('PodDisruptionBudget', 'llm-api-mock').spec.selector.matchLabels).toEqual(template.metadata.labels)
  // In a file of its own: a cluster without the Prometheus operator refuses it.
  expect(parse(read('kubernetes-podmonitor.yaml')).spec).toMatchObject({
    selector: { matchLabels: template.metadata.labels },
    podMetricsEndpoints: [{ port: mock.ports[0].name, path: '/_mock/metrics' }],
  })
  const balancer = named('Deployment', 'llm-api-mock-balancer').spec.template
  expect(named('Service', 'llm-api-mock').spec.selector).toEqual(balancer.metadata.labels)
  const { data } = named('ConfigMap', template.spec.volumes[0].configMap.name)
  expect(checkScenario(data['scenario.yaml'], 'kubernetes.yaml').warnings).toEqual([])

  // The same lines as in the file that is run, but for how replicas are found.
  const isFound = (line: string): boolean =>
    /^(?:server|default-server|server-template|resolvers|parse-|accepted_|hold )/.test(line)
  const own = linesOf(named('ConfigMap', 'llm-api-mock-balancer').data['haproxy.cfg'])
  expect(own.filter((line) => !isFound(line))).toEqual(linesOf(read('haproxy.cfg')).filter((line) => !isFound(line)))
  expect(own).toContain(`server-template mock- 20 _http._tcp.${'llm-api-mock-replicas'}`)
})

test('the store for shared limits has a service of the name that scenarios use', () => {
  const text = read('kubernetes-store.yaml')
  // biome-ignore lint/suspicious/noExplicitAny: manifests have no types here
  const [deployment, service]: any[] = parseAllDocuments(text).map((document: any) => document.toJS())
  expect(text).toContain(`redis://${service.metadata.name}:${service.spec.ports[0].port}`)
  expect(service.spec.selector).toEqual(deployment.spec.template.metadata.labels)
  expect(deployment.spec.selector.matchLabels).toEqual(service.spec.selector)
  expect(deployment.spec.template.spec.containers[0].ports[0].name).toBe(service.spec.ports[0].targetPort)
})
