import { readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join, relative, resolve } from 'node:path'
import * as v from 'valibot'
import { CliError, exitCodes, usageError } from '#cli/exit-codes.ts'
import { dayLabel, yesNoLabel } from '#cli/labels.ts'
import { type Output, tableOutput } from '#cli/output.ts'
import { request } from '#cli/request.ts'
import { changeRow } from '#cli/rows.ts'
import { csvFields, type Table } from '#cli/table.ts'
import { type MarkdownFile, PostImport, PostImportRequest } from '#shared/contract/post-import.ts'
import { plural } from '#shared/rules/plural.ts'

type Planned = PostImport['posts'][number]

const postsTable: Table<Planned> = {
  title: 'Posts to import',
  empty: 'No posts to import.',
  columns: [
    { title: 'FILE', text: ({ file }) => file, minWidth: 12, dropOrder: 2 },
    { title: 'TITLE', text: ({ title }) => title, minWidth: 12, dropOrder: 1 },
    { title: 'NAME', text: ({ slug }) => slug, minWidth: 14, identifies: true },
    {
      title: 'PUBLISHED',
      text: ({ isPublished, publishedAt }) => (isPublished ? dayLabel(publishedAt) : yesNoLabel(false)),
    },
  ],
  csv: csvFields(['file', 'title', 'slug', 'isPublished', 'publishedAt']),
}

type Facts = { folder: string; publishes: boolean; files: string; posts: Planned[] }

/** As in the browser: all files become posts, or none. */
export const importRow = changeRow<Facts>({
  usage: 'import <folder>',
  description: 'Import a folder of Markdown files as posts, with title, date, excerpt and slug in front matter (---)',
  options: [['--publish', 'publish those that have a date and are no draft; otherwise all become drafts']],
  examples: ['import ./old-blog --dry-run', 'import ./old-blog --publish'],
  asks: true,
  plan({ io, options, argument }) {
    const folder = resolve(io.cwd, argument(0))
    const [given, publishes] = [readFolder(folder), options.publish === true]
    return async ({ api }) => {
      const trial = { ...given, publishes, isTrial: true }
      const { posts, problems } = await request(PostImport, api.admin.blog.import.post(trial))
      if (problems.length > 0) throw refused(problems)
      return {
        facts: { folder, publishes, files: hashOf(given), posts },
        output: planOf(posts),
        question: `Make ${plural(posts.length, 'post')}?`,
      }
    }
  },
  apply: (_call, { folder, publishes, files }) => {
    const given = readFolder(folder)
    // The files may have changed between the plan and the answer.
    if (hashOf(given) !== files) throw new CliError(exitCodes.failed, `${folder} has changed since. Try again.`)
    return async ({ api }) => {
      // One idempotency key for each call: a retry after a lost response makes no more posts.
      const headers = { 'idempotency-key': Bun.randomUUIDv7() }
      const sent = { ...given, publishes, isTrial: false }
      const { made, posts, problems } = await request(PostImport, api.admin.blog.import.post(sent, { headers }))
      if (problems.length > 0) throw refused(problems)
      const record = { made, drafts: posts.filter(({ isPublished }) => !isPublished).length }
      return { sentence: `${plural(made, 'post')} made. Next: alliance posts list`, record, notes: leftOutOf(posts) }
    }
  },
})

const planOf = (posts: readonly Planned[]): Output => ({ ...tableOutput(postsTable, posts), notes: leftOutOf(posts) })

const leftOutOf = (posts: readonly Planned[]): string[] =>
  posts.flatMap(({ file, leftOut }) =>
    leftOut.map((address) => `${file}: the picture ${address} isn’t on this site, so it’s left out.`),
  )

function refused(problems: PostImport['problems']): CliError {
  const lines = problems.map(({ file, problem }) => `  ${file}: ${problem}`)
  return new CliError(exitCodes.failed, ['No posts imported. Fix these files first:', ...lines].join('\n'))
}

const hashOf = (given: { files: MarkdownFile[] }) =>
  new Bun.CryptoHasher('sha256').update(JSON.stringify(given.files)).digest('hex')

function readFolder(path: string): { files: MarkdownFile[] } {
  const found = namesIn(path).filter((name) => /\.(md|markdown)$/i.test(name))
  const files = found.map((file) => ({ name: nameIn(path, file), text: readFileSync(file, 'utf8') }))
  const read = v.safeParse(PostImportRequest, { files })
  if (read.success) return { files: read.output.files }
  throw usageError(`${path}: ${read.issues[0].message}`)
}

function namesIn(path: string): string[] {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined) throw usageError(`${path} can’t be read.`)
  if (!found.isDirectory()) return [path]
  const names = readdirSync(path, { recursive: true, encoding: 'utf8' }).toSorted()
  return names.map((name) => join(path, name)).filter((file) => statSync(file).isFile())
}

const nameIn = (folder: string, file: string) =>
  folder === file ? basename(file) : join(basename(folder), relative(folder, file)).slice(-200)
