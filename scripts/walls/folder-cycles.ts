import { areaOf, type Finding, isTest } from './place.ts'
import type { Source } from './source.ts'

/** What lies in a folder, and what each imports of the others: names to names, with an import that shows it. */
type Room = Map<string, Map<string, string>>

/**
 * Circles of what lies side by side, at every depth: folders, and files beside folders. Types and `import()` count. Circles of
 * files alone are found by `checkCycles`, and tests may look everywhere.
 */
export function checkFolderCycles(sources: readonly Source[]): Finding[] {
  const product = sources.filter(({ path }) => !isTest(path))
  const folders = new Set(product.flatMap(({ path }) => foldersOf(path)))
  return [...roomsOf(product)].flatMap(([room, imports]) => {
    const ring = findRing(imports, (name) => folders.has(pathIn(room, name)))
    if (ring === undefined) return []
    const steps = ring.slice(1).map((name, at) => imports.get(ring[at] ?? '')?.get(name))
    const says = `folders import each other: ${ring.join(' → ')} (${steps.join(', ')})`
    return [{ path: pathIn(room, ring[0] ?? ''), rule: 'folder-cycle' as const, says }]
  })
}

function roomsOf(sources: readonly Source[]): Map<string, Room> {
  const rooms = new Map<string, Room>()
  for (const { path, imports } of sources) {
    for (const { target, isPackage } of imports) {
      if (isPackage || isTest(target)) continue
      const [from, to] = [path.split('/'), target.split('/')]
      const at = from.findIndex((part, index) => part !== to[index])
      const [one, other] = [from[at], to[at]]
      if (one === undefined || other === undefined) continue
      const name = from.slice(0, at).join('/')
      const room = rooms.get(name) ?? new Map()
      const used = room.get(one) ?? new Map()
      if (!used.has(other)) used.set(other, `${path} imports ${target}`)
      rooms.set(name, room.set(one, used))
    }
  }
  return rooms
}

/** The first circle with a folder in it, from a name back to itself. */
function findRing(room: Room, isFolder: (name: string) => boolean): string[] | undefined {
  for (const start of [...room.keys()].filter(isFolder)) {
    const cameFrom = new Map<string, string>()
    const open = [start]
    for (const name of open) {
      for (const next of room.get(name)?.keys() ?? []) {
        if (cameFrom.has(next)) continue
        cameFrom.set(next, name)
        if (next === start) return wayTo(start, cameFrom)
        open.push(next)
      }
    }
  }
  return undefined
}

function wayTo(start: string, cameFrom: ReadonlyMap<string, string>): string[] {
  const way = [start]
  do way.unshift(cameFrom.get(way[0] ?? '') ?? start)
  while (way[0] !== start)
  return way
}

const pathIn = (room: string, name: string) => (room === '' ? name : `${room}/${name}`)

function foldersOf(path: string): string[] {
  const parts = path.split('/')
  return parts.slice(0, -1).map((_, at) => parts.slice(0, at + 1).join('/'))
}

/** A circle mustn't hide in one large folder. The payment sandbox is a program of its own. */
const mostOfApi = 1 / 8

/** Features with more than their share of the server's lines, without tests. */
export function checkFeatureSizes(files: ReadonlyMap<string, string>): Finding[] {
  const lines = new Map<string, number>()
  let total = 0
  for (const [path, text] of files) {
    if (areaOf(path) !== 'api' || isTest(path) || path.startsWith('api/sandbox/')) continue
    const count = text.split('\n').length
    total += count
    const feature = /^api\/features\/[^/]+\//.exec(path)?.[0]
    if (feature !== undefined) lines.set(feature, (lines.get(feature) ?? 0) + count)
  }
  return [...lines]
    .filter(([, count]) => total > smallest && count > total * mostOfApi)
    .map(([path, count]) => ({
      path,
      rule: 'feature-size',
      says: `${count} of the server’s ${total} lines are more than an eighth: two things are in here`,
    }))
}

/** Below this, one feature may well be most of it. */
const smallest = 5_000
