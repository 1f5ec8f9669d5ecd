import { expect, test } from 'vitest'
import { outsideReaders } from '#api/testing/outside-readers.ts'
import { commonWorst, type OutsideReader, type Worst, worstText } from '#api/testing/outside-texts.ts'

/** Below this even four times the work would be quick. It's far more than the clock's own step. */
const quickMs = 12

/** Processor time, and the least of a few: other work on the machine can only add to it. */
async function leastMs({ read }: OutsideReader, text: string): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let time = 0; time < 3 && least > quickMs; time += 1) {
    const from = process.threadCpuUsage()
    try {
      await read(text)
    } catch {
      // It may refuse the text, as long as that's quick.
    }
    const { user, system } = process.threadCpuUsage(from)
    least = Math.min(least, (user + system) / 1000)
  }
  return least
}

/**
 * What of a reader's texts costs more than three times as much at twice the length. It's seen over two doublings, where a square
 * takes sixteen times as much and not nine.
 */
async function tooSteep(reader: OutsideReader, worst: readonly Worst[], length: number): Promise<string[]> {
  const found: string[] = []
  for (const one of worst) {
    const [long, short] = [worstText(one, length), worstText(one, length / 4)]
    let [whole, part] = [Number.POSITIVE_INFINITY, 0]
    // What's wrong is wrong each time.
    for (let tries = 0; tries < 5 && whole > quickMs && whole > 9 * part; tries += 1) {
      whole = Math.min(whole, await leastMs(reader, long))
      part = Math.max(part, whole <= quickMs ? 0 : await leastMs(reader, short))
    }
    if (whole > quickMs && whole > 9 * part)
      found.push(`${JSON.stringify(one)}: ${part.toFixed(1)} ms, then ${whole.toFixed(1)} ms`)
  }
  return found
}

test.each(outsideReaders)(
  'twice the text is at most three times the work: $name',
  { tags: ['full'], timeout: 300_000 },
  async (reader) => {
    expect(await tooSteep(reader, reader.worst, 100_000)).toEqual([])
  },
)

test.each(outsideReaders)(
  '… whatever the text is made of: $name',
  { tags: ['full'], timeout: 600_000 },
  async (reader) => {
    expect(await tooSteep(reader, commonWorst, 200_000)).toEqual([])
  },
)
