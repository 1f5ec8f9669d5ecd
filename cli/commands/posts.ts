import type { Client } from '#cli/connection.ts'
import { findEntry } from '#cli/find-entry.ts'
import { dayLabel, yesNoLabel } from '#cli/labels.ts'
import type { PageQuery } from '#cli/list.ts'
import { recordSheet, sectionsOutput } from '#cli/output.ts'
import { parseArgument, request, requestPage, withoutUnset } from '#cli/request.ts'
import { type Call, listRow, registersRows, showRow } from '#cli/rows.ts'
import { shownRows } from '#cli/shown-rows.ts'
import { csvFields, type Table } from '#cli/table.ts'
import {
  AdminPost,
  AdminPostList,
  AdminPostQuery,
  type AdminPostSummary,
  PostRemoved,
} from '#shared/contract/admin-post.ts'

const postsTable: Table<AdminPostSummary> = {
  title: 'Posts',
  empty: 'There are no posts.',
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
  description: 'List the posts of the blog, drafts too, the newest first',
  options: [
    ['--show <which>', 'published or draft'],
    ['--search <words>', 'those that hold these words'],
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
    ...{ noun: 'posts', given: call.argument(0) },
    matches: ({ slug }: AdminPostSummary, given) => slug === given,
    // By its name a post is found among all: the search reads titles.
    pages: (client, { q: _title, ...query }) => pagesOf(client, query),
  })

const show = showRow({
  usage: 'show <name>',
  description: 'Show a post with its HTML',
  examples: ['show five-van-tips', 'show five-van-tips --jq .content'],
  read: (call) => async (client) => {
    const { id } = await postNamed(call)(client)
    return request(AdminPost, client.api.admin.blog({ id }).get())
  },
  output: ({ content, ...post }) =>
    sectionsOutput({ json: { ...post, content }, csv: () => recordSheet({ ...post, content }) }, [
      {
        title: post.title,
        details: [
          { label: 'Name', value: post.slug },
          { label: 'Published', value: post.isPublished ? dayLabel(post.publishedAt) : 'no' },
          { label: 'Author', value: post.author },
        ],
        note: content,
      },
    ]),
})

const rows = shownRows({
  ...{ what: 'post', argument: 'name', example: 'five-van-tips', find: postNamed },
  publish: ({ api }, { id, ...change }) => request(AdminPost, api.admin.blog({ id }).patch(change)),
  remove: ({ api }, { id, version }) => request(PostRemoved, api.admin.blog({ id }).delete({}, { query: { version } })),
})

export const postRows = [list, show, ...rows]

export const registerPosts = registersRows(postRows)
