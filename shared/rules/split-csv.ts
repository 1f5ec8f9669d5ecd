export type CsvSplitter = {
  /** Takes more of the file; returns any files that are now full. */
  add(text: string): string[]
  end(): string[]
}

/** Cuts a CSV into files of at most `most` rows, each with the header. A line break in quotes doesn't end a row. */
export function splitCsv(most: number): CsvSplitter {
  let [rest, head] = ['', '']
  const file: string[] = []
  const full: string[] = []
  const addRow = (row: string) => {
    if (head === '') head = row
    else {
      if (file.length === most) full.push(head + file.splice(0).join(''))
      file.push(row)
    }
  }
  return {
    add(text) {
      const { rows, left } = rowsIn(rest + text)
      rest = left
      for (const row of rows) addRow(row)
      return full.splice(0)
    },
    end: () => (file.length > 0 ? [head + file.join('')] : []),
  }
}

function rowsIn(text: string): { rows: string[]; left: string } {
  const rows: string[] = []
  let [from, isQuoted] = [0, false]
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '"') isQuoted = !isQuoted
    else if (text[at] === '\n' && !isQuoted) {
      rows.push(text.slice(from, at + 1))
      from = at + 1
    }
  }
  return { rows, left: text.slice(from) }
}
