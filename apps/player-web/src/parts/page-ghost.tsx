/** Stands where a page will be. A part of its own: what is drawn then is new and has not moved. */
export const PageGhost = () => <div class="page ghost page-ghost" aria-busy="true" />
