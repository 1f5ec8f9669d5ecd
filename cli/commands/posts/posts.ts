import type { Client } from '#cli/connection.ts'
import { openDraft, openEditor, readFrom } from '#cli/editor.ts'
import { usageError } from '#cli/exit-codes.ts'
import { findEntry } from '#cli/find-entry.ts'
import { dayLabel, emptyLabel, yesNoLabel } from '#cli/labels.ts'
import type { PageQuery } from '#cli/list.ts'
import { csvOfRecord, sectionsOutput } from '#cli/output.ts'
import { parseArgument, parseMoment, request, requestPage, withoutUnset } from '#cli/request.ts'
import { type Call, changeRow, listRow, type OptionRow, registersRows, showRow } from '#cli/rows.ts'
import { plannedWriting, shownRows } from '#cli/shown-rows.ts'
import { csvFields, type Table } from '#cli/table.ts'
import {
  AdminPost,
  AdminPostList,
  AdminPostQuery,
  type AdminPostSummary,
  PostChangeRequest,
  PostRemoved,
  PostRequest,
} from '#shared/contract/admin-post.ts'
import { slugOf } from '#shared/values/posts.ts'

const postsTable: Table<AdminPostSummary> = {
  title: 'Posts',
  empty: 'No posts yet.',
  columns: [
    { title: 'NAME', text: ({ slug }) => slug, minWidth: 14, identifies: true },
    { title: 'TITLE', text: ({ title }) => title, minWidth: 12, dropOrder: 1 },
    {
      title: 'PUBLISHED',
      text: ({ isPublished, publishedAt }) => (isPublished ? dayLabel(publishedAt) : yesNoLabel(false)),
    },
    { title: 'AUTHOR', text: ({ author }) => author, minWidth: 8, dropOrder: 2 },
    { title: 'CHANGED', text: ({ updatedAt }) => dayLabel(updatedAt), tone: () => 'muted', dropOrder: 3 },
  ],
  csv: csvFields(['id', 'slug', 'title', 'author', 'isPublished', 'publishedAt', 'createdAt', 'updatedAt', 'excerpt']),
}

const pagesOf = ({ api }: Client, query: PageQuery) => requestPage(AdminPostList, api.admin.blog.get({ query }))

const list = listRow({
  usage: 'list',
  description: 'List blog posts, drafts too, newest first',
  options: [
    ['--show <which>', 'published or draft'],
    ['--search <words>', 'only with these words'],
  ],
  examples: ['list --show draft', 'list --csv > posts.csv'],
  table: postsTable,
  pages(call) {
    const query = parseArgument(AdminPostQuery, withoutUnset({ q: call.option('search'), show: call.option('show') }))
    return (client, page) => pagesOf(client, { ...query, ...page })
  },
})

const postNamed = (call: Call) => (client: Client) =>
  findEntry<AdminPostSummary>(client, {
    noun: 'posts',
    given: call.argument(0),
    matches: ({ slug }: AdminPostSummary, given) => slug === given,
    // A post named by slug is looked up among all, because the search reads titles.
    pages: (client, { q: _title, ...query }) => pagesOf(client, query),
  })

const show = showRow({
  usage: 'show <name>',
  description: 'Show a post with its HTML',
  examples: ['show five-pricing-tips', 'show five-pricing-tips --jq .content'],
  read: (call) => async (client) => {
    const { id } = await postNamed(call)(client)
    return request(AdminPost, client.api.admin.blog({ id }).get())
  },
  output: ({ content, ...post }) =>
    sectionsOutput({ json: { ...post, content }, csv: () => csvOfRecord({ ...post, content }) }, [
      {
        title: post.title,
        details: [
          { label: 'Name', value: post.slug },
          { label: 'Published', value: post.isPublished ? dayLabel(post.publishedAt) : 'no' },
          { label: 'Author', value: post.author },
          ...(post.featuredImage === null
            ? []
            : [
                { label: 'Picture', value: post.featuredImage },
                { label: 'It shows', value: post.featuredImageAlt ?? emptyLabel },
              ]),
        ],
        note: content,
      },
    ]),
})

const rows = shownRows({
  what: 'post',
  argument: 'name',
  example: 'five-pricing-tips',
  find: postNamed,
  publish: ({ api }, { id, ...change }) => request(AdminPost, api.admin.blog({ id }).patch(change)),
  remove: ({ api }, { id, version }) => request(PostRemoved, api.admin.blog({ id }).delete({}, { query: { version } })),
})

const writing: readonly OptionRow[] = [
  ['--from <file>', 'its HTML; - is standard input'],
  ['--slug <name>', 'its slug, the end of its address'],
  ['--excerpt <text>', 'its summary in lists'],
  ['--author <name>', 'who wrote it'],
  ['--picture <address>', 'its picture, from the library or under /pictures/'],
  ['--picture-text <text>', 'what the picture shows, for people who can’t see it'],
  ['--publish-at <time>', 'when it’s published, such as 2026-12-01 or "2026-12-01 08:00", UK time'],
]

const fieldsOf = ({ option }: Call) => ({
  slug: option('slug'),
  excerpt: option('excerpt'),
  author: option('author'),
  featuredImage: option('picture'),
  featuredImageAlt: option('pictureText'),
  publishedAt: parseMoment(option('publishAt'), '--publish-at'),
})

const written = ({ id, slug, title }: AdminPost, what: string) => ({
  sentence: `“${title}” is ${what}. Next: alliance posts show ${slug}`,
  record: { id, slug, title },
})

const add = changeRow<PostRequest>({
  usage: 'add <title>',
  description: 'Add a post as a draft ("posts publish" puts it on the site)',
  options: writing,
  examples: [
    'add "Five pricing tips" --from tips.html',
    'add "Five pricing tips" --from - --publish-at "2026-12-01 08:00"',
  ],
  plan(call) {
    const { io } = call
    const from = call.option('from')
    if (from === undefined && !io.isTTY.stdin) throw usageError('Without a terminal, use --from <file>.')
    const given = { ...withoutUnset(fieldsOf(call)), title: call.argument(0) }
    return async () => {
      const content = from === undefined ? await inEditor(call, 'post.html', '') : await readFrom(io, from)
      const slug = given.slug ?? slugOf(given.title)
      return plannedWriting(
        parseArgument(PostRequest, { ...given, slug, content, isPublished: given.publishedAt !== undefined }),
      )
    }
  },
  apply:
    (_call, body) =>
    async ({ api }) => {
      // One idempotency key for each call: a retry after a lost response adds nothing.
      const headers = { 'idempotency-key': Bun.randomUUIDv7() }
      return written(await request(AdminPost, api.admin.blog.post(body, { headers })), 'added')
    },
})

type PostChange = { id: string; change: PostChangeRequest }

const edit = changeRow<PostChange>({
  usage: 'edit <name>',
  description: 'Edit a post: its HTML in your editor (VISUAL, EDITOR), or the options you give',
  options: [['--title <title>', 'its title'], ...writing],
  examples: ['edit five-pricing-tips', 'edit five-pricing-tips --title "Six pricing tips" --from tips.html'],
  plan(call) {
    const find = postNamed(call)
    const fields = withoutUnset({ ...fieldsOf(call), title: call.option('title') })
    const from = call.option('from')
    const isInEditor = from === undefined && Object.keys(fields).length === 0
    if (isInEditor && !call.io.isTTY.stdin) throw usageError('Name what to change: --title, --from or another option.')
    return async (client) => {
      const { id } = await find(client)
      const { version, slug, content } = await request(AdminPost, client.api.admin.blog({ id }).get())
      const text = isInEditor
        ? await inEditor(call, `${slug}.html`, content)
        : from === undefined
          ? undefined
          : await readFrom(call.io, from)
      const given = withoutUnset({ ...fields, content: text, version })
      return plannedWriting({ id, change: parseArgument(PostChangeRequest, given) })
    }
  },
  apply:
    (_call, { id, change }) =>
    async ({ api }) =>
      written(await request(AdminPost, api.admin.blog({ id }).patch(change)), 'changed'),
})

/** If the site refuses the text, we keep the file and say where it is. */
async function inEditor({ io }: Call, name: string, text: string): Promise<string> {
  const draft = openDraft(io, name, text)
  const content = await openEditor(io, draft.file)
  if (draft.isWritten()) return content
  draft.remove()
  throw usageError('Nothing written.')
}

export const postRows = [list, show, add, edit, ...rows]

export const registerPosts = registersRows(postRows)
