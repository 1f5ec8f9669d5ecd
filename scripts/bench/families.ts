/** `bun families.ts FAMILY FOLDER [path…]` measures one family on the fixture in this folder. */
import { type Fixture, openFixture } from './fixture.ts'

type Family = (fixture: Fixture, paths: readonly string[]) => Promise<void>

/** Each loads only what it needs. */
export const families: Record<string, Family> = {
  read: async (fixture) => (await import('./reads.ts')).measureRead(fixture),
  list: async (fixture) => (await import('./reads.ts')).measureList(fixture),
  page: async (fixture) => (await import('./reads.ts')).measurePage(fixture),
  tick: async (fixture) => (await import('./ticks.ts')).measureTick(fixture),
  ticks: async (fixture) => (await import('./ticks.ts')).measureTicksOfMany(fixture),
  sync: async (fixture) => (await import('./ticks.ts')).measureSync(fixture),
  money: async (fixture) => (await import('./money.ts')).measureMoney(fixture),
  uploads: async (fixture) => (await import('./uploads.ts')).measureUploads(fixture),
  shelf: async (fixture) => (await import('./shelf.ts')).measureShelf(fixture),
  login: async (fixture) => (await import('./floods.ts')).measureLogin(fixture),
  floods: async (fixture) => (await import('./floods.ts')).measureFloods(fixture),
  intake: async (fixture) => (await import('./intake.ts')).measureIntake(fixture),
  admin: async (fixture) => (await import('./admin.ts')).measureAdmin(fixture),
  start: async (fixture) => (await import('./starts.ts')).measureStart(fixture),
  terminal: async (fixture) => (await import('./starts.ts')).measureTerminal(fixture),
  offline: async (fixture) => (await import('./members.ts')).measureOffline(fixture),
  members: async (fixture) => (await import('./members.ts')).measureMembers(fixture),
  questions: async (fixture) => (await import('./questions.ts')).measureQuestions(fixture),
  engines: async (fixture) => (await import('./engines.ts')).measureEngines(fixture),
  repeat: async (fixture) => (await import('./visits.ts')).measureRepeatVisits(fixture),
  press: async (fixture) => (await import('./presses.ts')).measurePresses(fixture),
  weight: async (fixture, paths) => (await import('./visits.ts')).measurePageWeight(fixture, paths),
  lighthouse: async (fixture, paths) => (await import('./lighthouse.ts')).measureLighthouse(fixture, paths),
}

if (import.meta.main) {
  const [name = '', folder = '', ...paths] = process.argv.slice(2)
  process.once('SIGTERM', () => process.exit(130))
  await families[name]?.(openFixture(folder), paths)
  process.exit()
}
