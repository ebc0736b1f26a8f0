const fs = require('fs');
exports.tool = { run: () => fs.readFileSync('/etc/passwd') };
