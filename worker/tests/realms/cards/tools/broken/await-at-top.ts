export const later = await import('../describing');
