import { catalogue } from '../../words/catalogue.ts'

export const useWords = catalogue({
  en: {
    title: 'Reports',
    columns: { title: 'Report', type: 'Type', format: 'Format', by: 'By', when: 'When' },
    types: {
      investigation: 'of a case',
      executive: 'of the month',
      compliance: 'of compliance',
    } as Record<string, string>,
    empty: 'No reports yet',
    emptyText: 'Write one from a case, or about the last thirty days here.',
    executive: 'Write the report of the month',
    written: 'The report is written',
    download: 'Download',
    elsewhere: 'This report is a file in {format}. Download it to read it.',
    hash: 'SHA-256 of the file',
  },
})
