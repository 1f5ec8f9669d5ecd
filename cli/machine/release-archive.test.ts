// @module-tag full
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { errorMessage } from '#api/log.ts'
import { type Release, releaseNamespace, releaseSigner } from '#shared/contract/release.ts'
import { takeIn } from './release-archive.ts'

const current: Release = {
  name: '1',
  version: '0.1.0',
  madeAt: '2026-06-12T07:40:00.000Z',
  commit: '',
  target: `linux-${process.arch}`,
  bun: '',
}
let root: string
const at = (path: string) => join(root, path)

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'alliance-take-in-'))
  for (const folder of ['releases', 'current', 'alliance/bin']) mkdirSync(at(folder), { recursive: true })
  Bun.spawnSync(['ssh-keygen', '-q', '-t', 'ed25519', '-N', '', '-f', at('key')])
  Bun.spawnSync(['sh', '-c', `echo "${releaseSigner} $(cat ${at('key.pub')})" > ${at('current/allowed_signers')}`])
  writeFileSync(at('alliance/bin/bun'), '#!/bin/sh\n')
  Bun.spawnSync(['chmod', '6777', at('alliance/bin/bun')])
})
afterEach(() => rmSync(root, { recursive: true }))

/** Signed with the key that the site trusts, as by somebody who got hold of it. */
function takeInRelease(name: string) {
  writeFileSync(at('alliance/release.json'), JSON.stringify({ ...current, name }))
  chmodSync(at('alliance/release.json'), 0o664)
  Bun.spawnSync(['tar', '-czf', at('two.tar.gz'), '-C', root, 'alliance'])
  Bun.spawnSync(['ssh-keygen', '-q', '-Y', 'sign', '-f', at('key'), '-n', releaseNamespace, at('two.tar.gz')])
  return takeIn({ cwd: root, signal: AbortSignal.timeout(60_000) }, { root, current }, at('two.tar.gz'))
}

test('of an update, no file runs as its owner or can be changed by others, whatever the mask', async () => {
  const before = process.umask(0o077)
  const { folder, install } = await takeInRelease('2').finally(() => process.umask(before))
  const modes = [folder, join(folder, 'bin'), join(folder, 'bin/bun'), join(folder, 'release.json')].map((file) =>
    (statSync(file).mode & 0o7777).toString(8),
  )
  expect(modes).toEqual(['755', '755', '755', '644'])
  install()
  expect(readdirSync(at('releases'))).toContain('2')
})

test.each(['../../elsewhere', '..', '.', '.hidden', 'a/b', '1..2', '-rf', ''])(
  'an update called “%s” is refused',
  async (name) => {
    const problem = await takeInRelease(name).then(() => null, errorMessage)
    expect(problem).toBe(`This release is called “${name}”, which can’t be a folder’s name. Nothing has changed.`)
  },
)
