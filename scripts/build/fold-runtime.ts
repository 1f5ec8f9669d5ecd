import type { Plugin, Rolldown } from 'vite'
import { coreChunk } from './chunks.ts'

/** Matches `import{n as e,t}from"./rolldown-runtime-….js";` as minified. */
const importOf = (file: string) => new RegExp(`import\\{([^}]*)\\}from"\\./${file.replace('assets/', '')}";?`)
const exportList = /export\{([^}]*)\};?\s*$/

/** `a as b, c` → [['a', 'b'], ['c', 'c']] */
const namesOf = (list = '') =>
  list.split(',').map((item): [string, string] => {
    const [name = '', alias = name] = item.trim().split(' as ')
    return [name, alias]
  })

const exported = (name: string) => `rolldownRuntime_${name}`

/** Moves the bundler's runtime, four functions, into the core, or every page would request a file just for it. */
export const foldRuntime: Plugin = {
  name: 'fold-runtime',
  apply: 'build',
  generateBundle(_options, bundle) {
    const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
    const runtime = chunks.find(({ name }) => name === 'rolldown-runtime')
    const core = chunks.find(({ name }) => name === coreChunk)
    if (!runtime || !core) throw new Error('The build has no runtime or no core')
    for (const chunk of chunks) {
      if (!chunk.imports.includes(runtime.fileName)) continue
      const list = chunk.code.match(importOf(runtime.fileName))?.[1]
      if (list === undefined) throw new Error(`${chunk.fileName} does not import the runtime as expected`)
      if (chunk === core) insertRuntime(core, runtime, list)
      else chunk.code = chunk.code.replace(importOf(runtime.fileName), () => importFromCore(core, list))
      chunk.imports = [
        ...new Set(chunk.imports.map((file) => (file === runtime.fileName ? core.fileName : file))),
      ].filter((file) => file !== chunk.fileName)
    }
    delete bundle[runtime.fileName]
  },
}

function insertRuntime(core: Rolldown.OutputChunk, runtime: Rolldown.OutputChunk, list: string): void {
  const names = namesOf(runtime.code.match(exportList)?.[1])
  const body = runtime.code.replace(exportList, '')
  const made = `const{${names.map(([, alias]) => `${alias}:${exported(alias)}`)}}=(()=>{${body}return{${names.map(([name, alias]) => `${alias}:${name}`)}}})()`
  const local = namesOf(list).map(([name, alias]) => `${alias}=${exported(name)}`)
  core.code = `${core.code.replace(importOf(runtime.fileName), () => `${made},${local};`)}\nexport{${names.map(([, alias]) => exported(alias))}};`
}

const importFromCore = (core: Rolldown.OutputChunk, list: string) =>
  `import{${namesOf(list).map(([name, alias]) => `${exported(name)} as ${alias}`)}}from"./${core.fileName.replace('assets/', '')}";`
