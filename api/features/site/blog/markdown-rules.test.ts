import { expect, test } from 'vitest'
import { readMarkdown } from './markdown-rules.ts'

test('a post has its title, date, excerpt and address from the lines at its top, its heading or its name', () => {
  const text = '# The first job\n\nSome **words** and a [link](https://example.com).\n\n| a |\n|---|\n| 1 |'
  const { post: first } = readMarkdown({ name: 'posts/2026-01-05-first-job.md', text })
  expect(first).toMatchObject({ title: 'The first job', slug: 'first-job', isPublished: true })
  expect(first.publishedAt).toBe('2026-01-05T09:00:00.000Z')
  expect([first.content.includes('<h1'), first.content.includes('<table>')]).toEqual([false, true])
  const top = 'title: "Second: the van"\ndate: 2026-02-01\nexcerpt: Short.\nslug: the-van\nauthor: Bob'
  const { post: second } = readMarkdown({ name: 'second.md', text: `---\n${top}\n---\n\nText.` })
  expect(second).toMatchObject({ title: 'Second: the van', slug: 'the-van', author: 'Bob', excerpt: 'Short.' })
  const draft = '\uFEFF---\r\ntitle: Third\r\ndraft: true\r\ndate: 2026-03-01T10:00:00Z\r\n---\r\nText.'
  expect(readMarkdown({ name: 'third.md', text: draft }).post).toMatchObject({ slug: 'third', isPublished: false })
})

test.each([
  ['No title here.', 'It has no title. Write “title: …” between two lines of --- at its top.'],
  ['---\ntitle: [one, two]\n---\nText.', '“title” must be one line of text.'],
  ['---\ntitle: "open\n---\nText.', 'We can’t read the lines between --- at its top.'],
  ['---\ntitle: Date\ndate: 2026-02-30\n---\nText.', '“2026-02-30” isn’t a date. Write it as 2026-01-31.'],
  ['---\ntitle: Slug\nslug: Not A Slug\n---\nText.', 'Use small letters, digits and single hyphens.'],
  ['---\ntitle: Empty\n---\n', 'Content is required'],
])('%j isn’t a post: %s', (text, says) => {
  expect(() => readMarkdown({ name: 'a.md', text })).toThrow(says)
})

test('what’s nested too deeply at its top is refused in a sentence', () => {
  const text = `---\n${'{a: '.repeat(50_000)}\n---\nText.`
  const says = 'The lines between --- at its top are nested too deeply.'
  expect(() => readMarkdown({ name: 'a.md', text })).toThrow(says)
})
