import * as v from 'valibot'
import { ProgressChange, SyncRequest } from '#shared/contract/progress.ts'
import { expect, type Site } from './fixtures.ts'

/** What was ticked, as the server was told: each once. */
export async function ticked(site: Site, titles: readonly string[]): Promise<void> {
  const sent = site.asked
    .filter(({ path, status }) => path === '/api/video-progress/sync' && status === 200)
    .flatMap(({ body }) => v.parse(SyncRequest, JSON.parse(body)).changes)
  expect(sent.map((change) => v.parse(ProgressChange, change).completed)).toEqual(titles.map(() => true))
}
