import { invalid } from '#api/sandbox/errors.ts'

export type FormValue = string | FormValue[] | { [name: string]: FormValue }

type Node = Map<string, Node | string>

const maxPairs = 1000

function insertAt(root: Node, path: string[], value: string): void {
  let node = root
  path.forEach((raw, depth) => {
    const key = raw === '' ? String(node.size) : raw
    if (depth === path.length - 1) {
      node.set(key, value)
      return
    }
    const next = node.get(key)
    const child: Node = next instanceof Map ? next : new Map()
    if (child !== next) node.set(key, child)
    node = child
  })
}

function toFormValue(node: Node | string, top = false): FormValue {
  if (typeof node === 'string') return node
  const keys = [...node.keys()]
  // A list is numbered from 0. Other numbers are keys, which metadata may have.
  if (!top && keys.includes('0') && keys.every((key) => /^\d+$/.test(key))) {
    return [...node].sort(([a], [b]) => Number(a) - Number(b)).map(([, value]) => toFormValue(value))
  }
  return Object.fromEntries([...node].map(([key, value]) => [key, toFormValue(value)]))
}

/** Parses `items[0][price]=x&expand[]=y` as Stripe does: nested names, and lists by index or by `[]`. */
export function parseForm(text: string): FormValue {
  const root: Node = new Map()
  let pairs = 0
  for (const [name, value] of new URLSearchParams(text)) {
    pairs += 1
    if (pairs > maxPairs) throw invalid('Too many parameters.')
    const open = name.indexOf('[')
    const path =
      open < 0
        ? [name]
        : [
            name.slice(0, open),
            ...name
              .slice(open + 1)
              .replace(/\]$/, '')
              .split(']['),
          ]
    insertAt(root, path, value)
  }
  return toFormValue(root, true)
}

export function textField(params: FormValue, name: string): string | null {
  if (typeof params === 'string' || Array.isArray(params)) return null
  const value = params[name]
  return typeof value === 'string' ? value : null
}
