import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { insertRow } from '#api/db/insert.ts'
import { coachingApplications, contacts, membershipApplications } from '#api/db/schema/forms.ts'
import { projectFolder } from '#api/project.ts'
import { coachingApplication, contactMessage } from '#api/testing/enquiries.ts'
import { type DataFolder, openDataFolder } from '#cli/testing/server.ts'

let folder: DataFolder
beforeAll(() => {
  folder = openDataFolder()
  const { ctx } = folder.world
  const createdAt = ctx.now().toISOString()
  const sender = { email: 'sam@example.com', phone: '07700 900123' }
  insertRow(ctx, membershipApplications, {
    id: '019a0000-0000-7000-8000-000000000001',
    firstName: 'Sam',
    lastName: 'Field',
    ...sender,
    businessName: 'Field, Sons & Co',
    trade: 'Painter',
    businessStage: 'growing',
    yearsInTrade: '12',
    currentChallenges: 'Quoting\nat night',
    goals: '“Two weeks” off',
    whyJoin: 'A mate',
    hearAboutUs: 'Podcast',
    agreeTerms: true,
    selectedTier: 'xl',
    status: 'approved',
    createdAt,
  })
  const { name, trade: _, ...answers } = coachingApplication
  const coaching = { ...answers, trade: 'painter', currentRevenue: '50k-100k', heardAbout: 'podcast' } as const
  insertRow(ctx, coachingApplications, {
    ...coaching,
    id: '019a0000-0000-7000-8000-000000000002',
    name,
    timeCommitment: '3-5',
    investment: '1k-3k',
    createdAt,
  })
  insertRow(ctx, coachingApplications, {
    id: '019a0000-0000-7000-8000-000000000003',
    name: 'Kelly Byrne',
    ...sender,
    trade: 'other',
    biggestChallenge: 'Time',
    goals: 'Rest',
    timeCommitment: '10+',
    investment: '5k+',
    status: 'rejected',
    createdAt,
  })
  insertRow(ctx, contacts, { ...contactMessage, id: '019a0000-0000-7000-8000-000000000004', createdAt })
  const kelly = { name: 'Kelly Byrne', email: 'kelly@example.com', message: 'Hello' }
  insertRow(ctx, contacts, { ...kelly, id: '019a0000-0000-7000-8000-000000000005', createdAt })
})
afterAll(() => folder.close())

const terminal = (columns: number) => ({
  isTTY: { stdin: true, stdout: true },
  columns,
  env: { ...folder.env, NO_COLOR: '1' },
})

test('what the public forms brought in is listed byte for byte as it always was, in each width and format', async () => {
  const shown: string[] = []
  for (const line of ['applications list', 'applications coaching', 'contacts list']) {
    for (const columns of [40, 80, 120]) {
      const { out } = await folder.local(line, terminal(columns))
      shown.push(`$ alliance ${line}  (${columns} columns)\n${out}`)
    }
    for (const format of ['', '--csv', '--json']) {
      const { out } = await folder.local(`${line} ${format}`)
      shown.push(`$ alliance ${line} ${format}\n${out}`)
    }
  }
  await expect(shown.join('\n')).toMatchFileSnapshot(join(projectFolder, 'cli/testing/inbox-lists.txt'))
})
