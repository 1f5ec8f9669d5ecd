import { existsSync, mkdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { builtProgram } from '#api/testing/built-program.ts'
import { type DataFolder, openDataFolder } from '#cli/testing/server.ts'

const main = builtProgram('cli/main')
const crowd = 1500

let folder: DataFolder
beforeAll(() => {
  folder = openDataFolder()
  const { ctx, addUser } = folder.world
  ctx.sqlite.transaction(() => {
    for (let count = 0; count < crowd; count += 1) addUser()
  })()
})
afterAll(() => folder.close())

const spawn = (command: string[], env: Record<string, string> = {}) =>
  Bun.spawn(command, { env: { ...process.env, ...folder.env, ...env }, stdout: 'pipe', stderr: 'pipe' })

async function piped(pipe: string) {
  const bash = spawn(['bash', '-c', `"$0" "$1" ${pipe}; echo "\${PIPESTATUS[@]}"`, process.execPath, main])
  const [out, err] = await Promise.all([new Response(bash.stdout).text(), new Response(bash.stderr).text()])
  return {
    out: out
      .trimEnd()
      .split('\n')
      .map((line) => line.trim()),
    err,
  }
}

test('a reader that closes the pipe early is not an error', { tags: ['full'] }, async () => {
  const { out, err } = await piped('members list --csv | head -1')
  expect({ end: out.at(-1), err }).toEqual({ end: '0 0', err: '' })
})

test('a slow reader gets everything', { tags: ['full'] }, async () => {
  expect((await piped('members list --csv | { sleep 0.3; wc -l; }')).out).toEqual([String(crowd + 1), '0 0'])
})

test('a file that is named is where the command was typed, and the data folder where the project is', {
  tags: ['full'],
}, async () => {
  const { dataDir } = folder
  mkdirSync(join(dataDir, 'typed-here'))
  const cli = Bun.spawn([process.execPath, main, 'report', 'daily', '--heartbeat', 'beat'], {
    cwd: dirname(dataDir),
    env: { ...process.env, ...folder.env, DATA_DIR: basename(dataDir), ALLIANCE_CWD: join(dataDir, 'typed-here') },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  expect([await cli.exited, await new Response(cli.stderr).text()]).toEqual([0, ''])
  expect(existsSync(join(dataDir, 'typed-here/beat'))).toBe(true)
})

test('a full disk is an error', { tags: ['full'] }, async () => {
  const { out, err } = await piped('mrr > /dev/full')
  expect(out).toEqual(['1'])
  expect(err).toBe('The disk is full, so not everything was written. Free some space and run the command again.\n')
})

test('a disk that takes no more of the database is said in a sentence', { tags: ['full'] }, async () => {
  // A file size limit: the index beside the database fits, its log doesn't. We ignore the signal that would kill the process.
  const child = Bun.spawn(
    ['sh', '-c', `trap '' XFSZ; ulimit -f 64; exec "$0" "$@"`, process.execPath, main, 'backup', 'create'],
    {
      env: { ...process.env, ...folder.env },
      stdout: 'pipe',
      stderr: 'pipe',
    },
  )
  expect([await child.exited, await new Response(child.stderr).text()]).toEqual([
    1,
    'Can’t read or write the disk. Check it, then run the command again.\n',
  ])
})

test('a closed standard output is an error where something was to be printed; /dev/null is none', {
  tags: ['full'],
}, async () => {
  const closed = await piped('members list >&-')
  expect(closed).toEqual({
    out: ['1'],
    err: 'Nothing was printed: standard output is closed. Add > file, or a pipe.\n',
  })
  expect(await piped('members list > /dev/null')).toEqual({ out: ['0'], err: '' })
})

test('a standard error that is closed, full or gone makes no failure of what was done, and no success of a failure', {
  tags: ['full'],
}, async () => {
  for (const gone of ['2>&-', '2>/dev/full', '2> >(exec true)']) {
    expect([gone, await piped(`mrr close ${gone}`)]).toEqual([gone, { out: ['0'], err: '' }])
    expect([gone, await piped(`members show nobody ${gone}`)]).toEqual([gone, { out: ['3'], err: '' }])
    expect([gone, await piped(`nonsense ${gone}`)]).toEqual([gone, { out: ['2'], err: '' }])
  }
})

test('Ctrl-C while waiting for a server ends at once with 130', { tags: ['full'] }, async () => {
  const received = Promise.withResolvers<void>()
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: () => {
      received.resolve()
      return new Promise<Response>(() => {})
    },
  })
  const api = `http://127.0.0.1:${server.port}`
  const cli = spawn([process.execPath, main, 'mrr', '--api', api], { ALLIANCE_TOKEN: 'a' })
  await received.promise
  cli.kill('SIGINT')
  expect(await cli.exited).toBe(130)
  expect(await new Response(cli.stderr).text()).toBe('')
  await server.stop(true)
})
