export const units = { metre: 1, foot: 0.3048, fathom: 1.8288 };
