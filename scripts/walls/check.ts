import { checkCycles } from './cycles.ts'
import { checkFeatureSizes, checkFolderCycles } from './folder-cycles.ts'
import { checkImports } from './imports.ts'
import type { Finding } from './place.ts'
import { checkRawSql } from './raw-sql.ts'
import { checkMarks, checkNames } from './shape.ts'
import { readSource } from './source.ts'
import { checkTierSlugs } from './tier-slugs.ts'
import { checkTrade } from './trade.ts'

/** Every broken wall in these files (path → text). `sqlRecord` lists the files with raw SQL. */
export function checkWalls(files: ReadonlyMap<string, string>, sqlRecord: string): Finding[] {
  const sources = [...files].filter(([path]) => !path.includes('.gen.')).map(([path, text]) => readSource(path, text))
  return [
    ...sources.flatMap((source) => [...checkImports(source), ...checkNames(source), ...checkMarks(source)]),
    ...[...files].flatMap(([path, text]) => [...checkTrade(path, text), ...checkTierSlugs(path, text)]),
    ...checkCycles(sources),
    ...checkFolderCycles(sources),
    ...checkFeatureSizes(files),
    ...checkRawSql(sources, sqlRecord),
  ]
}
