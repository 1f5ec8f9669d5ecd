import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { projectFolder } from '#api/project.ts'
import type { Release } from '#shared/contract/release.ts'
import { layOut, readPackageFile } from './release/contents.ts'
import { readLock } from './release/lock-file.ts'
import { runProgram } from './release/run-program.ts'
import { billOfMaterials } from './release/sbom.ts'
import { sign, signersOf } from './release/sign.ts'
import { type Target, targets } from './release/targets.ts'

/**
 * `npm run release [-- --target linux-x64] [--out FOLDER] [--key FILE]`: one signed archive for each kind of machine, with Bun and
 * everything the site needs, and the file that checks their signatures. RELEASE_KEY names the key too, SOURCE_DATE_EPOCH the time.
 */
const { values } = parseArgs({
  options: {
    target: { type: 'string', multiple: true },
    out: { type: 'string', default: join(projectFolder, 'dist/releases') },
    key: { type: 'string', default: process.env.RELEASE_KEY ?? join(projectFolder, '.release/key') },
  },
})
const wanted = values.target ?? targets.map(({ name }) => name)
const chosen = wanted.map((name) => {
  const target = targets.find((one) => one.name === name)
  if (target === undefined) throw new Error(`--target is one of ${targets.map((one) => one.name).join(', ')}.`)
  return target
})

runProgram([process.execPath, '--no-env-file', 'scripts/build.ts'], { cwd: projectFolder })
const [key, out] = [resolve(values.key), resolve(values.out)]
const signers = signersOf(key)
mkdirSync(out, { recursive: true })
writeFileSync(join(out, 'allowed_signers'), signers)
for (const target of chosen) makeRelease(target)

function makeRelease(target: Target): void {
  const release = releaseFor(target)
  const scratch = mkdtempSync(join(tmpdir(), 'alliance-release-'))
  try {
    const folder = join(scratch, `alliance-${release.name}`)
    mkdirSync(folder, { mode: 0o755 })
    layOut(folder, { target, release, signers })
    writeFileSync(join(folder, 'sbom.cdx.json'), `${JSON.stringify(billOfMaterials(target, release), null, 1)}\n`)
    const archive = join(out, `alliance-${release.name}-${target.name}.tar.gz`)
    pack(scratch, archive, release)
    sign(archive, key)
    const [packed, bun] = [statSync(archive).size, statSync(join(folder, 'bin/bun')).size]
    const beside = inMegabytes(bytesIn(folder) - bun)
    console.log(`${archive}\n  ${inMegabytes(packed)} packed, ${beside} unpacked beside Bun’s ${inMegabytes(bun)}`)
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

function inMegabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`
}

function bytesIn(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((bytes, { parentPath, name }) => bytes + statSync(join(parentPath, name)).size, 0)
}

function releaseFor(target: Target): Release {
  const epoch = process.env.SOURCE_DATE_EPOCH
  const madeAt = (epoch === undefined ? new Date() : new Date(Number(epoch) * 1000)).toISOString()
  const { version } = readPackageFile()
  return {
    name: `${version}-${madeAt.slice(0, 19).replace(/\D/g, '')}`,
    version,
    madeAt,
    commit: runProgram(['git', 'rev-parse', 'HEAD'], { cwd: projectFolder }).trim(),
    target: target.name,
    bun: readLock().get('bun')?.version ?? '',
  }
}

/** The same bytes for the same content: whose machine packed it, and when, isn't in it. */
function pack(scratch: string, archive: string, { name, madeAt }: Release): void {
  const flags = ['--sort=name', '--owner=0', '--group=0', '--numeric-owner', '--mode=u+rwX,go=rX', `--mtime=${madeAt}`]
  rmSync(`${archive}.sig`, { force: true })
  runProgram(['tar', ...flags, '--use-compress-program=gzip -n', '-cf', archive, '-C', scratch, `alliance-${name}`])
}
