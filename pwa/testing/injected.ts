export function injectedInto(page: ParentNode): string[] {
  const elements = [...page.querySelectorAll('*')]
  const isOurs = ({ name, value }: Attr) =>
    !/^on/i.test(name) &&
    !(/^(href|src|action|formaction|xlink:href|data|srcdoc|poster)$/i.test(name) && isForeign(value))
  return elements
    .filter(
      (element) =>
        /^(script|object|embed|base|math|style|marquee|frame|template|meta)$/i.test(element.localName) ||
        ![...element.attributes].every(isOurs),
    )
    .map(({ outerHTML }) => outerHTML.slice(0, 120))
}

const isForeign = (address: string) => /^\s*(javascript|vbscript|data:text|blob)|evil\.example/i.test(address)

export const countOfTags = (text: string | null) => (text ?? '').match(/<[a-z!?]/gi)?.length ?? 0
