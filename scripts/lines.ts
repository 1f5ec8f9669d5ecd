/**
 * `bun scripts/lines.ts [commit [commit]]`: lines and files of product, tests, scripts and JSON at a commit (`HEAD`), or at two and
 * what the second has more. Generated files are left out, but for JSON.
 */
const kinds = ['product', 'tests', 'scripts', 'JSON'] as const

function kindOf(path: string): (typeof kinds)[number] | null {
  if (path.endsWith('.json')) return 'JSON'
  if (!/\.(tsx?|m?js)$/.test(path) || path.includes('.gen.')) return null
  if (/\.(test|spec)\.tsx?$|\/testing\/|^pwa\/e2e\//.test(path)) return 'tests'
  return path.startsWith('scripts/') ? 'scripts' : 'product'
}

function count(commit: string): number[] {
  const { stdout, success } = Bun.spawnSync(['git', 'grep', '-c', '', commit, '--', ':/'])
  if (!success) throw new Error(`Git knows no commit ${commit}.`)
  const files = [...stdout.toString().matchAll(/^[^:\n]*:(.*):(\d+)$/gm)].map(([, path = '', lines]) => ({
    kind: kindOf(path),
    lines: Number(lines),
  }))
  return kinds.flatMap((kind) => {
    const own = files.filter((file) => file.kind === kind)
    return [own.reduce((sum, { lines }) => sum + lines, 0), own.length]
  })
}

const commits = process.argv.length > 2 ? process.argv.slice(2, 4) : ['HEAD']
const counts = commits.map(count)
const [before, after] = counts
const more = before && after ? [after.map((value, at) => value - (before[at] ?? 0))] : []
const row = (title: string, cells: readonly unknown[]) =>
  console.log(title.padEnd(12) + cells.map((cell) => String(cell).padStart(16)).join(''))

row(
  '',
  [...commits, ...more.map(() => 'more')].flatMap((title) => [title, 'files']),
)
for (const [at, kind] of kinds.entries())
  row(
    kind,
    [...counts, ...more].flatMap((values) =>
      values.slice(2 * at, 2 * at + 2).map((value) => value.toLocaleString('en-GB')),
    ),
  )
