/** The structure check: `bun scripts/walls.ts` lists every broken wall, or says that all stand. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Glob } from 'bun'
import { checkWalls } from './walls/check.ts'
import { sqlRecord } from './walls/raw-sql.ts'

const root = join(import.meta.dirname, '..')
const pattern = new Glob('{api,cli,data,pwa,scripts,shared}/**/*.{ts,tsx}')
const paths = [...pattern.scanSync({ cwd: root })].filter((path) => !/^(pwa\/dist|data\/local)\//.test(path)).sort()
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const findings = checkWalls(new Map(paths.map((path) => [path, read(path)])), read(sqlRecord))

for (const { path, line, rule, says } of findings) {
  console.log(`${path}${line === undefined ? '' : `:${line}`}  ${rule}: ${says}`)
}
console.log(`${paths.length} files, ${findings.length} broken walls`)
if (findings.length > 0) process.exitCode = 1
