import { Ajv2020 } from 'ajv/dist/2020.js'

type Content = Record<string, { schema: object }>
type Operation = {
  operationId: string
  parameters?: { required?: boolean }[]
  requestBody?: { content: Content }
  responses: Record<string, { content?: Content }>
}
export type ApiDocument = { paths: Record<string, Record<string, Operation>>; components: object }

const addressOf = (document: string, path: string) => `${document}#/${path.split('\0').map(escaped).join('/')}`
const escaped = (part: string) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))

/** Reads answers as another program does: by the site's own API document, with a validator that isn't ours. */
export function documentReader(document: ApiDocument) {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true })
  ajv.addSchema(document, 'api')
  const checkAt = (path: string[], value: unknown): string | null => {
    const check = ajv.getSchema(addressOf('api', path.join('\0')))
    if (check === undefined) return `no schema at ${path.join(' ')}`
    return check(value) ? null : ajv.errorsText(check.errors)
  }
  return {
    checkAt,
    /** What the document doesn't say of this answer: its status, content type or body. Null if it says all of it. `path` has `{name}`s. */
    async faultOf(method: string, path: string, response: Response): Promise<string | null> {
      const operation = document.paths[path]?.[method.toLowerCase()]
      const answer = operation?.responses[response.status]
      if (answer === undefined) return `no answer ${response.status}`
      const [type = ''] = (response.headers.get('content-type') ?? '').split(';')
      const types = Object.keys(answer.content ?? {})
      if (response.body === null || (await response.clone().text()) === '')
        return types.length > 0 && response.status !== 304 ? `${response.status} is empty` : null
      const named = types.find((one) => new RegExp(`^${one.replaceAll('*', '.*').replaceAll('+', '\\+')}$`).test(type))
      if (named === undefined) return `${type} instead of ${types.join(', ')}`
      if (!named.endsWith('json')) return null
      return checkAt(
        ['paths', path, method.toLowerCase(), 'responses', String(response.status), 'content', named, 'schema'],
        await response.clone().json(),
      )
    },
  }
}
