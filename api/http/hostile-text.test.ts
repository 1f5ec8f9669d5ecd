import * as v from 'valibot'
import { expect, test } from 'vitest'
import { withoutModules } from '#api/features/imports/posts/modules-rules.ts'
import { withoutShortcodes } from '#api/features/imports/posts/shortcodes-rules.ts'
import { FileProblem, readMarkdown } from '#api/features/site/blog/markdown-rules.ts'
import { startWorld } from '#api/testing/world.ts'
import { LegalText } from '#shared/contract/texts/legal.ts'
import { splitAddresses } from '#shared/rules/linked-text.ts'
import { readRichText } from '#shared/rules/rich-text.ts'
import { readCaptions, transcriptOf } from '#shared/values/captions.ts'
import { hasContent, readingMinutes, slugOf } from '#shared/values/posts.ts'
import { typeOfPasted } from '#shared/values/video-source.ts'
import { problemOfText } from '#shared/values/written-text.ts'

const size = 200_000
/** Leaves room for the text around it. */
const filledWith = (text: string) => text.repeat((size - 100) / text.length)
const harmless = filledWith('A good day. ')

/** The faster of two runs, in case something else took the CPU during one. */
async function fastest(work: () => unknown): Promise<number> {
  const times: number[] = []
  for (let run = 0; run < 2; run += 1) {
    const began = performance.now()
    await work()
    times.push(performance.now() - began)
  }
  return Math.min(...times)
}

/** Quadratic time would take thousands of times as long as for harmless text. */
async function expectLinear(read: (text: string) => unknown, hostile: string): Promise<void> {
  const floor = await fastest(async () => {
    await read(harmless)
    await read(harmless)
  })
  // A busy machine makes tiny measurements useless, while quadratic code takes a minute.
  expect(await fastest(() => read(hostile))).toBeLessThan(50 * Math.max(5, floor))
}

test.each([
  ['a heading of marks', `# ${filledWith('# ')}\rx`],
  ['a heading of blanks', `# a${filledWith(' ')}x`],
  ['a heading of blanks that does not begin', `#${filledWith(' ')}\rx`],
  ['pictures without an address', filledWith('<img ')],
  ['facts that never end', `---\n${filledWith('\n--- ')}`],
])('a post with %s is read as fast as another', async (_what, hostile) => {
  await expectLinear((text) => {
    try {
      readMarkdown({ name: 'a.md', text: text.slice(0, size) })
    } catch (error) {
      expect(error).toBeInstanceOf(FileProblem)
    }
  }, hostile)
})

const levels = Array.from({ length: 5 }, (_, at) => at)
const named = (value: string) => `title: Vans\na: &a ${value}\n`

test.each([
  ['values that hold each other', named(`[x]\n${levels.map((at) => `b${at}: &b${at} [*a, *a]`).join('\n')}`)],
  ['a value put into another', named('{x: 1}\nb: {<<: *a}')],
  ['the same by another spelling', named('{x: 1}\nb: {"\\x3c<":*a}')],
  ['a value that holds itself', named('[*a]')],
  ['a name of signs', `title: Vans\na: &!a [x]\nb: *!a\n`],
  ['a name of a blank that does not break', `title: Vans\na: &\u00a0a [x]\nb: *\u00a0a\n`],
  ['a name of the end of a line', `title: Vans\na: &\u2028 [x]\nb: *\u2028\n`],
])('facts of a post with %s are refused, as they may become as large as they like', (_what, facts) => {
  const text = `---\n${facts}\n---\nWords.`
  expect(() => readMarkdown({ name: 'a.md', text })).toThrow('We can’t read &names and *names')
})

test('a title with such signs is a title', () => {
  const text = '---\ntitle: "Nuts &bolts & *more*"\nexcerpt: R&D, **boldly** &amp; well\n---\nWords.'
  expect(readMarkdown({ name: 'a.md', text }).post.title).toBe('Nuts &bolts & *more*')
})

test.each(['%', '%E0%A4%A', '%zz%', '%C0%80'])('a session of %j is nobody’s', async (value) => {
  const world = startWorld()
  const { cookie } = world.signIn(world.addMember())
  const [name = ''] = cookie.split('=')
  const { status } = await world.handle(
    new Request('http://localhost/api/auth/user', { headers: { cookie: `${value}; ${name}=${value}; ${value}=1` } }),
  )
  expect(status).toBe(401)
})

const vttOf = (words: string) => `WEBVTT\n\n00:01.000 --> 00:02.000\n${words}`
/** One caption per word, as some programs write them, with no sentence breaks or pauses. */
const cuesOf = (text: string) => text.split(' ').map((words, at) => ({ from: at, until: at + 1, words }))
const legalOf = (lead: string) => ({
  title: 'Terms',
  description: 'Ours',
  heading: 'Terms',
  lead: 'What we promise.',
  updated: '2026-11-21',
  sections: [{ heading: 'One', body: [lead] }],
})

test('in a legal page, an address that is never closed is no link; a link that leads nowhere is refused', () => {
  const isTaken = (lead: string) => v.is(LegalText, legalOf(lead))
  expect(['[a](b', 'See [our prices](ask us', '[a](/b) [c](d', `a${'](b'.repeat(1_000)}`].map(isTaken)).toEqual(
    Array(4).fill(true),
  )
  expect(['[a](b)', '[a]()', '[a](b) [c](/d)', '[a](/b c)'].map(isTaken)).toEqual(Array(4).fill(false))
})

test.each<[string, (text: string) => unknown, string]>([
  ['captions', (text) => readCaptions(vttOf(text)), filledWith('<')],
  ['an .srt', (text) => readCaptions(`1\n00:01,000 --> 00:02,000\n${text}`), filledWith('<a{\\')],
  ['MDX', withoutModules, filledWith('{/*')],
  ['the code of MDX', withoutModules, filledWith('```x\n')],
  ['the elements of MDX', withoutModules, filledWith('<A "')],
  ['WordPress’ marks', withoutShortcodes, filledWith('<!-- wp:a ')],
  ['a transcript', (text) => transcriptOf(cuesOf(text)), filledWith('so ')],
  ['an announcement', readRichText, `- ${filledWith(' ')}x\u2028y`],
  ['the links of an announcement', readRichText, filledWith('[a](b')],
  ['the bold words of an announcement', readRichText, filledWith('**')],
  ['a legal page', (text) => v.safeParse(LegalText, legalOf(text)), filledWith('](')],
  ['a written text', problemOfText, `](${filledWith(' ')}`],
  ['addresses', splitAddresses, filledWith('https://.')],
  ['an address', splitAddresses, `https://${filledWith('.')}`],
  ['a title', slugOf, `a${filledWith('- ')}é`],
  ['a post’s length', readingMinutes, filledWith('<')],
  ['whether a post is empty', hasContent, filledWith('<img')],
  ['an embed code', (text) => typeOfPasted('wistia', text), `<iframe ${filledWith(' src=')}></iframe>`],
  ['the blanks of an embed code', (text) => typeOfPasted('wistia', text), `<iframe src${filledWith(' ')}></iframe>`],
  ['an address without its scheme', (text) => typeOfPasted('wistia', text), filledWith('a.')],
])('%s of hostile text is read as fast as of another', (_what, read, hostile) => expectLinear(read, hostile))
