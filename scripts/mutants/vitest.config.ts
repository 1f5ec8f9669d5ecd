// The usual test run in one process, with the runner that tries faults. Its root is a copy of the repository.
import { readFileSync } from 'node:fs'
import * as v from 'valibot'
import { defineConfig } from 'vitest/config'
import type { TestSpecification } from 'vitest/node'
import { BaseSequencer } from 'vitest/node'
import usual from '../../vitest.config.ts'
import { Plan, planName } from './plan.ts'

const plan = v.parse(Plan, JSON.parse(readFileSync(planName, 'utf8')))
const places = new Map(plan.tests.map(({ path }, index) => [path, index]))
const names = ['server', 'pages', 'screens']

/** As planned. A worker ends when the next file is from another project, so these are grouped. */
class Planned extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ project, moduleId }: TestSpecification) =>
      names.indexOf(project.name) * places.size + (places.get(moduleId.slice(process.cwd().length + 1)) ?? 0)
    return files.toSorted((one, other) => place(one) - place(other))
  }
}

const projects = (usual.test?.projects ?? []).map((project) => {
  if (typeof project !== 'object' || !('test' in project)) throw new Error('A project of the usual run has no tests.')
  const { setupFiles = [], ...test } = project.test ?? {}
  return {
    ...project,
    test: {
      ...test,
      setupFiles: [setupFiles, 'scripts/mutants/vitest-setup.ts'].flat(),
      runner: './scripts/mutants/runner.ts',
    },
  }
})

export default defineConfig({
  test: {
    ...usual.test,
    maxWorkers: 1,
    // The next process after one that a fault ended needn't compile it all again.
    fsModuleCache: true,
    fsModuleCachePath: 'mutants-cache',
    expect: { poll: { timeout: 15_000 } },
    sequence: { sequencer: Planned, setupFiles: 'list' },
    projects,
  },
})
