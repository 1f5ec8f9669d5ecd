import { basename } from 'node:path/posix'
import { areaOf, type Finding, featureOf, isTest } from './place.ts'
import type { Mark, Source } from './source.ts'

const emptyNames = /^(utils?|helpers?|misc|common|index)\.tsx?$/
const kebabCase = /^[a-z0-9]+(-[a-z0-9]+)*(\.(test|spec|config|gen|d))?\.tsx?$/
/** The router interprets these names, and its generator names the generated tree. */
const routersNames = /^pwa\/(routes\/|routeTree\.gen\.ts$)/
const featureFolder = /^api\/features\/[^/]+\/([^/]+\/)?[^/]+$/
/** A feature file's role: `routes.ts`, or `link-service.ts` with its subject before the role. */
const featureRole = /^([a-z0-9-]+-)?(routes|service|queries|jobs|mails|rules)\.ts$/
/** A part of a page is named by what it shows. What draws nothing ends in its role, and a hook begins with `use`. */
const screenRole =
  /^((?!(.+-)?(queries|search|texts|storage|store|places)\.)[a-z0-9-]+\.tsx|([a-z0-9-]+-)?(queries|search|texts|storage|store|places)\.ts|use-[a-z0-9-]+\.ts)$/

export function checkNames({ path }: Pick<Source, 'path'>): Finding[] {
  const name = basename(path)
  const findings: Finding[] = []
  if (emptyNames.test(name) && !routersNames.test(path)) {
    findings.push({
      path,
      rule: 'name',
      says: 'name the file after what it does; there are no collections and no barrels',
    })
  }
  if (!kebabCase.test(name) && !routersNames.test(path)) {
    findings.push({ path, rule: 'name', says: 'file names are kebab-case' })
  }
  if (featureOf(path) && !featureFolder.test(path)) {
    findings.push({ path, rule: 'feature-files', says: 'a feature is one folder, at most with subfolders by subject' })
  } else if (featureOf(path) && !isTest(path) && !featureRole.test(name)) {
    const says = 'a file of a feature ends in its role: routes, service, queries, jobs, mails or rules'
    findings.push({ path, rule: 'feature-files', says })
  }
  if (path.startsWith('pwa/features/') && !isTest(path) && !screenRole.test(name)) {
    const says =
      'a file of the app’s features that draws nothing ends in its role (queries, search, texts, storage, store, places), or is a hook, use-…'
    findings.push({ path, rule: 'feature-files', says })
  }
  return findings
}

/** Who may do what others mustn't. A program reads the environment where it starts, and passes it on. */
const mayDo: Record<
  Exclude<Mark['kind'], 'unrun-test' | 'raw-sql' | 'comment-word'>,
  { where: RegExp; says: string }
> = {
  environment: {
    where: /^(api|cli)\/main\.ts$|^api\/settings\.ts$/,
    says: `is read by api/settings.ts, through each program's main.ts`,
  },
  exit: { where: /^(api|cli)\/main\.ts$/, says: 'is for main.ts; elsewhere give the code back' },
  'bare-load': {
    where: /^(?!pwa\/)/,
    says: 'goes through `loadFile` (pwa/lib/load-file.ts), which waits, asks and loads again',
  },
  // The row's type would be whatever was written there, unchecked.
  'claimed-type': {
    where: /^$/,
    says: 'claims what a row holds: decode it by mapWith and a helper of api/db/expressions.ts',
  },
}

export function checkMarks({ path, marks }: Source): Finding[] {
  const isFree = areaOf(path) === 'tools' || isTest(path)
  return marks.flatMap(({ line, kind, text }): Finding[] => {
    if (kind === 'unrun-test') return [{ path, line, rule: kind, says: `every test runs: ${text}` }]
    if (kind === 'raw-sql') return []
    if (kind === 'comment-word') return [{ path, line, rule: kind, says: `“${text}”: say who is meant` }]
    const { where, says } = mayDo[kind]
    return isFree || where.test(path) ? [] : [{ path, line, rule: kind, says: `${text} ${says}` }]
  })
}
