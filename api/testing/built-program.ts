import { join } from 'node:path'
import { programFolder, projectFolder } from '#api/project.ts'

/** A program's built file, such as `cli/main`. Builds it first if its sources have changed. */
export function builtProgram(path: string): string {
  const build = Bun.spawnSync([process.execPath, '--no-env-file', 'scripts/build.ts', 'programs'], {
    cwd: projectFolder,
  })
  if (build.exitCode !== 0) throw new Error(`The programs could not be built: ${build.stderr}`)
  return join(programFolder, `${path}.js`)
}
