import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { featuresFor } from '#api/app-on-demand.ts'
import { projectFolder } from '#api/project.ts'
import { describeFeaturePaths } from '../scripts/build/feature-paths.ts'

test('the list of routes is the one `npm run build` writes', async () => {
  const written = readFileSync(join(projectFolder, 'api/feature-paths.gen.ts'), 'utf8')
  expect(written).toBe(await describeFeaturePaths())
})

test.each([
  ['GET', '/api/admin/members', ['member']],
  ['HEAD', '/api/admin/members', ['member']],
  ['POST', '/api/admin/members', ['membership']],
  ['GET', '/api/admin/members/some-id/record', ['memberRecord']],
  ['GET', '/robots.txt', ['feed']],
  ['GET', '/', []],
  ['GET', '/api/written-since-the-build', 'all'],
])('%s %s loads only the features it may be for: %j', (method, path, features) => {
  expect(featuresFor({ method, path })).toEqual(features)
})
