import { expect, test } from 'vitest'
import { runJob } from '#api/features/operations/jobs/service.ts'
import { addQuestion } from '#api/testing/asked-rows.ts'
import { addManyMembers, memberId } from '#api/testing/many-members.ts'
import { startWorld, type World } from '#api/testing/world.ts'

/** Lists that grow with the membership, and a member's own rows among so many. */
const lists = [
  '/api/admin/commission-history',
  '/api/admin/commission-statements/2026-04',
  '/api/admin/inactive-members',
  '/api/admin/invoices',
  '/api/admin/invoices?month=2026-04',
  '/api/admin/invoices?member=member-7@many.test',
  '/api/admin/member-payments',
  '/api/admin/member-payments?sort=name&q=no',
  '/api/admin/members',
  '/api/admin/members?sort=name&q=no',
  '/api/admin/mrr',
  '/api/admin/questions',
  '/api/admin/questions?filter=all&q=no',
  '/api/admin/questions?filter=answered',
  '/api/admin/revenue-months',
  '/api/admin/tiers',
  '/api/admin/today',
  '/api/auth/user',
  '/api/billing/invoices',
]

type Step = { id: number; parent: number; detail: string }

function startWithMembers(count: number) {
  const statements = new Set<string>()
  let isHeard = false
  const world = startWorld({ onStatement: (text) => isHeard && statements.add(text) })
  addManyMembers(world.ctx, count)
  for (let at = 1; at <= count; at += 1) addQuestion(world.ctx, { userId: memberId(at) })
  const [owner, member] = [world.signIn(world.addOwner()), world.signIn({ ...world.addUser(), id: memberId(7) })]
  const read = async (path: string) => {
    const response = await (path.startsWith('/api/admin') ? owner : member)(path)
    expect([path, response.status]).toEqual([path, 200])
    await response.text()
  }
  return {
    world,
    read,
    async statementsOf(asked: string | (() => Promise<unknown>)) {
      statements.clear()
      isHeard = true
      await (typeof asked === 'string' ? read(asked) : asked())
      isHeard = false
      return [...statements].filter((text) => /^\s*(select|with)/i.test(text))
    },
  }
}

/** Fakes `analyze` statistics for a hundred thousand members, scaled up from a few. */
function pretendStatistics({ ctx: { sqlite } }: World, count: number): void {
  sqlite.exec('analyze')
  const factor = 100_000 / count
  const rows = sqlite.prepare<[], { rowid: number; stat: string }>('select rowid, stat from sqlite_stat1').all()
  const scaled = (stat: string) => {
    const [all = 0, ...rest] = stat.split(' ').map(Number)
    // Rows per key. If that's a share of the table, the share stays the same.
    return [all, ...rest].map((each) => (each > all / 20 ? Math.round(each * factor) : each)).join(' ')
  }
  const write = sqlite.prepare<[string, number]>('update sqlite_stat1 set stat = ? where rowid = ?')
  for (const { rowid, stat } of rows) if (/^\d[\d ]*$/.test(stat)) write.run(scaled(stat), rowid)
  sqlite.exec('drop table if exists sqlite_stat4; analyze sqlite_schema')
}

/** Steps that scan a whole table for each row of another. JSON inside a row isn't a table, and index 0 of a virtual one is all of it. */
function repeatedScans({ ctx }: World, statement: string): string[] {
  const steps = ctx.sqlite.prepare<[], Step>(`explain query plan ${statement}`).all()
  const byId = new Map(steps.map((step) => [step.id, step]))
  const isLoop = ({ detail }: Step) => /^(SCAN|SEARCH)/.test(detail)
  const isRepeated = (step: Step): boolean => {
    const isInner = isLoop(step) && steps.some((one) => one.parent === step.parent && one.id < step.id && isLoop(one))
    const above = byId.get(step.parent)
    if (isInner || above === undefined) return isInner
    // An uncorrelated subquery runs once.
    return (
      above.detail.startsWith('CORRELATED') ||
      (!/SUBQUERY|MATERIALIZE|CO-ROUTINE/.test(above.detail) && isRepeated(above))
    )
  }
  return steps
    .filter((step) => /^SCAN (?!\(|json_each|\w+ VIRTUAL TABLE INDEX [1-9])/.test(step.detail) && isRepeated(step))
    .map(({ detail }) => `${detail}: ${statement}`)
}

test.each([
  ['without statistics', false],
  ['with statistics', true],
])('no list goes through a whole table for each of its rows, %s', async (_name, hasStatistics) => {
  const count = 40
  const { world, statementsOf } = startWithMembers(count)
  if (hasStatistics) pretendStatistics(world, count)
  for (const path of lists) {
    const scans = (await statementsOf(path)).flatMap((statement) => repeatedScans(world, statement))
    expect([path, scans]).toEqual([path, []])
  }
})

const stepsOf = ({ ctx }: World, statements: readonly string[]) =>
  statements
    .flatMap((text) => ctx.sqlite.prepare<[], Step>(`explain query plan ${text}`).all())
    .map(({ detail }) => detail)

test('the members of each tier and price are counted in the order of an index', async () => {
  const { world, statementsOf } = startWithMembers(40)
  pretendStatistics(world, 40)
  const counts = (await statementsOf('/api/admin/tiers')).filter((text) =>
    /count.*from "subscriptions".*group by/is.test(text),
  )
  const steps = stepsOf(world, counts)
  expect(steps[0]).toBe('SCAN subscriptions USING INDEX subscriptions_priced')
  expect(steps.filter((step) => step.includes('TEMP B-TREE'))).toEqual([])
})

test.each([
  ['without statistics', false],
  ['with statistics', true],
])('the owners’ first page of questions is read in the order of an index, %s', async (_name, hasStatistics) => {
  const { world, statementsOf } = startWithMembers(40)
  if (hasStatistics) pretendStatistics(world, 40)
  for (const [path, name] of [
    ['filter=all', 'questions_listed'],
    ['filter=waiting', 'questions_waiting'],
    ['filter=answered', 'questions_updated'],
  ]) {
    const page = (await statementsOf(`/api/admin/questions?${path}&limit=50`)).filter((text) =>
      /json_array.*order by/is.test(text),
    )
    const [first, ...rest] = stepsOf(world, page)
    expect([path, first]).toEqual([path, `SCAN questions USING INDEX ${name}`])
    expect(rest.filter((step) => step.includes('TEMP B-TREE'))).toEqual([])
  }
})

test.each([
  ['without statistics', false],
  ['with statistics', true],
])(
  'the job that runs each minute looks through no photo or voice note that’s here, %s',
  async (_name, hasStatistics) => {
    const { world, statementsOf } = startWithMembers(40)
    if (hasStatistics) pretendStatistics(world, 40)
    const looked = (await statementsOf(() => runJob(world.ctx, 'question-files'))).filter((text) =>
      text.includes('question_files'),
    )
    const scans = stepsOf(world, looked).filter((step) => /^SCAN question/.test(step))
    expect(looked.length).toBeGreaterThan(2)
    expect(scans.filter((step) => !/ INDEX question_files_(missing|unread|uncopied)$/.test(step))).toEqual([])
  },
)

test('every list answers within seconds, however many members there are, with and without statistics', {
  tags: ['full'],
}, async () => {
  const { world, read } = startWithMembers(process.env.FULL ? 20_000 : 60)
  for (const hasStatistics of [false, true]) {
    if (hasStatistics) world.ctx.sqlite.exec('analyze')
    for (const path of lists) {
      const from = process.cpuUsage()
      await read(path)
      // CPU time, so a busy machine doesn't fail the test.
      const { user, system } = process.cpuUsage(from)
      expect([path, user + system < 5_000_000]).toEqual([path, true])
    }
  }
})
