// @module-tag full
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { programFolder } from '#api/project.ts'
import { builtProgram } from '#api/testing/built-program.ts'

test('errors of the built programs name lines of the sources: every source map leads to them', () => {
  builtProgram('api/main')
  // The previous build's files stay for running servers, and their sources may have moved since.
  const written: string[] = JSON.parse(readFileSync(join(programFolder, 'files.json'), 'utf8'))
  const maps = written.filter((path) => path.endsWith('.map'))
  expect(maps).toEqual(expect.arrayContaining(['./api/main.js.map', './cli/main.js.map']))
  const sources = maps.flatMap((path) => {
    const map: { sources: string[] } = JSON.parse(readFileSync(join(programFolder, path), 'utf8'))
    return map.sources.map((source) => join(programFolder, dirname(path), source))
  })
  expect(sources.filter((source) => !existsSync(source))).toEqual([])
})
