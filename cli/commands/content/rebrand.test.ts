import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createApp } from '#api/app.ts'
import { relational } from '#api/db/tables.ts'
import { queueMessage } from '#api/mail/outbox.ts'
import { siteIn } from '#api/testing/built-site.ts'

import { openDataFolder } from '#cli/testing/server.ts'

const files = ['manifest.webmanifest', 'favicon.ico', 'icons/icon.svg', 'icons/icon-512.png', 'social/default.png']
const shipped = /alliance|ffdc00|173f9e|a5bdff/i

test('a rebrand by commands alone leaves no trace on any page, in the files made of the brand, in feeds and mails', {
  tags: ['full'],
}, async () => {
  const scratch = mkdtempSync(join(tmpdir(), 'alliance-rebrand-'))
  const folder = openDataFolder()
  try {
    const { ctx } = folder.world
    const site = siteIn(scratch)
    const app = createApp(ctx, { site })
    const read = async (path: string) => {
      const response = await app.handle(new Request(`http://localhost${path}`))
      return { status: response.status, text: Buffer.from(await response.arrayBuffer()).toString('latin1') }
    }
    const paths = (await read('/sitemap.xml')).text.matchAll(/<loc>https?:\/\/[^/<]+([^<]*)<\/loc>/g)
    const all = [
      ...[...paths].map(([, path = '']) => path || '/'),
      '/app-shell',
      '/nope',
      '/rss.xml',
      ...files.map((name) => `/${name}`),
    ]
    expect(all.length).toBeGreaterThan(25)
    for (const path of files) expect((await read(`/${path}`)).status).toBe(200)
    expect((await read('/')).text).toMatch(shipped)

    const coach = (at: number) => ({
      id: `coach-${at}`,
      name: `Coach ${at}`,
      chat: `https://wa.me/44790000000${at}`,
      email: `c${at}@bench.example`,
    })
    const words = {
      'brand.name': 'Bench & Sons',
      'brand.shortName': 'Bench',
      'brand.logo': '',
      'brand.colours': { accent: '#7ee0c3', link: '#7a0010' },
      coaches: [coach(1), coach(2)],
    }
    const quotient = { 'success.help.email': 'quotes@bench.example' }
    const copy = {
      format: 'alliance-site-copy',
      version: 1,
      madeAt: ctx.now().toISOString(),
      words: { site: words, quotient },
    }
    writeFileSync(join(scratch, 'bench.json'), JSON.stringify(copy))
    const put = await folder.local(`content import ${scratch}/bench.json --yes`)
    expect(put).toMatchObject({ code: 0, err: '' })

    for (const [slug, name] of [
      ['lite', 'Bench-Lite'],
      ['standard', 'Bench'],
      ['xl', 'Bench-XL'],
    ])
      expect((await folder.local(`tiers set ${slug} --name ${name}`)).code).toBe(0)

    // Written by another connection, as another process would. CPU time, since the machine may be busy.
    const before = process.cpuUsage()
    const first = await Promise.all(['/', '/manifest.webmanifest', '/icons/icon.svg'].map(read))
    const { user, system } = process.cpuUsage(before)
    expect((user + system) / 1_000).toBeLessThan(1_000)
    for (const { text } of first) expect(text).not.toMatch(shipped)
    for (const path of all) {
      const { text } = await read(path)
      // The cookies keep the program's name, so the page about cookies has to use it.
      expect([path, shipped.exec(text.replace(/alliance_(session|device|code)/g, ''))]).toEqual([path, null])
    }
    expect((await read('/')).text).toMatch(/--hivis:#7ee0c3[\s\S]*Bench &amp; Sons[\s\S]*APPLY FOR (<!-- -->)?BENCH/)
    queueMessage(
      ctx,
      { cause: 'tea:1', to: 'sam@example.com', userId: null },
      { subject: 'Tea', heading: 'Tea', blocks: [] },
    )
    const [mail] = relational(ctx.db).query.mailOutbox.findMany().sync()
    expect(`${mail?.html} ${mail?.text}`).not.toMatch(shipped)
  } finally {
    folder.close()
    rmSync(scratch, { recursive: true })
  }
})
