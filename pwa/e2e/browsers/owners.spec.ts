import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Visitor } from '../engines/visitor.ts'
import { expect, logIn, test } from './fixtures.ts'

const desk = { width: 1440, height: 900 }

/** As Google Docs and Word put it on the clipboard. */
const docs = `<meta charset="utf-8"><b style="font-weight:normal;" id="docs-internal-guid-0"><h1 dir="ltr"><span style="font-weight:400;">Quotes</span></h1><p dir="ltr"><span style="font-weight:400;">Plain words, </span><span style="font-weight:700;">bold words</span></p></b>`
const word = `<p class=MsoListParagraphCxSpFirst style='mso-list:l0 level1 lfo1'><![if !supportLists]><span style='mso-list:Ignore'>1.<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp;&nbsp; </span></span><![endif]>Measure<o:p></o:p></p><p class=MsoListParagraphCxSpLast style='mso-list:l0 level1 lfo1'><span style='mso-list:Ignore'>2.</span>Cut</p>`

test('ADMN-2 ADMN-6 ADMN-8 an owner opens Today, finds a member by keyboard, refunds them and downloads the list', async ({
  open,
}) => {
  const owner = await open(desk)
  await logIn(owner, 'owner@alliance.test')
  await owner.goto('/admin')
  await owner.sees('heading', 'Today')
  await find(owner, 'priya', 'Priya Shah')
  await owner.sees('heading', 'Priya Shah')
  await owner.press('button', /^Refund invoice/)
  await owner.fill('Amount with VAT (£)', '60')
  await owner.fill('Reason', 'A call that was missed')
  await owner.press('button', 'Refund £60.00')
  await owner.sees('text', '£60.00 refunded')
  await owner.sees('text', /“A call that was missed”/)
  await find(owner, 'members', 'Members')
  await owner.sees('heading', 'Members')
  await owner.press('button', 'CSV')
  const file = join(owner.launch.downloads, 'members.csv')
  await expect.poll(() => readdirSync(owner.launch.downloads), { timeout: 60_000 }).toEqual(['members.csv'])
  expect(readFileSync(file, 'utf8')).toContain('Priya')
})

test('ADMN-20 BLOG-9 an owner writes a post: types, makes bold, pastes from Docs and Word, undoes it', async ({
  open,
  request,
  site,
}) => {
  const owner = await open(desk)
  await logIn(owner, 'owner@alliance.test')
  await owner.goto('/admin/blog?post=new')
  await owner.fill('Title', 'Vans in the rain')
  await owner.press('field', 'Content')
  await owner.typeKeys('Small ')
  await owner.keys('Control+b')
  await owner.typeKeys('vans')
  await owner.keys('Control+b', 'Enter')
  await owner.paste(docs)
  await owner.sees('heading', 'Quotes')
  await owner.keys('Control+z')
  await owner.notSees('heading', 'Quotes')
  await owner.keys('Control+Shift+z')
  await owner.sees('heading', 'Quotes')
  await owner.keys('Control+End', 'Enter')
  await owner.paste(word)
  await owner.sees('listitem', 'Measure')
  await owner.fill('Publish', 'now')
  await owner.press('button', 'Publish now')
  await owner.sees('link', 'Vans in the rain')
  const { content } = await (await request.get(`${site.url}/api/blog/vans-in-the-rain`)).json()
  expect(content).toBe(
    '<p>Small <strong>vans</strong></p><h2>Quotes</h2><p>Plain words, <strong>bold words</strong></p><ol><li><p>Measure</p></li><li><p>Cut</p></li></ol>',
  )
})

test('an owner changes words on the page, in a field that grows with them and is as high when they come back', async ({
  open,
}) => {
  const owner = await open(desk)
  await logIn(owner, 'owner@alliance.test')
  await owner.goto('/admin/words?page=about')
  await owner.sees('field', 'Line below the heading')
  const [before] = await heightsOfLead(owner)
  await owner.fill('Heading', 'From the van')
  await owner.fill('Line below the heading', Array.from({ length: 8 }, () => longSentence).join(' '))
  await owner.sees('text', /in your draft, saved at/)
  await owner.readUntil(() =>
    /from the van.*price of an hour/is.test(document.querySelector('iframe')?.contentDocument?.body.textContent ?? ''),
  )
  const [typed, ofText] = await heightsOfLead(owner)
  expect(typed).toBeGreaterThan(before * 2)
  expect(ofText).toBeLessThanOrEqual(typed)
  await owner.reload()
  await owner.sees('field', 'Line below the heading')
  expect(await heightsOfLead(owner)).toEqual([typed, ofText])
})

const longSentence = 'We came up through the trades and know the price of an hour.'

/** Its own, and its text's. */
const heightsOfLead = (owner: Visitor) =>
  owner.read(() => {
    const { clientHeight = 0, scrollHeight = 0 } = document.getElementById('words-lead') ?? {}
    return [clientHeight, scrollHeight] as const
  })

test('ADMN-17 an upload that is cut goes on where it was, and a coach’s week is changed', async ({ open, site }) => {
  const owner = await open(desk)
  await logIn(owner, 'owner@alliance.test')
  await owner.goto('/admin/media')
  const file = join(owner.launch.downloads, 'long.pdf')
  writeFileSync(
    file,
    Buffer.concat([Buffer.from('%PDF-1.4\n'), Buffer.alloc(18_000_000, ' '), Buffer.from('\n%%EOF\n')]),
  )
  await owner.upload('Files to add', file)
  const pieces = () => site.asked.filter(({ method, status }) => method === 'PATCH' && status === 200).length
  await expect.poll(pieces, { intervals: [5], timeout: 60_000 }).toBeGreaterThan(0)
  await site.loseServer()
  await owner.sees('listitem', /long\.pdf.*(No signal|couldn’t|again)/)
  await site.restore()
  await owner.sees('text', 'Stored')
  await owner.goto('/admin/calendar')
  await owner.press('button', 'Next week')
  await owner.press('link', 'Weekly hours')
  await owner.press('button', 'Change Olive Hart’s hours, Sales Lion call')
  await owner.fill('Monday, from', '07:00')
  await owner.fill('Monday, until', '08:00')
  await owner.press('button', 'Tuesday to Friday same as Monday')
  await owner.press('button', 'Save hours')
  await owner.sees('text', /Mon–Fri 07:00–08:00/)
})

async function find(owner: Visitor, words: string, found: string) {
  await owner.keys('Control+k')
  await owner.sees('dialog', 'Find')
  await owner.typeKeys(words)
  await owner.readUntil((name) => document.querySelector('[role=option]')?.textContent?.includes(name), found)
  await owner.keys('Enter')
  await owner.notSees('dialog', 'Find')
}
