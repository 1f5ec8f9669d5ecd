import { join } from 'node:path'
import { programFolder, projectFolder } from '#api/project.ts'

/** The built file of a program, such as `cli/main`. It is built first where its sources have changed. */
export function builtProgram(path: string): string {
  const build = Bun.spawnSync([process.execPath, '--no-env-file', 'scripts/build.ts', 'programs'], {
    cwd: projectFolder,
  })
  if (build.exitCode !== 0) throw new Error(`The programs could not be built: ${build.stderr}`)
  return join(programFolder, `${path}.js`)
}
