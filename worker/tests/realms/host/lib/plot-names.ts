import { tidy } from '../utils/tidy';

/** What a plot is called in the plural. */
export const plural = 'plots';
export const label = (name: string) => tidy(name);
