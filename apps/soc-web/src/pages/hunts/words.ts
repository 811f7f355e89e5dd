import { catalogue } from '../../words/catalogue.ts'

export const useWords = catalogue({
  en: {
    title: 'Hunts',
    columns: {
      hunt: 'Hunt',
      query: 'Query',
      by: 'By',
      run: 'Last run',
      found: 'Found',
      shared: 'Shared',
    },
    sharing: { private: 'with nobody', team: 'with all', roles: 'with some roles' } as Record<
      string,
      string
    >,
    emptyTitle: 'No hunts yet',
    emptyText:
      'A hunt is a search that is kept: run it again, see what changed. Save one from a search.',
    toSearch: 'Go to search',
    run: 'Run it',
    ran: { one: '{n} event', other: '{n} events' },
    inSearch: 'Open in search',
    remove: 'Delete',
    removeTitle: 'Delete the hunt {title}?',
    removeText: 'Its query and what its runs counted are gone for everybody it is shared with.',
    removed: 'Hunt deleted',
    runs: 'What each run counted',
    noRuns: 'It has not run yet.',
  },
})
