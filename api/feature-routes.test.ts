import { expect, test } from 'vitest'
import { features, featuresFor } from '#api/feature-routes.ts'
import { startWorld } from '#api/testing/world.ts'

test('each feature names the paths that its routes are below, all and no others: the terminal finds routes by them', async () => {
  const { ctx } = startWorld()
  for (const feature of features) {
    const { routes }: { routes: { method: string; path: string }[] } = (await feature.load())(ctx)
    const named = routes.map(({ method, path }) => ({ method, path: path.replaceAll(/:\w+/g, 'some-id') }))
    expect(named.filter((route) => !featuresFor(route).includes(feature))).toEqual([])
    const isBelow = (prefix: string) => new RegExp(`^${prefix.replaceAll('*', '[^/]+')}(/|$)`)
    expect(feature.paths.filter((prefix) => !named.some(({ path }) => isBelow(prefix).test(path)))).toEqual([])
  }
})
