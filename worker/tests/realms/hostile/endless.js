// Never gives up the processor.
for (;;);
export const tool = { description: 'd', inputSchema: { type: 'object' }, run() {} };
