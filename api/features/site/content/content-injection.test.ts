// @module-tag full
import { expect, test } from 'vitest'
import { createApp } from '#api/app.ts'
import { insertRow } from '#api/db/insert.ts'
import { contentOverrides } from '#api/db/schema/content.ts'
import { invalidateResponses } from '#api/serving/kept-answers.ts'
import { contentOf, schemaOf } from '#api/site/content.ts'
import { attacks } from '#api/testing/attacks.ts'
import { siteIn } from '#api/testing/built-site.ts'
import { dangersIn } from '#api/testing/dangers.ts'
import { readError, startWorld } from '#api/testing/world.ts'
import { ContentPage } from '#shared/contract/admin-content.ts'
import { fieldOf, textsIn } from '#shared/contract/text-fields.ts'
import { mailKinds } from '#shared/contract/texts/mails.ts'
import { problemOfText } from '#shared/values/written-text.ts'

/** Braces are placeholders, and refused as such. */
const corpus = Object.values(attacks).map((attack) => attack.replace(/[{}]/g, ''))

function filledWith(value: unknown, schema: Parameters<typeof fieldOf>[0], next: () => string): unknown {
  const places = new Set(textsIn(fieldOf(schema), value).map(([entry]) => entry))
  const fill = (part: unknown, entry: string): unknown => {
    // Cut to the shortest limit among these fields.
    if (places.has(entry)) return next().slice(0, /shortName$|circuits/.test(entry) ? 16 : 1000)
    if (Array.isArray(part)) return part.map((item, at) => fill(item, `${entry}.${at}`))
    if (typeof part !== 'object' || part === null) return part
    const parts = Object.entries(part).map(([name, one]) => [name, fill(one, entry ? `${entry}.${name}` : name)])
    return Object.fromEntries(parts)
  }
  return fill(value, '')
}

test('what could run is refused where owners write it', async () => {
  const world = startWorld()
  const owner = world.signIn(world.addOwner())
  const refused = Object.values(attacks).filter((attack) => problemOfText(attack) !== null)
  expect(refused.length).toBeGreaterThan(40)
  for (const attack of refused) {
    const body = { version: 0, entry: 'heading', value: attack }
    const error = await readError(await owner('/api/admin/content/about', { method: 'PUT', body }))
    expect([attack, error.code]).toEqual([attack, 'invalid'])
  }
})

/** Each text gets the next attack. Each round starts three attacks later, so every text gets a third of them. */
const starts = process.env.FULL ? [...corpus.keys()].filter((at) => at % 3 === 0) : [0]

test.each(starts)(
  'and stored all the same, nothing of it runs on any page, in the editor’s frame or in a mail (%i)',
  async (start) => {
    const world = startWorld()
    const site = createApp(world.ctx, { site: siteIn(world.ctx.settings.dataDir) })
    const owner = world.signIn(world.addOwner())
    let at = start
    const next = () => {
      at += 1
      return corpus[at % corpus.length] ?? ''
    }
    const files = contentOf(world.ctx).files()
    const updatedAt = world.ctx.now().toISOString()
    for (const page of ContentPage.options.filter((name) => name !== 'mails')) {
      const value = filledWith(files[page].value, schemaOf(page), next)
      for (const [entry, part] of Object.entries(value ?? {}))
        insertRow(world.ctx, contentOverrides, { page, entry, value: part, updatedAt })
    }
    for (const kind of mailKinds) {
      const value = { subject: next().slice(0, 110), opening: next(), closing: next() }
      insertRow(world.ctx, contentOverrides, { page: 'mails', entry: kind, value, updatedAt })
    }
    invalidateResponses(world.ctx)
    const see = async (path: string) => (await site.handle(new Request(new URL(path, 'http://localhost:3000')))).text()
    for (const page of ContentPage.options.filter((name) => !['mails', 'follow-ups', 'search-words'].includes(name))) {
      const { frame } = await (await owner(`/api/admin/content/${page}/draft`)).json()
      const path = new URL(frame, 'http://localhost').pathname
      for (const html of [await see(path), await see(frame)]) expect([page, dangersIn(html)]).toEqual([page, []])
    }
    expect(await see('/about')).toContain('alert(1)')
    for (const kind of mailKinds) {
      const html = await (await owner(`/api/admin/mail-words/${kind}`)).text()
      expect([kind, dangersIn(html)]).toEqual([kind, []])
    }
  },
)
