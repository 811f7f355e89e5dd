export const Page = () => <div class="page" />
