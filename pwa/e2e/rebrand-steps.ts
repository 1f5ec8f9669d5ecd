import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import type { OwnServer } from './own-server.ts'
import { allianceIn } from './terminal.ts'

export const accent = '#7ee0c3'

/** A copy of a site with these words of the whole site alone. */
export function wordsFile(folder: string, site: Record<string, unknown>): string {
  const file = join(folder, 'words.json')
  const copy = { format: 'alliance-site-copy', version: 1, madeAt: '2026-06-12T07:40:00.000Z', words: { site } }
  writeFileSync(file, JSON.stringify(copy))
  return file
}

/** Uses terminal commands, in a process next to the server. Returns the address of a coach's photograph. */
export async function rebrand(server: OwnServer, files: string): Promise<{ coach: string }> {
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await allianceIn(server.env, args)
    if (code !== 0) throw new Error(`alliance ${args.join(' ')}: ${stderr}`)
    return stdout.trim()
  }
  writeFileSync(
    join(files, 'logo.svg'),
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path fill="#0b6b57" d="M0 0h8v8H0z"/></svg>',
  )
  const photograph = { width: 1200, height: 1500, channels: 3, background: '#88aabb' } as const
  await sharp({ create: photograph }).jpeg().toFile(join(files, 'dave.jpg'))
  const logo = await run('media', 'add', join(files, 'logo.svg'))
  const coach = await run('media', 'add', join(files, 'dave.jpg'))
  const contact = (at: number) => ({
    id: `coach-${at}`,
    chat: `https://wa.me/4479000000${at}`,
    email: `c${at}@bench.example`,
  })
  const words = {
    'brand.colours': { accent, link: '#7a0010' },
    'brand.name': 'Bench & Sons',
    'brand.shortName': 'Bench',
    'brand.logo': logo,
    coaches: [
      { ...contact(1), name: 'Dave Bench', photograph: { image: coach, alt: 'Dave in the workshop' } },
      { ...contact(2), name: 'Sue Plane' },
    ],
    photographs: { founder: { image: coach, alt: 'Dave beside the van' } },
  }
  await run('content', 'import', wordsFile(files, words), '--yes')
  for (const [slug, name] of [
    ['lite', 'Bench Lite'],
    ['standard', 'Bench'],
    ['xl', 'Bench XL'],
  ] as const)
    await run('tiers', 'set', slug, '--name', name)
  return { coach }
}
