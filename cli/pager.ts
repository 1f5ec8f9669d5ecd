import { type Io, write } from './io.ts'

/** Shows a long text a screen at a time by PAGER, or by less where there is one; PAGER=cat or an empty one writes it as it is. */
export async function showInPager(io: Io, text: string): Promise<void> {
  const pager = io.env.ALLIANCE_PAGER ?? io.env.PAGER ?? 'less'
  if (pager === '' || pager === 'cat' || Bun.which(pager.split(' ')[0] ?? '') === null) return write(io.stdout, text)
  const child = Bun.spawn(['sh', '-c', pager], {
    stdio: [new Blob([text]), 'inherit', 'inherit'],
    // Colours pass, a text that fits is left on the screen, and the screen stays as it was.
    env: { ...io.env, LESS: io.env.LESS ?? 'FRX' },
  })
  await child.exited
}
