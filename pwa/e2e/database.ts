import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** Publishes a video, or takes it back, beside the running server: where an owner's pages cannot do it yet. */
export async function setPublished(title: string, isPublished: boolean): Promise<void> {
  const file = join(process.env.E2E_DATA_DIR ?? '', 'alliance.sqlite')
  const program = `
    import Database from 'better-sqlite3'
    const database = new Database(${JSON.stringify(file)}, { fileMustExist: true, timeout: 5000 })
    const { changes } = database.prepare('update member_videos set isPublished = ? where title = ?').run(${Number(isPublished)}, ${JSON.stringify(title)})
    if (changes !== 1) throw new Error('There is no such video')
    database.close()`
  await promisify(execFile)(process.env.BUN ?? 'node_modules/.bin/bun', ['--no-env-file', '-e', program])
}
