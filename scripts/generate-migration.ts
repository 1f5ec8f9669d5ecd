/** `npm run db:generate -- --name adds_a_column`: writes the migration of a changed schema, and keeps the newest snapshot alone. */
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const { exitCode } = Bun.spawnSync(['node_modules/.bin/drizzle-kit', 'generate', ...process.argv.slice(2)], {
  cwd: root,
  stdio: ['inherit', 'inherit', 'inherit'],
})
if (exitCode !== 0) process.exit(exitCode)

// The next migration is compared with the newest. What each changed is in its SQL.
const meta = join(root, 'data/migrations/meta')
const snapshots = readdirSync(meta)
  .filter((name) => name.endsWith('_snapshot.json'))
  .sort()
for (const name of snapshots.slice(0, -1)) rmSync(join(meta, name))
