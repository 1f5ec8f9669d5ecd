import { expect, test } from 'vitest'
import { commandGroups, commands } from './commands.ts'
import { runCommand } from './testing/run-command.ts'

const helpAt = async (words: readonly string[], columns: number) =>
  (await runCommand([...words, '--help'], { columns })).out

/** The commands below one, from its own help. */
async function below(noun: string): Promise<string[][]> {
  const lists = (await helpAt([noun], 400))
    .split('\n\n')
    .filter((part) => /^(?!.*Options|Arguments|Examples)[A-Z].*:\n/.test(part))
  return lists.flatMap((part) =>
    [...part.matchAll(/^ {2}([a-z][\w-]*)/gm)].flatMap(([, verb = '']) => (verb === 'help' ? [] : [[noun, verb]])),
  )
}

test('every command’s help folds between words, however wide the terminal is, and loses none', async () => {
  const nouns = commands.map(({ name }) => name)
  const groups = commandGroups.map(({ heading }) => heading.toLowerCase())
  const all = [[], ...[...groups, ...nouns].map((noun) => [noun]), ...(await Promise.all(nouns.map(below))).flat()]
  expect(all.length).toBeGreaterThan(130)
  const wordsOf = (text: string) => text.split(/\s+/).filter((word) => word !== '\\')
  for (const words of all) {
    const whole = wordsOf(await helpAt(words, 1000))
    for (const columns of [60, 80, 100]) {
      const help = await helpAt(words, columns)
      const tooWide = help.split('\n').filter((line) => Bun.stringWidth(line) > columns)
      expect([words, columns, tooWide]).toEqual([words, columns, []])
      expect(wordsOf(help)).toEqual(whole)
    }
  }
})
