const date = (description) => ({ type: 'string', format: 'date', description });

export default {
  description: 'Counts the working days from one date to another, both included; weekends and holidays are left out',
  inputSchema: {
    type: 'object',
    properties: {
      from: date('First day, as YYYY-MM-DD'),
      to: date('Last day, as YYYY-MM-DD'),
      holidays: { type: 'array', items: date('A day off'), uniqueItems: true },
    },
    required: ['from', 'to'],
  },
  run({ from, to, holidays = [] }) {
    let count = 0;
    for (let day = new Date(from); day <= new Date(to); day.setUTCDate(day.getUTCDate() + 1)) {
      const off = [0, 6].includes(day.getUTCDay()) || holidays.includes(day.toISOString().slice(0, 10));
      count += off ? 0 : 1;
    }
    return count;
  },
};
