// The loader as modules see it (`import.meta.loader`, the host application's loader service). The module runner
// fills it in; it stands apart so that what the runner hands out can refer to it.

export const loader = {};
