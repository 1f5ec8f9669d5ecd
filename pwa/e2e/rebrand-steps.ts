import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import type { OwnServer } from './own-server.ts'
import { allianceIn } from './terminal.ts'

export const accent = '#7ee0c3'

/** Uses terminal commands, in a process next to the server. Returns the address of a coach's photograph. */
export async function rebrand(server: OwnServer, files: string): Promise<{ coach: string }> {
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await allianceIn(server.env, args)
    if (code !== 0) throw new Error(`alliance ${args.join(' ')}: ${stderr}`)
    return stdout.trim()
  }
  const put = async (page: string, entry: string, value: unknown) => {
    const file = join(files, 'entry.json')
    writeFileSync(file, JSON.stringify(value))
    await run('content', 'edit', page, entry, '--from', file, '--yes')
  }
  writeFileSync(
    join(files, 'logo.svg'),
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path fill="#0b6b57" d="M0 0h8v8H0z"/></svg>',
  )
  const photograph = { width: 1200, height: 1500, channels: 3, background: '#88aabb' } as const
  await sharp({ create: photograph }).jpeg().toFile(join(files, 'dave.jpg'))
  const logo = await run('media', 'add', join(files, 'logo.svg'))
  const coach = await run('media', 'add', join(files, 'dave.jpg'))
  await put('site', 'brand.colours', { accent, link: '#7a0010' })
  for (const [entry, words] of [
    ['name', 'Bench & Sons'],
    ['shortName', 'Bench'],
    ['logo', logo],
  ] as const) {
    writeFileSync(join(files, 'words.md'), `${words}\n`)
    await run('content', 'edit', 'site', `brand.${entry}`, '--from', join(files, 'words.md'), '--yes')
  }
  const contact = (at: number) => ({
    id: `coach-${at}`,
    chat: `https://wa.me/4479000000${at}`,
    email: `c${at}@bench.example`,
  })
  await put('site', 'coaches', [
    { ...contact(1), name: 'Dave Bench', photograph: { image: coach, alt: 'Dave in the workshop' } },
    { ...contact(2), name: 'Sue Plane' },
  ])
  await put('site', 'photographs', { founder: { image: coach, alt: 'Dave beside the van' } })
  for (const [slug, name] of [
    ['lite', 'Bench Lite'],
    ['standard', 'Bench'],
    ['xl', 'Bench XL'],
  ] as const)
    await run('tiers', 'set', slug, '--name', name)
  return { coach }
}
