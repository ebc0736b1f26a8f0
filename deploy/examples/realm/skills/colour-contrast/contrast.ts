const colour = { type: 'string', pattern: '^#[0-9a-fA-F]{6}$', description: 'Such as #1a2b3c' } as const;

function luminance(hex: string): number {
  const [red, green, blue] = [1, 3, 5]
    .map((at) => parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

export const contrast = {
  description: 'Computes the contrast ratio of two colours, from 1 to 21',
  inputSchema: {
    type: 'object',
    properties: { text: colour, background: colour },
    required: ['text', 'background'],
    additionalProperties: false,
  },
  run({ text, background }: { text: string; background: string }) {
    const [lighter, darker] = [luminance(text), luminance(background)].sort((a, b) => b - a);
    return Math.round(((lighter + 0.05) / (darker + 0.05)) * 100) / 100;
  },
};
