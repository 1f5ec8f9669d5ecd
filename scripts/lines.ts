/** `bun scripts/lines.ts [commit]`: how many lines of product code there are, without tests, journeys and generated files. */
const commit = process.argv[2] ?? 'HEAD'
const git = (...args: string[]) => Bun.spawnSync(['git', ...args]).stdout.toString()
const isProduct = (path: string) =>
  /\.(ts|tsx|mjs|js)$/.test(path) && !/\.test\.tsx?$|\/testing\/|^pwa\/e2e\/|\.gen\./.test(path)

const paths = git('ls-tree', '-r', '--name-only', commit).split('\n').filter(isProduct)
const lines = paths
  .map((path) => git('show', `${commit}:${path}`).split('\n').length - 1)
  .sort((one, other) => one - other)
const sum = lines.reduce((total, count) => total + count, 0)
console.log(`${sum} lines in ${lines.length} files, median ${lines[Math.floor(lines.length / 2)]}`)
