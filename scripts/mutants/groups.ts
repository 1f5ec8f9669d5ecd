// Which faults are tried: a draw from all there could be, the same for the same seed as long as the sources are the same.
import { readFileSync } from 'node:fs'
import { Glob } from 'bun'
import { type Fault, findFaults } from './faults.ts'

export type Drawn = Fault & { path: string; key: string; version: string }

const features = 'auth,billing,commission,invoices,members,progress,reactivation,reconcile,revenue,sign-in,tiers'

/** `most`: how many test files a fault is tried on. */
export const groups = {
  rules: { patterns: ['shared/{rules,values}/**/*.ts'], count: 400, most: 3 },
  /** Money, access and what works without signal. */
  services: {
    patterns: [`api/features/{${features}}/**/*.ts`, 'api/stripe/**/*.ts', 'pwa/sync/**/*.ts'],
    count: 300,
    most: 90,
  },
}
export type Group = keyof typeof groups
export const isGroup = (name: string): name is Group => name in groups

const isProduct = (path: string) => !/\.test\.ts$|\/testing\//.test(path)
export const hashOf = (text: string) => Bun.hash(text).toString(16).padStart(16, '0')

export function drawFaults(group: Group, seed: string, only: string | undefined): Drawn[] {
  const { patterns, count } = groups[group]
  const paths = patterns.flatMap((pattern) => [...new Glob(pattern).scanSync('.')]).filter(isProduct)
  return paths
    .filter((path) => only === undefined || path === only)
    .flatMap((path) => faultsOf(path, seed))
    .toSorted((one, other) => (one.key < other.key ? -1 : 1))
    .slice(0, count)
}

/** A fault's key is what it changes in which line, so a draw hardly changes when other lines do. */
function faultsOf(path: string, seed: string): Drawn[] {
  const text = readFileSync(path, 'utf8')
  const lines = text.split('\n')
  const version = hashOf(text)
  const seen = new Map<string, number>()
  return findFaults(path, text).map((fault) => {
    const what = `${path}\n${lines[fault.line - 1]}\n${fault.change}`
    const before = seen.get(what) ?? 0
    seen.set(what, before + 1)
    return { ...fault, path, key: hashOf(`${seed}\n${what}\n${before}`), version }
  })
}
