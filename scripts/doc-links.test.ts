import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect, test } from 'vitest'
import { commandGroups } from '#cli/commands.ts'

const pages = execFileSync('git', ['ls-files', '*.md'], { encoding: 'utf8' }).trim().split('\n')

/** GitHub's anchors: lower case, spaces as hyphens, and only letters, digits, `_` and `-`. */
const anchorOf = (heading: string) =>
  heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')

const withoutCode = (text: string) => text.replace(/^( *)```[\s\S]*?^\1```$/gm, '').replace(/`[^`\n]*`/g, '')

const anchorsOf = (file: string) =>
  [...readFileSync(file, 'utf8').matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => anchorOf(heading))

function faultOf(page: string, link: string): string | undefined {
  const [path = '', anchor] = link.split('#')
  const file = path === '' ? page : normalize(join(dirname(page), path))
  if (!existsSync(file)) return `${page}: ${link} leads nowhere`
  if (anchor === undefined || statSync(file).isDirectory()) return
  return anchorsOf(file).includes(anchor) ? undefined : `${page}: ${file} has no heading #${anchor}`
}

test('every link between documents leads to a file, and to a heading of it', () => {
  const links = pages.flatMap((page) =>
    [...withoutCode(readFileSync(page, 'utf8')).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => ({ page, link })),
  )
  const ours = links.filter(({ link }) => !/^[a-z]+:/.test(link))
  expect(ours.length).toBeGreaterThan(100)
  expect(ours.map(({ page, link }) => faultOf(page, link)).filter((fault) => fault !== undefined)).toEqual([])
})

test('each group of the terminal’s commands has a page to read, and every one is there', () => {
  expect(commandGroups.flatMap(({ page }) => faultOf('README.md', page) ?? [])).toEqual([])
})

test('the manual is short enough to be read', () => {
  const lines = (file: string) => readFileSync(file, 'utf8').split('\n').length
  expect(lines('README.md')).toBeLessThanOrEqual(150)
  expect(lines('CONTRIBUTING.md')).toBeLessThanOrEqual(120)
})
