import { rmSync } from 'node:fs'
import { type Attempt, type Door, faultsOfDatabase } from './attempt.ts'
import { webhookDoor } from './doors-money.ts'
import { backupDoor, openMailingDoor, terminalDoor } from './doors-owner.ts'
import { apiDoor, syncDoor, uploadDoor } from './doors-site.ts'
import type { Proof } from './proof.ts'
import { openSite, type Site } from './site.ts'

/** A folder that has grown makes each check slower, and a payment sandbox’s cards expire after so many months. */
const killsAFolder = 10

export type Doors = Record<string, Door>

export async function openDoors(): Promise<{ all: Doors; close(): Promise<void> }> {
  const mailing = await openMailingDoor()
  const sites = { API: apiDoor, webhook: webhookDoor, sync: syncDoor, upload: uploadDoor }
  return { all: { ...sites, mailing, backup: backupDoor, terminal: terminalDoor }, close: mailing.close }
}

export async function proveKills(proof: Proof, doors: Doors, killsADoor: number): Promise<void> {
  // In turns, so that a run that’s cut off has something of each.
  for (let most = 0; most < killsADoor; ) {
    most = Math.min(killsADoor, most + killsAFolder)
    for (const [name, door] of Object.entries(doors)) {
      const done = proof.state.kills[name] ?? { kills: 0, underWay: 0, caught: 0, acknowledged: 0 }
      proof.state.kills[name] = done
      if (done.kills < most) await killInOneFolder(proof, { name, door, most })
    }
  }
}

type Round = { name: string; door: Door; most: number }

async function killInOneFolder(proof: Proof, { name, door, most }: Round): Promise<void> {
  const { state } = proof
  const done = state.kills[name]
  if (done === undefined) return
  const site = await openSite(proof.copyDataDir(), door.env)
  try {
    const begin = await door.open(site)
    while (done.kills < most) {
      const { underWay, acknowledged, faults } = await killOnce(site, await begin())
      done.kills += 1
      done.underWay += underWay
      done.caught += Number(underWay > 0)
      done.acknowledged += acknowledged
      proof.found(faults.map((fault) => `${name}: ${fault}`))
      proof.progress(`kill -9, ${name}`, done.kills, most)
    }
  } finally {
    await site.kill()
    rmSync(site.dataDir, { recursive: true })
  }
}

async function killOnce(site: Site, { fromMs = 0, withinMs, kill = site.kill, ended, ...attempt }: Attempt) {
  const wrong = faultOf(ended)
  await Bun.sleep(fromMs + Math.random() * (withinMs - fromMs))
  const underWay = attempt.underWay()
  await kill()
  const before = await wrong
  const acknowledged = attempt.acknowledged()
  if (kill === site.kill) await site.start()
  const after = await attempt.check().catch((error) => [String(error)])
  return { underWay, acknowledged, faults: [...before, ...after, ...faultsOfDatabase(site)] }
}

const faultOf = (work: Promise<unknown>): Promise<string[]> =>
  work.then(
    () => [],
    (error) => [String(error)],
  )
