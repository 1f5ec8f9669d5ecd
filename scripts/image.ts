import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { projectFolder } from '#api/project.ts'
import { runProgram } from './release/run-program.ts'

/**
 * `npm run image [-- --media] [--base NAME] [--archive FILE]`: builds the container's image from the latest release with podman, and
 * runs it until it's ready. It's tagged with its release. `slim` or `media` stays the first one built, so that a site that runs on it
 * isn't moved on without a backup. Without `--base` the base is made here by mmdebstrap, so no registry has to be reached.
 */
const { values } = parseArgs({
  options: {
    media: { type: 'boolean', default: false },
    base: { type: 'string' },
    archive: { type: 'string' },
    port: { type: 'string', default: '3000' },
  },
})

const releases = join(projectFolder, 'dist/releases')
const archive = values.archive ?? latestRelease()
const base = values.base ?? makeBase()
const first = values.media ? 'alliance:media' : 'alliance:slim'
const tag = `${first}-${/^alliance-(.+)-linux-/.exec(basename(archive))?.[1] ?? 'other'}`
/** What a site needs without ffmpeg; more would come from something that doesn't belong in it. */
const mostSlimBytes = 280_000_000
console.log(`Building ${tag} from ${basename(archive)} …`)
buildImage()
runImage()
nameFirst()

function latestRelease(): string {
  const end = process.arch === 'arm64' ? '-linux-arm64.tar.gz' : '-linux-x64.tar.gz'
  const found = existsSync(releases) ? readdirSync(releases).filter((name) => name.endsWith(end)) : []
  const last = found.sort().at(-1)
  if (last === undefined) {
    console.error('There’s no release yet: npm run release')
    process.exit(1)
  }
  return join(releases, last)
}

/** Debian’s own packages, as small as its slim images: without papers and translations. */
function makeBase(): string {
  const name = 'localhost/alliance-base:bookworm'
  if (Bun.spawnSync(['podman', 'image', 'exists', name]).success) return name
  const cache = join(projectFolder, 'node_modules/.cache/release')
  mkdirSync(cache, { recursive: true })
  const tar = join(cache, 'base.tar')
  // Without usrmerge, which would bring all of Perl.
  const slim = ['--variant=apt', '--include=usr-is-merged', '--hook-dir=/usr/share/mmdebstrap/hooks/merged-usr']
  const leftOut = ['doc', 'man', 'locale', 'info'].map((part) => `--dpkgopt=path-exclude=/usr/share/${part}/*`)
  const tidy = '--customize-hook=rm -rf "$1"/var/lib/apt/lists/* "$1"/var/cache/apt/*'
  if (!existsSync(tar)) runProgram(['mmdebstrap', '--quiet', ...slim, ...leftOut, tidy, 'bookworm', tar])
  runProgram(['podman', 'import', tar, name])
  return name
}

function buildImage(): void {
  const context = mkdtempSync(join(tmpdir(), 'alliance-image-'))
  try {
    runProgram(['cp', archive, context])
    const named = [`BASE=${base}`, `RELEASE=${basename(archive)}`, `FFMPEG=${values.media ? 1 : 0}`]
    const flags = named.flatMap((one) => ['--build-arg', one])
    // Neither network plug-ins nor control groups are needed for it, so it also works in a plain virtual machine.
    const build = [
      'podman',
      'build',
      '--isolation=chroot',
      '--network=host',
      '--format=docker',
      '--target=site',
      ...['-t', tag],
      ...flags,
    ]
    runProgram([...build, '-f', join(projectFolder, 'deploy/Dockerfile'), context])
  } finally {
    rmSync(context, { recursive: true, force: true })
  }
  const bytes = Number(runProgram(['podman', 'image', 'inspect', tag, '--format', '{{.Size}}']))
  console.log(`${tag}: ${(bytes / 1_000_000).toFixed(0)} MB`)
  if (!values.media && bytes > mostSlimBytes) throw new Error(`${tag} may have up to ${mostSlimBytes / 1_000_000} MB.`)
}

function nameFirst(): void {
  const isNamed = Bun.spawnSync(['podman', 'image', 'exists', first]).success
  if (!isNamed) runProgram(['podman', 'tag', tag, first])
  const name = tag.replace('alliance:', '')
  console.log(isNamed ? `A site moves to it with deploy/update.sh ${name}` : `${first} is this one too.`)
}

/** As compose does it: nothing writable but the volume and /tmp, and no rights. */
function runImage(): void {
  const strict = ['--read-only', '--tmpfs=/tmp', '--cap-drop=ALL', '--security-opt=no-new-privileges', '--network=host']
  // This runtime knows old and new control groups, and a virtual machine may not let it raise its own limits.
  const plain = ['--ulimit=nofile=4096:4096', '--ulimit=nproc=4096:4096', '--no-healthcheck']
  const site = `PUBLIC_URL=http://localhost:${values.port}`
  const env = [site, `PORT=${values.port}`, `SANDBOX_PORT=${Number(values.port) + 1}`].flatMap((one) => ['-e', one])
  const began = performance.now()
  const id = runProgram(['podman', '--runtime=runc', 'run', '-d', ...plain, ...strict, ...env, tag]).trim()
  try {
    waitUntilReady(id, began)
    const stopping = performance.now()
    runProgram(['podman', 'stop', '-t', '20', id])
    const code = runProgram(['podman', 'inspect', id, '--format', '{{.State.ExitCode}}']).trim()
    console.log(`Stopped after ${Math.round(performance.now() - stopping)} ms, with ${code}.`)
  } finally {
    Bun.spawnSync(['podman', 'rm', '-f', '-v', id])
  }
}

function waitUntilReady(id: string, began: number): void {
  while (performance.now() - began < 120_000) {
    const { success, stdout } = Bun.spawnSync(['podman', 'exec', id, 'alliance-ready'])
    if (success) {
      console.log(`Ready after ${Math.round(performance.now() - began)} ms: ${stdout.toString().trim()}`)
      const user = runProgram(['podman', 'exec', id, 'id', '-un']).trim()
      if (Bun.spawnSync(['podman', 'exec', id, 'touch', '/opt/alliance/x']).success)
        throw new Error('Its programs can be written over.')
      console.log(`It runs as ${user} and can’t write over its programs.`)
      return
    }
  }
  throw new Error(`It isn’t ready: ${runProgram(['podman', 'logs', id])}`)
}
