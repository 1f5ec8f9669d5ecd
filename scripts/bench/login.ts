import { sandboxPassword } from '#data/seed/people.ts'
import type { Fixture } from './fixture.ts'
import { productEnv, type RunningServer, startServer, withServer } from './programs.ts'
import { durationRow, type Result } from './result.ts'

const wrongTries = 200
const rounds = 5
const mostMs = 1000

/** How long a login takes during a flood of wrong passwords. The floor is one hash. */
export async function measureLogin({ copyDataDir }: Fixture): Promise<Result[]> {
  const env = { ...(await productEnv(copyDataDir())), TRUSTED_PROXIES: '127.0.0.1' }
  return withServer(startServer(['dist/api/main.js'], env), async (server) => {
    const device = await logIn(server, { from: '10.9.0.1' })
    const fromOne = await slowestLogin(server, (round) => ({ flood: () => `10.1.0.${round}`, from: '10.9.0.2' }))
    const fromMany = await slowestLogin(server, (round) => ({
      flood: (index) => `10.${round + 10}.1.${index}`,
      from: '10.9.0.3',
      cookie: device.cookie,
    }))
    return [
      durationRow(`Login during ${wrongTries} wrong tries from one address, the slowest`, fromOne, mostMs),
      durationRow('The same from as many addresses, on a known device', fromMany, mostMs),
    ]
  })
}

type Sender = { from: string; email?: string; password?: string; cookie?: string }
type Round = Sender & { flood: (index: number) => string }

async function slowestLogin(server: RunningServer, roundOf: (round: number) => Round): Promise<number> {
  let slowest = 0
  for (let round = 0; round < rounds; round += 1) {
    const { flood, ...person } = roundOf(round)
    const tries = Array.from({ length: wrongTries }, (_, index) =>
      logIn(server, { from: flood(index), email: `nobody-${round}-${index}@example.com`, password: 'wrong-wrong-42' }),
    )
    const start = performance.now()
    const { status } = await logIn(server, person)
    slowest = Math.max(slowest, performance.now() - start)
    if (status !== 200) throw new Error(`A login got ${status} beside the wrong tries.`)
    await Promise.all(tries)
  }
  return slowest
}

async function logIn({ url }: RunningServer, { from, cookie, ...given }: Sender) {
  const response = await fetch(`${url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': from, ...(cookie && { cookie }) },
    body: JSON.stringify({ email: 'standard@alliance.test', password: sandboxPassword, ...given }),
  })
  await response.arrayBuffer()
  const cookies = response.headers.getSetCookie().map((one) => one.split(';')[0])
  return { status: response.status, cookie: cookies.at(-1) ?? '' }
}
