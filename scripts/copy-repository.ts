import { copyFileSync, mkdirSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Every file git knows or would add, beside a link to the installed packages. */
export function copyRepository(folder: string): void {
  const listed = Bun.spawnSync(['git', 'ls-files', '-z', '-co', '--exclude-standard'])
  for (const path of listed.stdout.toString().split('\0').filter(Boolean)) {
    mkdirSync(join(folder, dirname(path)), { recursive: true })
    copyFileSync(path, join(folder, path))
  }
  symlinkSync(join(process.cwd(), 'node_modules'), join(folder, 'node_modules'))
}
