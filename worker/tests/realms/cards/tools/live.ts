export let counter = 0;
export const increase = () => ++counter;
