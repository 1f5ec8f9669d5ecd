import { areaOf, type Finding, isTest } from './place.ts'

const tradeWord = /\b(tradesm[ae]n|tradespeople|plumbers?|plumbing|vans?)\b/i

/** The drawings that come with the software and what they show, and the forms' specified choices. */
const mayName =
  /^(pwa\/ui\/picture\.tsx|pwa\/features\/(home\/(home-page|snag-list)|about\/about-page)\.tsx|shared\/contract\/(form-labels|quotient)\.ts|pwa\/design\/)/

/** What a firm does stands in its content and in the sample data, so that another trade's site needs no change of code. */
export function checkTrade(path: string, text: string): Finding[] {
  const area = areaOf(path)
  if (area === 'data' || area === 'tools' || isTest(path) || mayName.test(path)) return []
  return text.split('\n').flatMap((line, at): Finding[] => {
    const word = tradeWord.exec(line)?.[0]
    if (word === undefined) return []
    return [
      { path, line: at + 1, rule: 'trade-word', says: `“${word}” belongs in content: this code serves any trade` },
    ]
  })
}
