export function dangersIn(html: string): string[] {
  const found: string[] = []
  const read = new HTMLRewriter().on('*', {
    element(element) {
      for (const [name, value] of element.attributes) {
        if (/^on/i.test(name) || /^\s*(javascript|data:text|vbscript):/i.test(value)) found.push(`${name}=${value}`)
        if (value === 'x' && name === 'src') found.push(`${element.tagName} ${name}`)
      }
      const type = element.getAttribute('type')
      const isOurs = element.tagName !== 'script' || type === 'application/json' || type === 'application/ld+json'
      if (!isOurs && element.getAttribute('src') !== null) found.push('script src')
    },
  })
  read.transform(html)
  return [...found, ...(html.match(/<script>(?!start\(\))[^<]*/g) ?? [])]
}
