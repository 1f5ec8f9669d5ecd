import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'jsonc-parser'
import * as v from 'valibot'
import { projectFolder } from '#api/project.ts'

export type Locked = { name: string; version: string; integrity: string }

const Lock = v.object({ packages: v.record(v.string(), v.array(v.unknown())) })

/** What the lock file says of each package, by its place in the tree (`sharp`, or `sharp/semver`). */
export function readLock(): Map<string, Locked> {
  const { packages } = v.parse(Lock, parse(readFileSync(join(projectFolder, 'bun.lock'), 'utf8')))
  return new Map(
    Object.entries(packages).map(([place, [called, , , integrity]]) => {
      const [, name = '', version = ''] = /^(.+)@([^@]+)$/.exec(String(called)) ?? []
      return [place, { name, version, integrity: String(integrity ?? '') }]
    }),
  )
}
