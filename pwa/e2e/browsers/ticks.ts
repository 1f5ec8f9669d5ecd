import { request } from '@playwright/test'
import * as v from 'valibot'
import { ProgressChange, SyncRequest } from '#shared/contract/progress.ts'
import { progressByTitle } from '../members-steps.ts'
import { logInOverHttp } from '../people.ts'
import { expect, type Site } from './fixtures.ts'

/** What was ticked, as the server was told: each once. */
export async function ticked(site: Site, titles: readonly string[]): Promise<void> {
  const sent = site.asked
    .filter(({ path, status }) => path === '/api/video-progress/sync' && status === 200)
    .flatMap(({ body }) => v.parse(SyncRequest, JSON.parse(body)).changes)
  expect(sent.map((change) => v.parse(ProgressChange, change).completed)).toEqual(titles.map(() => true))
}

/** What the server has, as the member's other phone would see it. A tick may have been sent twice: it's taken once, by its id. */
export async function kept(site: Site, email: string, titles: readonly string[]): Promise<void> {
  const other = await request.newContext({ baseURL: site.url })
  await logInOverHttp(other, email)
  const all = Object.fromEntries(titles.map((title) => [title, true]))
  await expect.poll(() => progressByTitle(other)).toEqual(all)
  await other.dispose()
}
