import { areaOf, type Finding, isTest } from './place.ts'

const shipped = /(['"`])(lite|standard|xl)\1/

/** The list that seeds and tests read, the cards' class names, our own drawings, and what plays the sample site's people. */
const mayName =
  /^(shared\/contract\/tier\.ts|pwa\/features\/tiers\/tier-(card|chooser)\.tsx|pwa\/design\/|api\/(features\/)?sandbox\/)/

/** What a tier is or has is a column of its row: owners may delete every tier a site came with. */
export function checkTierSlugs(path: string, text: string): Finding[] {
  const area = areaOf(path)
  if (area === 'data' || area === 'tools' || isTest(path) || mayName.test(path)) return []
  return text.split('\n').flatMap((line, at): Finding[] => {
    const slug = shipped.exec(line)?.[2]
    if (slug === undefined) return []
    return [{ path, line: at + 1, rule: 'tier-slug', says: `“${slug}” may not be there: ask the tier's row` }]
  })
}
