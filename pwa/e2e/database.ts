import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** Runs a few lines next to the running server, with its `database` available; resolves with their output. */
async function besideServer(lines: string): Promise<string> {
  const file = join(process.env.E2E_DATA_DIR ?? '', 'alliance.sqlite')
  const program = `
    import Database from 'better-sqlite3'
    const database = new Database(${JSON.stringify(file)}, { fileMustExist: true, timeout: 5000 })
    ${lines}
    database.close()`
  const bun = process.env.BUN ?? 'node_modules/.bin/bun'
  return (await promisify(execFile)(bun, ['--no-env-file', '-e', program])).stdout
}

export async function setPublished(title: string, isPublished: boolean): Promise<void> {
  await besideServer(`
    const { changes } = database.prepare('update member_videos set isPublished = ? where title = ?').run(${Number(isPublished)}, ${JSON.stringify(title)})
    if (changes !== 1) throw new Error('There is no such video')`)
}

export async function countEnquiries(email: string): Promise<number> {
  const printed = await besideServer(`
    const count = (table) => database.prepare('select count(*) as n from ' + table + ' where email = ?').get(${JSON.stringify(email)}).n
    console.log(String(count('contacts') + count('coaching_applications') + count('coaching_bookings')))`)
  return Number(printed)
}

/** As if the person had last given their password long ago, so that they're asked again. */
export async function forgetProof(email: string): Promise<void> {
  await besideServer(`
    const ofPerson = 'update sessions set provenAt = null where userId = (select id from users where email = ?)'
    if (database.prepare(ofPerson).run(${JSON.stringify(email)}).changes < 1) throw new Error('Nobody is logged in')`)
}
