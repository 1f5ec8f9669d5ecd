/**
 * An everyday run draws one batch of seeds. The full run goes on for so many minutes: on a slow machine it draws fewer, and still
 * ends within half an hour. SEED_MINUTES=60 looks for longer.
 */
export async function drawBatches(minutes: number, batch: () => Promise<void>): Promise<void> {
  const end = performance.now() + (process.env.FULL ? Number(process.env.SEED_MINUTES ?? minutes) * 60_000 : 0)
  do await batch()
  while (performance.now() < end)
}
