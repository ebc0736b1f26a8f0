const here = import.meta.url;
export const load = async (name) => [
  await import('./literal'),
  await import('./literal'),
  await import('./with-options', { with: { type: 'json' } }),
  await import(`./template`),
  await import(name),
];
export function loader() { return import.meta.loader; }
