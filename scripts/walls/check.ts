import { checkCycles } from './cycles.ts'
import type { Exception } from './exceptions.ts'
import { checkImports } from './imports.ts'
import type { Finding } from './place.ts'
import { checkRawSql } from './raw-sql.ts'
import { checkFeatures, checkMarks, checkNames, checkSizes } from './shape.ts'
import { readSource } from './source.ts'
import { checkOneFunction, checkSmallFileExceptions, checkSmallFiles } from './spread.ts'

/** Every broken wall in these files (path → text), except the written exceptions. `sqlRecord` lists the files with raw SQL. */
export function checkWalls(
  files: ReadonlyMap<string, string>,
  exceptions: readonly Exception[],
  sqlRecord: string,
): Finding[] {
  const sources = [...files].filter(([path]) => !path.includes('.gen.')).map(([path, text]) => readSource(path, text))
  const found = [
    ...sources.flatMap((source) => [
      ...checkImports(source),
      ...checkNames(source),
      ...checkSizes(source),
      ...checkMarks(source),
    ]),
    ...checkFeatures(sources),
    ...checkCycles(sources),
    ...checkRawSql(sources, sqlRecord),
    ...checkOneFunction(sources),
    ...checkSmallFiles(sources),
  ]
  const isExcused = ({ path, rule }: Finding) =>
    exceptions.some((exception) => exception.path === path && exception.rule === rule)
  const idle = exceptions.filter(({ path, rule }) => !found.some((one) => one.path === path && one.rule === rule))
  return [
    ...found.filter((finding) => !isExcused(finding)),
    ...checkSmallFileExceptions(exceptions),
    ...idle.map(({ path, rule }): Finding => ({ path, rule, says: 'the exception is no longer needed' })),
  ]
}
